import { present } from '../domain/record.js';
import { wholeMs } from './row.js';
import { type Db, run, serverMs, sql, t, words } from './sql.js';
import type { WorkerRow, WorkerRows } from './store.js';

export const workerColumns = words(
  'id, pid, machine, process_start AS "processStart", expires_at AS "expiresAt", job_id AS "jobId"',
);

export type WorkerRecord = Omit<WorkerRow, 'jobId'> & { readonly jobId: string | null };

export function toWorker(record: WorkerRecord): WorkerRow {
  return present(record);
}

interface Renewed {
  readonly serverMs: number;
}

export type Renewing = (ask: () => Promise<Renewed | undefined>) => Promise<Renewed | undefined>;

/** @param renewing reads the server's time, by which every lease is counted, from the answer of a renewal */
export function createWorkerRows(db: Db, renewing: Renewing = (ask) => ask()): WorkerRows {
  return {
    register: async ({ id, pid, machine, processStart, expiresAt, jobId }) =>
      void (await db.run(
        sql`INSERT INTO ${t.workers} (id, pid, machine, process_start, expires_at, job_id)
          VALUES (${id}, ${pid}, ${machine}, ${processStart}, ${wholeMs(expiresAt)}, ${jobId}) ON CONFLICT (id) DO NOTHING`,
        { repeatable: true },
      )),
    async renew(id, expiresAt) {
      const renewed = await renewing(async () => {
        const [row] = await db.change<Renewed>(
          sql`UPDATE ${t.workers} SET expires_at = ${wholeMs(expiresAt)} WHERE id = ${id} RETURNING ${serverMs} AS "serverMs"`,
          undefined,
          { repeatable: true },
        );
        return row;
      });
      return renewed !== undefined;
    },
    list: () => db.all(sql`SELECT ${workerColumns} FROM ${t.workers} ORDER BY id`, toWorker),
    remove: (id) =>
      db.together(
        function* () {
          yield* run(sql`UPDATE ${t.items} SET worker_id = NULL WHERE worker_id = ${id}`);
          yield* run(sql`DELETE FROM ${t.workers} WHERE id = ${id}`);
        },
        { repeatable: true },
      ),
  };
}
