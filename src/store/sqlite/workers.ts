import { wholeMs } from '../row.js';
import type { WorkerRows } from '../store.js';
import { toWorker, workerColumns, type WorkerRecord } from '../worker-columns.js';
import type { Connection } from './connection.js';

export function createWorkerRows({ statement, read, write }: Connection): WorkerRows {
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO workers (id, pid, machine, process_start, expires_at, job_id)
     VALUES (@id, @pid, @machine, @processStart, @expiresAt, @jobId)`,
  );
  const extend = statement<[number, string]>('UPDATE workers SET expires_at = ? WHERE id = ?');
  const all = statement<[], WorkerRecord>(`SELECT ${workerColumns} FROM workers ORDER BY id`);
  const free = statement<[string]>('UPDATE items SET worker_id = NULL WHERE worker_id = ?');
  const remove = statement<[string]>('DELETE FROM workers WHERE id = ?');

  return {
    register: ({ jobId, expiresAt, ...worker }) =>
      write(() => void insert().run({ ...worker, jobId: jobId ?? null, expiresAt: wholeMs(expiresAt) })),
    renew: (workerId, expiresAt) => write(() => extend().run(wholeMs(expiresAt), workerId).changes === 1),
    list: () => read(() => all().all().map(toWorker)),
    remove: (workerId) =>
      write(() => {
        free().run(workerId);
        remove().run(workerId);
      }),
  };
}
