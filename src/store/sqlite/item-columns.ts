import type { FirstLook, ItemRow, ItemState } from '../store.js';
import { fromJson, present } from './row.js';

/** An item as its columns hold it. */
export interface ItemRecord {
  readonly id: string;
  readonly jobId: string;
  readonly ordinal: number;
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: string;
  readonly billed: number;
  readonly state: ItemState;
  readonly idempotencyKey: string;
  readonly attempts: number;
  readonly resourceId: string | null;
  readonly location: string | null;
  readonly remoteStatus: string | null;
  readonly requestId: string | null;
  readonly httpStatus: number | null;
  readonly answeredCompany: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly lookup: FirstLook | null;
  readonly previousId: string | null;
  readonly duplicateOf: string | null;
  readonly dueAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
  readonly updatedAt: number;
  readonly epoch: number;
  readonly workerId: string | null;
}

export const itemColumns = `id, job_id AS jobId, ordinal, label, dedupe_key AS dedupeKey, input, billed, state,
  idempotency_key AS idempotencyKey, attempts, resource_id AS resourceId, location, remote_status AS remoteStatus,
  request_id AS requestId, http_status AS httpStatus, answered_company AS answeredCompany, error_code AS errorCode, error_message AS errorMessage,
  lookup, previous_id AS previousId, duplicate_of AS duplicateOf, due_at AS dueAt, sent_at AS sentAt,
  settled_at AS settledAt, updated_at AS updatedAt, epoch, worker_id AS workerId`;

export function toItem(record: ItemRecord): ItemRow {
  return present({ ...record, input: fromJson(record.input), billed: record.billed === 1 });
}
