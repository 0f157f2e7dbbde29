import type { Disablement } from '../../contract/invoice.js';
import { type Report, all, object, oneOf, readBody, text, whole } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import type { InvoiceKind, StoredIssuedEvent } from '../core/records.js';
import { Refusal, invalid, unacceptable } from '../core/refusal.js';
import type { StoredInvoiceOutcome } from '../core/rules.js';
import { distributeOwnEvent } from '../inbound/capture.js';
import { states } from '../product/vocabulary.js';
import { announceInvoice } from '../webhook/announce.js';
import type { StoredInvoice } from './invoices.js';
import { issueRejection, protocolOf } from './issue.js';
import { environments } from './read-invoice.js';

const changing = 'invoice-event';
const shortest = 15;
const mostCorrections = 20;
const hourMs = 3_600_000;
/** Ajuste SINIEF 07/05 and 19/16: 24 hours for a product invoice, 30 minutes for a consumer invoice. */
const cancellationTermsMs: Readonly<Record<string, number>> = { nfe: 24 * hourMs, nfce: hourMs / 2 };

/** Accepts a cancellation of an issued invoice, one at a time (409). It completes in the background. */
export function startCancellation(core: Core, invoice: StoredInvoice, reason: string | undefined): StoredIssuedEvent {
  const given = reason === undefined ? null : readReason(reason, 'reason', 255);
  if (!['Issued', 'IssuedContingency', 'CancelFailed'].includes(invoice.status) || isChanging(core, invoice)) {
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
  return core.invoiceEvents.of(id).some((event) => event.type === 'Cancellation' && event.status === 'Pending');
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
  core.invoiceEvents.end(event, { status: 'Accepted', protocol, errorCode: null, errorMessage: null });
  distributeOwnEvent(core, invoice, { ...event, protocol }, at);
}

/** A unique protocol for each event. */
function nextProtocol(protocol: string, ordinal: number): string {
  return `${protocol.slice(0, -3)}${String((Number(protocol.slice(-3)) + ordinal) % 1_000).padStart(3, '0')}`;
}

const highestNumber = 999_999_999;
/** The layout allows no more numbers at once. */
const mostNumbers = 10_000;

const check = all(
  object({
    required: {
      environment: oneOf(environments),
      serie: whole(0, 969),
      state: oneOf(states),
      beginNumber: whole(1, highestNumber),
      lastNumber: whole(1, highestNumber),
      reason: text(255),
    },
  }),
  range,
);

function range(value: unknown, _path: string, report: Report): void {
  const [begin, last] = isRecord(value) ? [Number(value['beginNumber']), Number(value['lastNumber'])] : [];
  if (begin === undefined || last === undefined) return;
  if (last < begin) report.push({ field: 'lastNumber', message: 'Must not be before beginNumber.' });
  if (last - begin >= mostNumbers) {
    report.push({ field: 'lastNumber', message: `At most ${mostNumbers} numbers can be disabled at once.` });
  }
}

interface DisablementRequest {
  readonly companyId: string;
  readonly kind: Extract<InvoiceKind, 'nfe' | 'nfce'>;
  readonly body: unknown;
}

/** Disables a range of numbers. Throws 409 if one of them is issued or already disabled, also by the same request. */
export function disableNumbers(core: Core, { companyId, kind, body }: DisablementRequest): Disablement {
  const fields = readBody(body, check, 'invoice');
  const reason = readReason(fields['reason'], 'reason', 255);
  const [serie, from, to] = ['serie', 'beginNumber', 'lastNumber'].map((name) => Number(fields[name]));
  const environment = String(fields['environment']);
  const state = String(fields['state']);
  if (serie === undefined || from === undefined || to === undefined) throw taken('is not there');
  const space = { companyId, kind, environment, serie };
  if (core.invoices.countNumbers(space, from, to) > 0) throw taken('is issued');
  if (core.disablements.overlapping(space, from, to) !== undefined) throw taken('is disabled already');
  const protocol = disablementProtocol(core, from);
  core.disablements.add({ ...space, beginNumber: from, lastNumber: to, protocol });
  return { environment, serie, state, beginNumber: from, lastNumber: to, reason, status: 'Disabled', protocol };
}

/** Disables the number of an invoice that failed (public). Throws 409 for any other, and for one that has no number. */
export function disableFailed(
  core: Core,
  invoice: StoredInvoice & { readonly kind: 'nfe' },
  reason: string | null,
): void {
  if (reason !== null) readReason(reason, 'reason', 255);
  const { id, companyId, kind, environment, status, serie, content } = invoice;
  const number = invoice.number ?? content['number'];
  if (status !== 'Error') throw new Refusal('conflict', `The invoice is ${status}: its number stays.`);
  if (typeof number !== 'number') throw new Refusal('conflict', 'The invoice has no number.');
  const given = serie ?? content['serie'];
  const space = { companyId, kind, environment, serie: typeof given === 'number' ? given : 1 };
  if (core.invoices.countNumbers(space, number, number) > 0) throw taken('is issued');
  if (core.disablements.overlapping(space, number, number) !== undefined) throw taken('is disabled already');
  const protocol = disablementProtocol(core, number);
  core.disablements.add({ ...space, beginNumber: number, lastNumber: number, protocol });
  const disabled = { status: 'Disabled', serie: space.serie, number, protocol };
  core.invoices.change(id, { ...disabled, modifiedAt: core.clock.now() });
}

function taken(why: string): Refusal {
  return new Refusal('conflict', `A number of the range ${why}.`, {
    details: [{ field: 'beginNumber', message: `A number of the range ${why}.` }],
  });
}

/** 15 digits, like all protocols of an authority. */
function disablementProtocol(core: Core, number: number): string {
  const year = new Date(core.clock.now()).getUTCFullYear() % 100;
  return `135${String(year).padStart(2, '0')}${String(number).padStart(10, '0')}`;
}
