import { invalid, unacceptable } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import { findJustificationFault } from './justification.js';
import { wholeNumber } from './shape.js';

const confirmation = 203202;
const refusal = 203206;
/** §4: valid values of `reasonCode`. */
const reasons: readonly number[] = [1, 2, 3, 4, 5, 9];
const otherReason = 9;

export interface NfseSubmissionBody {
  readonly eventCode: number;
  readonly reasonCode: number | null;
  readonly justification: string | null;
}

/** The event from the body or from the query, the public form. 400 for another event (§4 names no status: assumed). */
export function readNfseEventCode(body: unknown, query: URLSearchParams): number {
  const given = [fieldsOf(body)['eventCode'], query.get('eventCode') ?? undefined];
  const codes = given.filter((code) => code !== undefined && code !== null).map(wholeNumber);
  const [eventCode] = codes;
  if (eventCode !== confirmation && eventCode !== refusal) {
    throw invalid('eventCode', `Must be ${confirmation} or ${refusal}.`);
  }
  if (codes.some((code) => code !== eventCode)) {
    throw invalid('eventCode', 'Is not the same in the body and in the query.');
  }
  return eventCode;
}

/** 422 for a reason that is missing or none, and for a justification that does not fit (assumed; facts §2, E1949). */
export function readNfseSubmission(body: unknown, eventCode: number): NfseSubmissionBody {
  const { reasonCode, justification } = fieldsOf(body);
  const reason = readReason(reasonCode ?? undefined, eventCode);
  if (justification === undefined || justification === null) {
    if (reason === otherReason) throw unacceptable('justification', 'Is required for the reason 9.');
    return { eventCode, reasonCode: reason, justification: null };
  }
  const fault = findJustificationFault(justification);
  if (fault !== null) throw unacceptable('justification', fault);
  return { eventCode, reasonCode: reason, justification: String(justification) };
}

function readReason(value: unknown, eventCode: number): number | null {
  if (eventCode === confirmation) {
    if (value !== undefined) throw unacceptable('reasonCode', 'Does not belong to a confirmation.');
    return null;
  }
  const reason = wholeNumber(value);
  if (reason !== undefined && reasons.includes(reason)) return reason;
  throw unacceptable('reasonCode', `Must be one of: ${reasons.join(', ')}.`);
}

/** No body at all is no fields: the event may stand in the query alone. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (!isRecord(body)) throw invalid('', 'Must be an object.');
  return body;
}
