import type { ByteMode, SandboxAccount } from '../../contract/sandbox.js';
import { type DocumentEvents, openDocumentEvents } from '../document/document-events.js';
import {
  type Disablements,
  type IdempotencyKeys,
  type InvoicePages,
  type Invoices,
  openDisablements,
  openIdempotencyKeys,
  openInvoicePages,
  openInvoices,
} from '../invoice/invoices.js';
import { type Backfills, openBackfills, openSweeping, type Sweeping } from '../maintenance/backfills.js';
import { type Notices, openNotices, openStatistics, type Statistics } from '../maintenance/notices.js';
import {
  type NfeEvents,
  type NfseManifestations,
  openNfeEvents,
  openNfseManifestations,
} from '../manifestation/manifestations.js';
import { type Deliveries, openDeliveries } from '../webhook/deliveries.js';
import { openWebhooks, type Webhooks } from '../webhook/webhooks.js';
import { openCertificate, type TestCertificate } from '../xml/sign.js';
import { type Callers, openCallers, openAccount } from './callers.js';
import { type Chance, openChance } from './chance.js';
import { clockNames, type DueWork, openClock, openDueWork, type ServiceClock } from './clock.js';
import { type Meta, openDatabase, openMeta, type SandboxDatabase } from './database.js';
import { type Ledger, openLedger, openUsage, type Usage } from './ledger.js';
import { resetTables } from './schema.js';
import {
  modeNames,
  openRateLimit,
  openServiceMode,
  type RateLimit,
  type ServiceMode,
  type ServiceModes,
} from './service-mode.js';
import { openRegistry, registryNames, type Registry } from '../authority/registry.js';
import { openOutcomes, type Outcomes } from '../authority/outcomes.js';
import { type Documents, openDocuments } from '../document/documents.js';
import { type GivenXml, openGivenXml } from '../document/given-xml.js';
import { behaviourNames, type Behaviour, openBehaviour } from '../inbound/behaviour.js';
import { type Listing, openListing } from '../inbound/listing.js';
import { type IssuedEventStore, openInvoiceEvents } from '../invoice/invoice-events.js';
import { type InvoiceOutcomes, openInvoiceOutcomes } from '../invoice/invoice-outcomes.js';
import { type Captures, openCaptures } from './captures.js';
import { type Certificates, openCertificates } from './certificates.js';
import { type Companies, openCompanies } from './companies.js';
import { type Faults, openFaults } from './faults.js';
import { type ByteHost, openByteHost } from '../inbound/byte-host.js';
import { openProducts, type Products } from '../product/products.js';
import { openTaxRegistrations, type TaxRegistrations } from '../registry/tax-registrations.js';
import { openSigning, type SigningChoice, signingNames } from '../webhook/signing.js';

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
export interface Core {
  readonly options: CoreOptions;
  readonly account: SandboxAccount;
  readonly clock: ServiceClock;
  readonly chance: Chance;
  readonly callers: Callers;
  readonly companies: Companies;
  readonly captures: Captures;
  /** The certificates of the companies. */
  readonly certificates: Certificates;
  readonly taxRegistrations: TaxRegistrations;
  /** The release of the history of NFS-e. */
  readonly backfills: Backfills;
  readonly notices: Notices;
  readonly statistics: Statistics;
  readonly products: Products;
  readonly documents: Documents;
  /** Hides documents and lists them again. */
  readonly sweeping: Sweeping;
  readonly documentEvents: DocumentEvents;
  /** The XML that users gave. */
  readonly givenXml: GivenXml;
  readonly listing: Listing;
  /** The simulated faults of the inbound routes. */
  readonly behaviour: Behaviour;
  /** The host of bytes that a route only links to. */
  readonly byteHost: ByteHost;
  /** The certificate that signs documents; created on first use. */
  certificate(): TestCertificate;
  readonly nfeEvents: NfeEvents;
  readonly nfseManifestations: NfseManifestations;
  /** The events registered by the tax authority, from any sender. */
  readonly registry: Registry;
  /** Configured answers of the tax authority. */
  readonly outcomes: Outcomes;
  readonly invoices: Invoices;
  readonly invoicePages: InvoicePages;
  readonly invoiceEvents: IssuedEventStore;
  /** Configured outcomes of invoices. */
  readonly invoiceOutcomes: InvoiceOutcomes;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly disablements: Disablements;
  readonly webhooks: Webhooks;
  /** Pending and finished webhook deliveries. */
  readonly deliveries: Deliveries;
  readonly signing: SigningChoice;
  readonly work: DueWork;
  readonly usage: Usage;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly mode: ServiceMode;
  readonly rate: RateLimit;
  transaction<Result>(step: () => Result): Result;
  /** Deletes everything except the account and its two keys. */
  reset(): void;
  close(): void;
}

export function openCore(options: CoreOptions): Core {
  const database = openDatabase(options.path);
  const meta = openMeta(database);
  const stores = openStores(database, meta, options);
  const transaction = <Result>(step: () => Result): Result => database.transaction(step).immediate();
  const begin = (): SandboxAccount => {
    if (meta.get('seed') === undefined) stores.chance.reseed(options.seed);
    const account = openAccount(database, options.account);
    stores.companies.add(account.tenantId, account.companyId);
    stores.captures.begin(account.companyId, stores.clock.now());
    stores.certificates.begin(stores.clock.now());
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
      for (const table of resetTables) database.exec(`DELETE FROM ${table}`);
      database.exec('DELETE FROM sqlite_sequence');
      stores.callers.dropExtraKeys();
      meta.clear([
        ...clockNames,
        'seed',
        'ids',
        'rate.bucket',
        ...registryNames,
        ...behaviourNames,
        ...signingNames,
        ...modeNames,
      ]);
      begin();
    },
    close: () => void database.close(),
  };
}

function openStores(database: SandboxDatabase, meta: Meta, options: CoreOptions) {
  const chance = openChance(meta);
  return {
    chance,
    clock: openClock(meta),
    callers: openCallers(database),
    companies: openCompanies(database),
    captures: openCaptures(database),
    certificates: openCertificates(database),
    taxRegistrations: openTaxRegistrations(database),
    backfills: openBackfills(database),
    notices: openNotices(database),
    statistics: openStatistics(database),
    products: openProducts(database),
    documents: openDocuments(database),
    sweeping: openSweeping(database),
    documentEvents: openDocumentEvents(database),
    givenXml: openGivenXml(database),
    listing: openListing(database),
    behaviour: openBehaviour(meta, options.bytes),
    byteHost: openByteHost(meta),
    certificate: openCertificate(meta),
    nfeEvents: openNfeEvents(database),
    nfseManifestations: openNfseManifestations(database),
    registry: openRegistry(database, meta),
    outcomes: openOutcomes(database, chance),
    invoices: openInvoices(database),
    invoicePages: openInvoicePages(database),
    invoiceEvents: openInvoiceEvents(database),
    invoiceOutcomes: openInvoiceOutcomes(database, chance),
    idempotencyKeys: openIdempotencyKeys(database),
    disablements: openDisablements(database),
    webhooks: openWebhooks(database),
    deliveries: openDeliveries(database),
    signing: openSigning(meta),
    work: openDueWork(database),
    usage: openUsage(database),
    ledger: openLedger(database),
    faults: openFaults(database, chance),
    mode: openServiceMode(meta, options.mode),
    rate: openRateLimit(meta, options.rate),
  };
}
