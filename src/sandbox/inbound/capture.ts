import { randomUUID } from 'node:crypto';
import type { LookupNfeEvent, LookupParty } from '../../contract/lookup-nfe.js';
import { spacedUntil } from '../company/certificates.js';
import { uuidOf } from '../core/chance.js';
import { taxNumberText } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet } from '../core/exact-json.js';
import { captureMethod } from '../core/ledger.js';
import type { Family, StoredIssuedEvent } from '../core/records.js';
import { Refusal } from '../core/refusal.js';
import { type StoredDocument, usualNote } from '../document/documents.js';
import { inventDocument, nextNsu } from '../document/invent-document.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { scheduleAutomatic } from '../manifestation/send.js';
import { announceDocument } from '../webhook/announce.js';
import { type Party, recipientOf } from '../xml/layout.js';
import { distributeEvent } from './distribution.js';
import type { Capture } from './settings.js';

/**
 * §4: a document issued before the cut-off is captured too: it starts as `Skipped`, stays out of lists unless the
 * history is released, and is billed as history.
 */
export function captureDocument(core: Core, document: StoredDocument): StoredDocument {
  if (!isBeforeCutOff(core, document)) {
    core.documents.put(document);
    scheduleAutomatic(core, document);
    return document;
  }
  const born = bornBeforeCutOff(core, document);
  core.documents.put(born);
  billHistory(core, [born]);
  scheduleAutomatic(core, born);
  return born;
}

export function isBeforeCutOff(core: Core, { companyId, family, issuedOn }: StoredDocument): boolean {
  const startFromDate = core.captures.settings(companyId, family)?.given['startFromDate'];
  return typeof startFromDate === 'string' && issuedOn < Date.parse(startFromDate);
}

export function bornBeforeCutOff(core: Core, document: StoredDocument): StoredDocument {
  return { ...document, ...historyShape(core, document) };
}

/** The fields that all history of a company shares. */
export function historyShape(
  core: Core,
  { companyId, family }: Capture,
): Pick<StoredDocument, 'visibility' | 'webhookStatus'> {
  const isReleased = family === 'nfse' && core.captures.of(companyId, 'nfse')?.isReleased === true;
  return { visibility: isReleased ? 'listed' : 'hidden', webhookStatus: 'Skipped' };
}

const hourMs = 3_600_000;

/** Captures a document before a list is read, if arrivals are configured and the capture is not spaced. */
export function arriveBeforeList(core: Core, companyId: string, family: Family): void {
  if (!core.captures.isActive(companyId, family) || spacedUntil(core, companyId, family) !== undefined) return;
  if (core.behaviour.doesArrive()) arrive(core, companyId, family);
}

/** The next document of the company, issued an hour ago. */
function arrive(core: Core, companyId: string, family: Family): void {
  const now = core.clock.now();
  const createdOn = now - (core.behaviour.arrivals()?.lateByMs ?? 0);
  const invented = inventDocument(core, {
    family,
    companyId,
    ordinal: core.documents.count() + 1,
    issuedOn: now - hourMs,
    direction: 'incoming',
  });
  const stage = family === 'nfe' ? (core.behaviour.arrivals()?.stage ?? 'full') : 'full';
  const arrived = { ...invented, stage, status: 'Received', webhookStatus: 'Pending' };
  const captured = captureDocument(core, { ...arrived, createdOn, modifiedOn: createdOn });
  announceDocument(core, captured);
}

const kind = 'nfse-capture';
const mostAtOnce = 50;

/** Schedules an extra capture, after the sandbox's delay. */
export function scheduleCapture(core: Core, companyId: string): void {
  core.work.schedule(kind, core.clock.now() + core.options.validationDelayMs, { companyId });
}

/** Captures all configured arrivals at once, or one document if they are unlimited. */
export function captureNow(core: Core, payload: unknown): void {
  const companyId = isRecord(payload) ? payload['companyId'] : undefined;
  if (typeof companyId !== 'string' || !core.captures.isActive(companyId, 'nfse')) return;
  const arrivals = core.behaviour.arrivals();
  if (arrivals === undefined || spacedUntil(core, companyId, 'nfse') !== undefined) return;
  const count = Math.min(arrivals.left ?? 1, mostAtOnce);
  for (let made = 0; made < count; made += 1) arrive(core, companyId, 'nfse');
  if (arrivals.left !== null) core.behaviour.setArrivals({ ...arrivals, left: arrivals.left - count });
}

type Captured = Pick<StoredDocument, 'companyId' | 'family' | 'accessKey'>;

/**
 * §4: captures before the cut-off are billed as history: one usage row each, and one ledger entry per company and
 * family, because no request made them.
 */
export function billHistory(core: Core, captured: readonly Captured[]): void {
  const at = core.clock.now();
  const { tenantId } = core.account;
  for (const { family, accessKey } of captured) {
    const operation = `${family}.inbound.list`;
    core.usage.add({ at, tenantId, operation, action: 'history', resourceId: accessKey });
  }
  for (const group of groupsOf(captured)) addLine(core, at, group);
}

interface Group extends Pick<Captured, 'companyId' | 'family'> {
  readonly count: number;
}

function groupsOf(captured: readonly Captured[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { companyId, family } of captured) {
    const name = `${companyId} ${family}`;
    groups.set(name, { companyId, family, count: (groups.get(name)?.count ?? 0) + 1 });
  }
  return groups.values();
}

function addLine(core: Core, at: number, { companyId, family, count }: Group): void {
  core.ledger.add({
    at: new Date(at).toISOString(),
    operation: null,
    method: captureMethod,
    path: `/v2/companies/${companyId}/inbound/${family}`,
    keyKind: null,
    status: null,
    cut: null,
    effect: { captured: family, companyId, history: String(count) },
    billed: 'history',
    idempotencyKey: null,
    requestId: randomUUID(),
    fault: null,
  });
}

/** The result of a capture by key, and whether this call captured it: only then it is billed (assumed). */
interface Fetched {
  readonly document: StoredDocument;
  readonly isNew: boolean;
}

/**
 * §4: synchronous, idempotent per key, 403 if the company is not provider, taker or intermediary. The sandbox's
 * national environment contains the notes of all its companies and those that the company issued.
 */
export function fetchByKey(core: Core, companyId: string, accessKey: string): Fetched {
  const known = core.documents.withKey(accessKey).filter(({ family }) => family === 'nfse');
  const own = known.find((document) => document.companyId === companyId);
  if (own !== undefined && own.visibility !== 'uncaptured') return { document: own, isNew: false };
  if (own !== undefined) return { document: capture(core, own), isNew: true };
  const company = core.companies.find(core.account.tenantId, companyId);
  const isProvider = company?.federalTaxNumber === accessKey.slice(9, 23);
  if (isProvider) return { document: capture(core, issuedByCompany(core, companyId, accessKey)), isNew: true };
  const held = known.find((note) => company !== undefined && isPartyOf(core, note, company.federalTaxNumber));
  if (held !== undefined) return { document: capture(core, heldBy(core, held, companyId)), isNew: true };
  if (known.length === 0) throw new Refusal('not_found', 'The national environment has no NFS-e with this key.');
  throw new Refusal(
    'fiscal_secrecy',
    'Fiscal secrecy: the company is not provider, taker or intermediary of this NFS-e.',
  );
}

/** True for the taker and the intermediary. */
function isPartyOf(core: Core, note: StoredDocument, taxNumber: string): boolean {
  return takerOf(core, note).taxNumber === taxNumber || note.intermediaryTaxNumber === taxNumber;
}

function takerOf(core: Core, note: StoredDocument): Party {
  return recipientOf(note, core.companies.find(core.account.tenantId, note.companyId));
}

/** The note of another company, as this company captures it. */
function heldBy(core: Core, note: StoredDocument, companyId: string): StoredDocument {
  const { taxNumber: recipientTaxNumber, name: recipientName } = takerOf(core, note);
  const id = uuidOf(`${companyId}:${note.accessKey}`);
  return { ...note, id, companyId, direction: 'incoming', recipientTaxNumber, recipientName };
}

/** The note has no NSU. Before the cut-off it is hidden like any other, but billed as this call (assumed). */
function capture(core: Core, found: StoredDocument): StoredDocument {
  const now = core.clock.now();
  const fetched: StoredDocument = {
    ...found,
    nsu: null,
    visibility: 'listed',
    status: 'Processed',
    webhookStatus: 'Pending',
    createdOn: now,
    modifiedOn: now,
  };
  const captured = isBeforeCutOff(core, fetched) ? bornBeforeCutOff(core, fetched) : fetched;
  core.documents.put(captured);
  scheduleAutomatic(core, captured);
  return announceDocument(core, captured);
}

function issuedByCompany(core: Core, companyId: string, accessKey: string): StoredDocument {
  const issuedOn = Date.parse(`20${accessKey.slice(36, 38)}-${accessKey.slice(38, 40)}-01T12:00:00Z`);
  if (!Number.isFinite(issuedOn))
    throw new Refusal('not_found', 'The national environment has no NFS-e with this key.');
  const ordinal = Number(accessKey.slice(23, 36));
  const invented = inventDocument(core, { family: 'nfse', companyId, ordinal, issuedOn, direction: 'outgoing' });
  return { ...invented, accessKey, id: uuidOf(`${companyId}:${accessKey}`) };
}

const ownKind = 'own-invoice';

/** §2, `outboundEnabled`: schedules the capture of an NF-e or NFS-e that the company itself issued. */
export function scheduleOwnInvoice(core: Core, id: string, at: number): void {
  const invoice = core.invoices.get(id);
  if (invoice === undefined || familyOf(invoice) === undefined || !isWanted(core, invoice)) return;
  core.work.schedule(ownKind, at + core.options.validationDelayMs, { id });
}

export function captureOwnInvoice(core: Core, payload: unknown, at: number): void {
  const id = isRecord(payload) ? payload['id'] : undefined;
  const invoice = typeof id === 'string' ? core.invoices.get(id) : undefined;
  const family = invoice && familyOf(invoice);
  if (invoice === undefined || family === undefined || !isWanted(core, invoice)) return;
  const { companyId, accessKey } = invoice;
  if (accessKey === null || core.documents.get(accessKey, companyId) !== undefined) return;
  if (spacedUntil(core, companyId, family) !== undefined) {
    return core.work.schedule(ownKind, core.clock.now() + hourMs, { id });
  }
  const { federalTaxNumber: recipientTaxNumber = '', name: recipientName = '' } = buyerOf(invoice);
  const captured = captureDocument(core, {
    ...documentOf(core, accessKey, invoice),
    ...{ family, id: uuidOf(`${companyId}:${accessKey}`) },
    ...{ recipientTaxNumber: String(recipientTaxNumber), recipientName },
    nsu: nextNsu(core, companyId, family),
    webhookStatus: 'Pending',
    visibility: 'listed',
    createdOn: at,
    modifiedOn: at,
  });
  announceDocument(core, captured);
}

function familyOf({ kind: model }: StoredInvoice): 'nfe' | 'nfse' | undefined {
  return model === 'nfe' || model === 'nfse' ? model : undefined;
}

/** A capture of NF-e covers one environment, if it is set. */
function isWanted(core: Core, invoice: StoredInvoice): boolean {
  const family = familyOf(invoice);
  const given = family && core.captures.settings(invoice.companyId, family)?.given;
  if (given?.['outboundEnabled'] !== true) return false;
  return [undefined, invoice.environment].includes(textOf(given['environmentSEFAZ']));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const eventCodes = {
  nfe: { Cancellation: 110111, CorrectionLetter: 110110 },
  nfse: { Cancellation: 101101, CorrectionLetter: undefined },
} as const;

/** Distributes an event of the issuer to every company that holds the note. */
export function distributeOwnEvent(core: Core, invoice: StoredInvoice, event: StoredIssuedEvent, at: number): void {
  const { accessKey } = invoice;
  const family = familyOf(invoice);
  const { type, sequence, reason } = event;
  const eventCode = family && eventCodes[family][type];
  if (family === undefined || eventCode === undefined || accessKey === null) return;
  const holders = core.documents.withKey(accessKey);
  if (type === 'Cancellation') {
    for (const document of holders) core.documents.put({ ...document, cancelled: true });
  }
  const detail = reason === null ? {} : { justification: reason };
  // The national environment numbers its documents instead of giving a protocol.
  const protocol = event.protocol ?? accessKey.slice(-9);
  const registered = { family, accessKey, eventCode, sequence, protocol };
  distributeEvent(core, { ...registered, author: null, detail, at });
}

/** An authorised NF-e that was issued in the sandbox. */
export function issuedNote(core: Core, accessKey: string): StoredInvoice | undefined {
  const invoice = core.invoices.byAccessKey(accessKey);
  return invoice?.kind === 'nfe' && invoice.issuedAt !== null ? invoice : undefined;
}

/** The note as a captured document. */
export function documentOf(core: Core, accessKey: string, invoice: StoredInvoice): StoredDocument {
  const { id, companyId, tenantId, totalAmount, cancelledAt, createdAt } = invoice;
  const issuedOn = invoice.issuedAt ?? createdAt;
  return {
    family: 'nfe',
    id,
    companyId,
    accessKey,
    issuerTaxNumber: accessKey.slice(6, 20),
    issuerName: core.companies.find(tenantId, companyId)?.name ?? accessKey.slice(6, 20),
    totalAmount,
    issuedOn,
    authorizedOn: issuedOn,
    cancelled: cancelledAt !== null,
    direction: 'outgoing',
    nsu: null,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'uncaptured',
    createdOn: createdAt,
    modifiedOn: invoice.modifiedAt,
    stage: 'full',
    ...usualNote,
    hostile: null,
  };
}

/** The recipient or taker, as in the body. */
export function buyerOf({ kind, content }: StoredInvoice): LookupParty {
  const named = content[kind === 'nfse' ? 'borrower' : 'buyer'];
  const buyer = isRecord(named) ? named : {};
  const taxNumber = taxNumberText(buyer['federalTaxNumber']);
  return {
    ...(taxNumber === undefined ? {} : { federalTaxNumber: taxNumber }),
    ...(typeof buyer['name'] === 'string' ? { name: buyer['name'] } : {}),
  };
}

const kinds = {
  Cancellation: { type: 110111, description: 'Cancelamento' },
  CorrectionLetter: { type: 110110, description: 'Carta de Correcao' },
} as const;

/** The accepted events of the issuer. */
export function issuedNoteEvents(core: Core, accessKey: string, { id }: StoredInvoice): readonly LookupNfeEvent[] {
  return core.invoiceEvents
    .of(id)
    .filter(({ status }) => status === 'Accepted')
    .map(({ type, sequence, protocol, createdAt }) => ({
      stateCode: Number(accessKey.slice(0, 2)),
      type: kinds[type].type,
      sequence,
      authorFederalTaxNumber: accessKey.slice(6, 20),
      id: `ID${kinds[type].type}${accessKey}${String(sequence).padStart(2, '0')}`,
      ...onlySet({ protocol }),
      authorizedOn: new Date(createdAt).toISOString(),
      description: kinds[type].description,
    }));
}
