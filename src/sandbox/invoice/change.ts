import type { StoredInvoiceOutcome } from '../core/rules.js';
import type { StoredIssuedEvent } from '../core/records.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal, unacceptable } from '../core/refusal.js';
import { distributeOwnEvent } from '../inbound/own-invoices.js';
import { isRecord } from '../product/read-product.js';
import { announceInvoice } from '../webhook/announce.js';
import { issueRejection, protocolOf } from './advance.js';
import type { StoredInvoice } from './invoices.js';

const changing = 'invoice-event';
const shortest = 15;
const mostCorrections = 20;
const hourMs = 3_600_000;
/** Ajuste SINIEF 07/05 and 19/16: 24 hours for a product invoice, 30 minutes for a consumer invoice. */
const cancellationTermsMs: Readonly<Record<string, number>> = { nfe: 24 * hourMs, nfce: hourMs / 2 };

/** Accepts a cancellation of an issued invoice, one at a time (409). It completes in the background. */
export function startCancellation(
  core: Core,
  invoice: StoredInvoice,
  reason: string | undefined,
): StoredIssuedEvent {
  const given = reason === undefined ? null : readReason(reason, 'reason', 255);
  if (
    !['Issued', 'IssuedContingency', 'CancelFailed'].includes(invoice.status) ||
    isChanging(core, invoice)
  ) {
    throw new Refusal('conflict', `The invoice is ${invoice.status} and cannot be cancelled now.`);
  }
  const event = start(core, invoice, { type: 'Cancellation', sequence: 1, reason: given });
  if (invoice.kind === 'nfse') {
    core.invoices.change(invoice.id, { status: 'WaitingSendCancel', modifiedAt: core.clock.now() });
  }
  return event;
}

/** Accepts a correction letter of an issued NF-e, at most 20; the last one counts. */
export function startCorrection(core: Core, invoice: StoredInvoice, body: unknown): StoredIssuedEvent {
  const reason = readReason(isRecord(body) ? body['reason'] : undefined, 'reason', 1_000);
  if (!['Issued', 'IssuedContingency'].includes(invoice.status) || isChanging(core, invoice)) {
    throw new Refusal('conflict', `The invoice is ${invoice.status} and cannot be corrected now.`);
  }
  const letters = core.invoiceEvents
    .of(invoice.id)
    .filter((event) => event.type === 'CorrectionLetter' && event.status !== 'Rejected');
  if (letters.length >= mostCorrections) {
    throw unacceptable('reason', `An invoice can have at most ${mostCorrections} correction letters.`);
  }
  return start(core, invoice, { type: 'CorrectionLetter', sequence: letters.length + 1, reason });
}

export function readReason(value: unknown, field: string, longest: number): string {
  if (typeof value !== 'string' || value.trim().length < shortest || value.length > longest) {
    throw invalid(field, `Must have ${shortest} to ${longest} characters.`);
  }
  return value;
}

/** A pending cancellation blocks other changes. */
function isChanging(core: Core, { id }: StoredInvoice): boolean {
  return core.invoiceEvents
    .of(id)
    .some((event) => event.type === 'Cancellation' && event.status === 'Pending');
}

function start(
  core: Core,
  { id }: StoredInvoice,
  event: Pick<StoredIssuedEvent, 'type' | 'sequence' | 'reason'>,
): StoredIssuedEvent {
  const now = core.clock.now();
  const added = core.invoiceEvents.add({ invoiceId: id, ...event, createdAt: now });
  core.work.schedule(changing, now + core.options.validationDelayMs, { id, ordinal: added.ordinal });
  return added;
}

/** Completes the event with the answer of the authority, when it is due. */
export function endChange(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload) || typeof payload['id'] !== 'string') return;
  const { id, ordinal, delayedBy } = payload;
  const invoice = core.invoices.get(id);
  const event = core.invoiceEvents.of(id).find((each) => each.ordinal === ordinal);
  if (invoice === undefined || event?.status !== 'Pending') return;
  if (event.type === 'CorrectionLetter') return accept(core, invoice, { event, at });
  const outcome =
    typeof delayedBy === 'number'
      ? core.invoiceOutcomes.get(delayedBy)
      : core.invoiceOutcomes.strike('cancel', invoice);
  if (delayedBy === undefined && outcome?.delayMs !== undefined) {
    const later = { id, ordinal, delayedBy: outcome.outcomeId };
    return core.work.schedule(changing, at + outcome.delayMs, later);
  }
  endCancellation(core, invoice, { event, at, outcome });
}

interface Ended {
  readonly event: StoredIssuedEvent;
  readonly at: number;
}

function endCancellation(
  core: Core,
  invoice: StoredInvoice,
  { event, at, outcome }: Ended & { readonly outcome: StoredInvoiceOutcome | undefined },
): void {
  if (outcome?.outcome === 'cancel-pending') return;
  const isRefused = outcome?.outcome === 'cancel-failed' || (outcome === undefined && isLate(invoice, event));
  if (!isRefused) {
    core.invoices.change(invoice.id, {
      status: 'Cancelled',
      cancelledAt: at,
      modifiedAt: at,
      errorCode: null,
      errorMessage: null,
    });
    accept(core, invoice, { event, at });
    return announceInvoice(core, invoice.id, { ending: 'cancelled_successfully', at });
  }
  const { code, message } = issueRejection(outcome === undefined ? '501' : '999');
  const refusal = { errorCode: outcome?.code ?? code, errorMessage: outcome?.message ?? message };
  core.invoiceEvents.end(event, { status: 'Rejected', protocol: null, ...refusal });
  const status = invoice.kind === 'nfse' ? 'CancelFailed' : invoice.status;
  core.invoices.change(invoice.id, { status, modifiedAt: at, ...refusal });
  announceInvoice(core, invoice.id, { ending: 'cancelled_error', at });
}

function isLate({ kind, issuedAt }: StoredInvoice, event: StoredIssuedEvent): boolean {
  const termMs = cancellationTermsMs[kind];
  return termMs !== undefined && issuedAt !== null && event.createdAt > issuedAt + termMs;
}

function accept(core: Core, invoice: StoredInvoice, { event, at }: Ended): void {
  const key = invoice.accessKey ?? '';
  const protocol = invoice.kind === 'nfse' ? null : nextProtocol(protocolOf(key, at), event.ordinal);
  core.invoiceEvents.end(event, {
    status: 'Accepted',
    protocol,
    errorCode: null,
    errorMessage: null,
  });
  distributeOwnEvent(core, invoice, { ...event, protocol }, at);
}

/** A unique protocol for each event. */
function nextProtocol(protocol: string, ordinal: number): string {
  return `${protocol.slice(0, -3)}${String((Number(protocol.slice(-3)) + ordinal) % 1_000).padStart(3, '0')}`;
}
