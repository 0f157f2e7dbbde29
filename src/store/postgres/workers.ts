import { wholeMs } from '../row.js';
import type { WorkerRows } from '../store.js';
import { toWorker, workerColumns, type WorkerRecord } from '../worker-columns.js';
import type { Connection } from './connection.js';
import { serverNow, type ServerClock } from './store-clock.js';

/** A renewal also asks for the server's time, by which every lease is counted. */
export function createWorkerRows({ all, repeatable }: Connection, clock: ServerClock): WorkerRows {
  return {
    async register({ jobId, expiresAt, ...worker }) {
      await repeatable.run(
        `INSERT INTO fiscal.workers (id, pid, machine, process_start, expires_at, job_id)
         VALUES (@id, @pid, @machine, @processStart, @expiresAt, @jobId) ON CONFLICT (id) DO NOTHING`,
        { ...worker, jobId, expiresAt: wholeMs(expiresAt) },
      );
    },
    async renew(id, expiresAt) {
      const renewed = await clock.reading(() =>
        repeatable.get<{ serverMs: number }>(
          `UPDATE fiscal.workers SET expires_at = @expiresAt WHERE id = @id RETURNING ${serverNow} AS "serverMs"`,
          { id, expiresAt: wholeMs(expiresAt) },
        ),
      );
      return renewed !== undefined;
    },
    list: async () =>
      (await all<WorkerRecord>(`SELECT ${workerColumns} FROM fiscal.workers ORDER BY id`)).map(toWorker),
    remove: (id) =>
      repeatable.together(async (queries) => {
        await queries.run('UPDATE fiscal.items SET worker_id = NULL WHERE worker_id = @id', { id });
        await queries.run('DELETE FROM fiscal.workers WHERE id = @id', { id });
      }),
  };
}
