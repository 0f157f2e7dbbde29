import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { isBusy, storeFailure } from './failures.js';
import { lockAttempts, lockPauseMs, WriteQueue, type Write } from './write-queue.js';

/** What the tables share: one open file, its statements, its reads and its queue of writes. */
export interface Connection {
  /** A statement that is prepared when it is first used, and then kept. */
  statement<Parameters extends unknown[], Row = unknown>(sql: string): () => Statement<Parameters, Row>;
  read<Result>(work: () => Result): Promise<Result>;
  readonly write: Write;
  close(): Promise<void>;
}

export function createConnection(database: Database, path: string): Connection {
  const explain = (error: unknown) => storeFailure(error, path);
  const queue = new WriteQueue(database, explain);

  return {
    statement<Parameters extends unknown[], Row>(sql: string) {
      let prepared: Statement<Parameters, Row> | undefined;
      return () => {
        prepared ??= database.prepare<Parameters, Row>(sql);
        return prepared;
      };
    },
    read: async (work) => await whenFree(work, explain),
    write: (work, options) => queue.add(work, options),
    async close() {
      // Writes are answered in order: when this one is, all before it are.
      await queue.add(() => undefined, { durable: false }).catch(() => undefined);
      database.close();
    },
  };
}

/** Tries again while another connection is in the way, leaving the event loop free between. */
export async function whenFree<Result>(
  work: () => Result,
  explain: (error: unknown) => Error,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt >= lockAttempts) throw explain(error);
    }
    await pause(lockPauseMs);
  }
}
