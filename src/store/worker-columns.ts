import { presentColumns } from './row.js';
import type { WorkerRow } from './store.js';

export const workerColumns =
  'id, pid, machine, process_start AS "processStart", expires_at AS "expiresAt", job_id AS "jobId"';

export type WorkerRecord = Omit<WorkerRow, 'jobId'> & { readonly jobId: string | null };

export function toWorker(record: WorkerRecord): WorkerRow {
  return presentColumns(record);
}
