import type { ByteMode, SandboxAccount } from '../../contract/sandbox.js';
import { openDocumentEvents, openGivenXml } from '../document/document-events.js';
import { openDocuments, openStatistics, openSweeping } from '../document/documents.js';
import { byteSecretName, openByteHost } from '../inbound/byte-host.js';
import { openListing } from '../inbound/listing.js';
import { openInvoicePages, openInvoices } from '../invoice/invoices.js';
import { openDeliveries } from '../webhook/deliveries.js';
import { openSigning } from '../webhook/signing.js';
import { certificateNames, openCertificate } from '../xml/sign.js';
import { accountName, openAccount, openCallers } from './callers.js';
import { openChance } from './chance.js';
import { openClock, openDueWork } from './clock.js';
import { inventCompany, openCaptures, openCertificates, openCompanies } from './companies.js';
import { type Meta, type SandboxDatabase, openDatabase, openMeta } from './database.js';
import { openLedger, openUsage } from './ledger.js';
import { type ServiceModes, openBehaviour, openRateLimit, openServiceMode } from './modes.js';
import { openResources } from './resources.js';
import { openFaults, openInvoiceOutcomes, openOutcomes } from './rules.js';
import { tables } from './schema.js';
import {
  openDisablements,
  openIdempotencyKeys,
  openInvoiceEvents,
  openNfeEvents,
  openNfseManifestations,
  openNotices,
  openProducts,
  openRegistry,
  openTaxRegistrations,
  openWebhooks,
} from './stores.js';

interface CoreOptions {
  /** Sets the clock before a new account is created; absent: the clock does not change. */
  readonly clockOffsetMs?: number | undefined;
  /** A SQLite file, or `:memory:`. */
  readonly path: string;
  readonly account: SandboxAccount | undefined;
  readonly seed: number;
  /** Requests per second; `undefined`: no limit. */
  readonly rate: number | undefined;
  readonly alphanumericKeys: boolean;
  /** How reads of XML and PDF answer, unless a test configures it. */
  readonly bytes: ByteMode;
  /** The time from storing a product to the end of its validation, and from storing an event to sending it. */
  readonly validationDelayMs: number;
  readonly mode: ServiceModes;
}

/** The state of the service. All members are synchronous: one request is one transaction. */
export interface Core extends ReturnType<typeof openStores> {
  readonly options: CoreOptions;
  readonly account: SandboxAccount;
  transaction<Result>(step: () => Result): Result;
  /** Deletes everything except the account and its two keys. */
  reset(): void;
  close(): void;
}

/** What a reset keeps: the account, and what signs documents and addresses. */
const kept = [accountName, byteSecretName, ...certificateNames];

export function openCore(options: CoreOptions): Core {
  const database = openDatabase(options.path);
  const meta = openMeta(database);
  const stores = openStores(database, meta, options);
  const transaction = <Result>(step: () => Result): Result => database.transaction(step).immediate();
  const begin = (): SandboxAccount => {
    if (meta.get('seed') === undefined) stores.chance.reseed(options.seed);
    const account = openAccount(meta, options.account);
    const company = inventCompany(account.tenantId, account.companyId);
    if (stores.companies.get(company.id) === undefined) stores.companies.put(company);
    stores.captures.begin(company.id, stores.clock.now());
    stores.certificates.begin(company, stores.clock.now());
    return account;
  };
  return {
    ...stores,
    options,
    account: transaction(() => {
      const { clockOffsetMs } = options;
      if (clockOffsetMs !== undefined) stores.clock.set(Date.now() + clockOffsetMs);
      return begin();
    }),
    transaction,
    reset() {
      const { meta: _values, ...emptied } = tables;
      for (const table of Object.keys(emptied)) database.exec(`DELETE FROM ${table}`);
      database.exec('DELETE FROM sqlite_sequence');
      meta.clearOthers(kept);
      begin();
    },
    close: () => void database.close(),
  };
}

function openStores(database: SandboxDatabase, meta: Meta, options: CoreOptions) {
  const chance = openChance(meta);
  const open = openResources(database);
  const rules = { open, meta, chance };
  return {
    chance,
    clock: openClock(meta),
    callers: openCallers(meta, open),
    companies: openCompanies(database, open),
    captures: openCaptures(open),
    certificates: openCertificates(open),
    taxRegistrations: openTaxRegistrations(open),
    notices: openNotices(open, meta),
    products: openProducts(open),
    documents: openDocuments(database),
    /** Hides documents and lists them again. */
    sweeping: openSweeping(database),
    statistics: openStatistics(database),
    documentEvents: openDocumentEvents(database),
    /** The XML that users gave. */
    givenXml: openGivenXml(database),
    listing: openListing(database),
    /** The simulated faults of the inbound routes. */
    behaviour: openBehaviour(meta, options.bytes),
    /** The host of bytes that a route only links to. */
    byteHost: openByteHost(meta),
    /** The certificate that signs documents; created on first use. */
    certificate: openCertificate(meta),
    nfeEvents: openNfeEvents(open),
    nfseManifestations: openNfseManifestations(open),
    /** The events registered by the tax authority, from any sender. */
    registry: openRegistry(open, meta),
    /** Configured answers of the tax authority. */
    outcomes: openOutcomes(rules),
    invoices: openInvoices(database),
    invoicePages: openInvoicePages(database),
    invoiceEvents: openInvoiceEvents(open),
    /** Configured outcomes of invoices. */
    invoiceOutcomes: openInvoiceOutcomes(rules),
    idempotencyKeys: openIdempotencyKeys(open),
    disablements: openDisablements(open),
    webhooks: openWebhooks(open),
    /** Pending and finished webhook deliveries. */
    deliveries: openDeliveries(database),
    signing: openSigning(meta),
    work: openDueWork(database),
    usage: openUsage(database),
    ledger: openLedger(database),
    faults: openFaults(rules),
    mode: openServiceMode(meta, options.mode),
    rate: openRateLimit(meta, options.rate),
  };
}
