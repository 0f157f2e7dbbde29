import { checkInvoiceKey } from '../../domain/access-key.js';
import { monthOfDay, monthOfKey, rowDay } from '../../domain/document-date.js';
import { codeInWords, codeOfListed } from '../../domain/event-codes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { createdTime, modifiedTime } from '../../domain/row-times.js';
import { decisionOn } from '../../jobs/kinds/invoice-events.js';
import { observeInvoice, statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { keyTextIn, MAX_TEXT, type Mutable, put, textIn } from '../sync/columns.js';
import type { IssuedModel } from './book.js';
import type { SeenDocument, SeenEvent } from '../../store/documents.js';

/** The columns of an issued invoice out of its row in the list, which is not trusted. `undefined`: it has no id. */
export function seenInvoice(model: IssuedModel, raw: unknown): SeenDocument | undefined {
  const id = textIn(raw, 'id');
  if (id === undefined) return undefined;
  const authorization = fieldOf(raw, 'authorization');
  const party = fieldOf(raw, 'buyer') ?? fieldOf(raw, 'borrower');
  const totals = fieldOf(fieldOf(raw, 'totals'), 'icms');
  const receivedOn = textIn(authorization, 'receiptOn');
  const seen: Mutable<SeenDocument> = { id, type: model, data: raw };
  const accessKey = keyTextIn(authorization, 'accessKey') ?? keyTextIn(raw, 'accessKey');
  const dated = textIn(raw, 'issuedOn') ?? receivedOn ?? createdTime(raw)?.slice(0, MAX_TEXT);
  put(seen, 'accessKey', accessKey);
  put(seen, 'status', statusOfInvoice(raw)?.slice(0, MAX_TEXT));
  put(seen, 'recipient', textIn(party, 'federalTaxNumber'));
  put(seen, 'amountText', textIn(totals, 'invoiceAmount') ?? textIn(raw, 'servicesAmount'));
  put(seen, 'issuedOn', model === 'nfse' || isOfKey(dated, accessKey) ? dated : undefined);
  put(seen, 'authorizedOn', receivedOn);
  put(seen, 'createdOn', createdTime(raw)?.slice(0, MAX_TEXT));
  put(seen, 'modifiedOn', modifiedTime(raw)?.slice(0, MAX_TEXT));
  return seen;
}

/**
 * The time of the authorization or of the record may be in another month than the issue, as of an invoice in contingency: it is no date
 * of issue then, and the month of the access key holds.
 */
function isOfKey(dated: string | undefined, accessKey = ''): boolean {
  const month = checkInvoiceKey(accessKey).valid ? monthOfKey(accessKey) : undefined;
  const day = rowDay(dated, month);
  return day === undefined || month === undefined || monthOfDay(day) === month;
}

/** Whether the state of an invoice can be relied on: while it is being issued, nothing is downloaded. */
export type Finality = 'issued' | 'refused' | 'not-final';

export function finalityOf(status: string | undefined): Finality {
  const { state } = observeInvoice({ status });
  if (state === 'succeeded') return 'issued';
  return state === 'rejected' ? 'refused' : 'not-final';
}

/** An event that the authority registered; `undefined` for one that it refused or has not decided. */
export function seenIssuedEvent(documentId: string, raw: unknown, position: number): SeenEvent | undefined {
  if (!isRecord(raw) || decisionOn(raw) !== 'registered') return undefined;
  const type = textIn(raw, 'type') ?? 'event';
  const sequence = textIn(raw, 'sequence') ?? String(position);
  const eventKey = `${type}-${sequence}`;
  const seen: Mutable<SeenEvent> = { eventKey, documentId, type };
  const code = codeOfType(type);
  if (code !== undefined) seen.facts = { code, sequence: /^\d{1,3}$/.test(sequence) ? Number(sequence) : position };
  put(seen, 'description', textIn(raw, 'description'));
  put(seen, 'issuedOn', textIn(raw, 'createdOn'));
  put(seen, 'createdOn', textIn(raw, 'createdOn'));
  return seen;
}

/** The service names the types of its own events in words. `undefined`: another one. */
function codeOfType(type: string): number | undefined {
  return (codeOfListed({ eventKey: '', type }) ?? codeInWords({ description: type }))?.code;
}

/** `Carta de Correção`. */
const LETTER = 110110;

/** The sequence of a correction letter; `undefined` for any other event. */
export function letterSequence({ eventKey, type = '' }: SeenEvent): number | undefined {
  if (codeOfType(type) !== LETTER) return undefined;
  return Number(/-(\d{1,3})$/.exec(eventKey)?.[1]);
}
