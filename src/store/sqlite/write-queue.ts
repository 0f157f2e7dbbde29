import type { Database } from 'better-sqlite3';
import { isBusy } from './failures.js';

/** How often a locked store is tried, and the pause between: some 15 seconds with the connection's own 10 ms. */
export const lockAttempts = 750;
export const lockPauseMs = 10;

/** Writes in one transaction, so that a flood does not hold the event loop. */
const batchSize = 1_000;

export interface WriteQueue {
  /**
   * Runs `work` inside a transaction shared with the other writes of the same turn of the event loop;
   * resolves after the commit. `durable: false` spares the wait for the disk where nothing was promised.
   */
  add<Result>(work: () => Result, options?: { readonly durable: boolean }): Promise<Result>;
}

interface Waiting {
  /** Does the work and returns how to tell its result once it is committed. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
  readonly durable: boolean;
  attempts: number;
}

/**
 * Group commit: waiting for the disk is the price of a transaction, not of a row, so sixteen items that move
 * at once pay it once. Each write stands in a savepoint: one that fails takes no other with it.
 */
export function createWriteQueue(database: Database, explain: (error: unknown) => unknown): WriteQueue {
  let queue: Waiting[] = [];
  let scheduled = false;
  let synchronous = '';

  function schedule(afterMs: number): void {
    if (scheduled) return;
    scheduled = true;
    if (afterMs === 0) setImmediate(flush);
    else setTimeout(flush, afterMs);
  }

  function flush(): void {
    scheduled = false;
    const batch = queue.slice(0, batchSize);
    try {
      begin(batch.some((write) => write.durable));
    } catch (error) {
      postpone(batch, error);
      return;
    }
    queue = queue.slice(batch.length);
    for (const tell of commit(batch)) tell();
    if (queue.length > 0) schedule(0);
  }

  function begin(durable: boolean): void {
    const wanted = durable ? 'FULL' : 'NORMAL';
    if (synchronous !== wanted) database.pragma(`synchronous = ${wanted}`);
    synchronous = wanted;
    database.exec('BEGIN IMMEDIATE');
  }

  function postpone(batch: readonly Waiting[], error: unknown): void {
    for (const write of batch) write.attempts += 1;
    const given = batch.filter((write) => !isBusy(error) || write.attempts >= lockAttempts);
    queue = queue.filter((write) => !given.includes(write));
    for (const write of given) write.reject(explain(error));
    if (queue.length > 0) schedule(lockPauseMs);
  }

  function commit(batch: readonly Waiting[]): readonly (() => void)[] {
    try {
      const tellings = batch.map((write) => inSavepoint(write));
      database.exec('COMMIT');
      return tellings;
    } catch (error) {
      // Nothing of this batch is on the disk: SQLite has rolled back, or does so here.
      if (database.inTransaction) database.exec('ROLLBACK');
      return batch.map((write) => () => write.reject(explain(error)));
    }
  }

  function inSavepoint(write: Waiting): () => void {
    database.exec('SAVEPOINT one');
    try {
      const tell = write.run();
      database.exec('RELEASE one');
      return tell;
    } catch (error) {
      // A full disk may have ended the whole transaction: then no write of the batch has happened.
      if (!database.inTransaction) throw error;
      database.exec('ROLLBACK TO one');
      database.exec('RELEASE one');
      return () => write.reject(explain(error));
    }
  }

  return {
    add: (work, options) =>
      new Promise((resolve, reject) => {
        const run = () => {
          const result = work();
          return () => resolve(result);
        };
        queue.push({ run, reject, durable: options?.durable ?? true, attempts: 0 });
        schedule(0);
      }),
  };
}
