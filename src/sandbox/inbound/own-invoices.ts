import type { StoredIssuedEvent } from '../core/records.js';
import type { Core } from '../core/core.js';
import { uuidOf } from '../core/chance.js';
import { nextNsu } from '../document/invent-document.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { spacedUntil } from '../maintenance/spacing.js';
import { isRecord } from '../product/read-product.js';
import { announceDocument } from '../webhook/announce.js';
import { captureDocument } from './capture.js';
import { buyerOf, documentOf } from '../registry/issued-note.js';
import { distributeEvent } from './distribution.js';

const kind = 'own-invoice';
const hourMs = 3_600_000;

/** §2, `outboundEnabled`: schedules the capture of an NF-e or NFS-e that the company itself issued. */
export function scheduleOwnInvoice(core: Core, id: string, at: number): void {
  const invoice = core.invoices.get(id);
  if (invoice === undefined || familyOf(invoice) === undefined || !isWanted(core, invoice)) return;
  core.work.schedule(kind, at + core.options.validationDelayMs, { id });
}

export function captureOwnInvoice(core: Core, payload: unknown, at: number): void {
  const id = isRecord(payload) ? payload['id'] : undefined;
  const invoice = typeof id === 'string' ? core.invoices.get(id) : undefined;
  const family = invoice && familyOf(invoice);
  if (invoice === undefined || family === undefined || !isWanted(core, invoice)) return;
  const { companyId, accessKey } = invoice;
  if (accessKey === null || core.documents.get(accessKey, companyId) !== undefined) return;
  if (spacedUntil(core, companyId, family) !== undefined) {
    return core.work.schedule(kind, core.clock.now() + hourMs, { id });
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
export function distributeOwnEvent(
  core: Core,
  invoice: StoredInvoice,
  event: StoredIssuedEvent,
  at: number,
): void {
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
