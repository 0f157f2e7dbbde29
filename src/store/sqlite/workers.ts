import type { WorkerRow, WorkerRows } from '../store.js';
import type { Connection } from './connection.js';
import { wholeMs } from './row.js';

export const workerColumns = 'id, pid, machine, process_start AS processStart, expires_at AS expiresAt';

export function createWorkerRows({ statement, read, write }: Connection): WorkerRows {
  const insert = statement<[WorkerRow]>(
    `INSERT INTO workers (id, pid, machine, process_start, expires_at)
     VALUES (@id, @pid, @machine, @processStart, @expiresAt)`,
  );
  const extend = statement<[number, string]>('UPDATE workers SET expires_at = ? WHERE id = ?');
  const all = statement<[], WorkerRow>(`SELECT ${workerColumns} FROM workers ORDER BY id`);
  const free = statement<[string]>('UPDATE items SET worker_id = NULL WHERE worker_id = ?');
  const remove = statement<[string]>('DELETE FROM workers WHERE id = ?');

  return {
    register: (worker) => write(() => void insert().run({ ...worker, expiresAt: wholeMs(worker.expiresAt) })),
    renew: (workerId, expiresAt) => write(() => extend().run(wholeMs(expiresAt), workerId).changes === 1),
    list: () => read(() => all().all()),
    remove: (workerId) =>
      write(() => {
        free().run(workerId);
        remove().run(workerId);
      }),
  };
}
