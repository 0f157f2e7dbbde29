import { invalid } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import { requireAcceptedCode, requireFittingDetail } from './nfe-details.js';

export interface NfeSubmissionBody {
  readonly eventCode: number;
  readonly sequence: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** §4, checks 2, 3 and 4, in their order. A `detail` that is left out, or null (§1), is an empty one. */
export function readNfeSubmission(body: unknown): NfeSubmissionBody {
  if (!isRecord(body)) throw invalid('', 'Must be an object.');
  const { nSequencia: sequence, eventCode } = body;
  const detail = body['detail'] ?? {};
  if (!isWhole(sequence) || sequence < 1) throw invalid('nSequencia', 'Must be an integer of at least 1.');
  if (!isWhole(eventCode)) throw invalid('eventCode', 'Must be an integer.');
  requireAcceptedCode(eventCode);
  if (!isRecord(detail)) throw invalid('detail', 'Must be an object.');
  requireFittingDetail(eventCode, detail);
  return { eventCode, sequence, detail };
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
