import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { isBusy, storeFailure } from './failures.js';

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

/** How often a locked store is tried, and the pause between: some 15 seconds with the connection's own 10 ms. */
const lockAttempts = 750;
const lockPauseMs = 10;

/** Writes in one transaction, so that a flood does not hold the event loop. */
const batchSize = 1_000;

/** So many that wait for the disk at once are many senders: more of them are on their way, and a moment's patience spares a wait. */
const manyDurable = 32;
const patienceMs = 3;

/**
 * Runs `work` inside a transaction shared with the other writes of the same turn of the event loop;
 * resolves after the commit. `durable: false` spares the wait for the disk where nothing was promised.
 */
type Write = <Result>(work: () => Result, options?: { readonly durable: boolean }) => Promise<Result>;

interface Waiting {
  /** Does the work and returns how to tell its result once it is committed. */
  readonly run: () => () => void;
  readonly reject: (error: Error) => void;
  readonly durable: boolean;
  attempts: number;
}

/**
 * Group commit: waiting for the disk is the price of a transaction, not of a row, so sixteen items that move
 * at once pay it once. Among others a write stands in a savepoint: one that fails takes no other with it.
 */
export class WriteQueue {
  readonly #database: Database;
  readonly #explain: (error: unknown) => Error;
  readonly #savepoint: Readonly<Record<'set' | 'release', Statement>>;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #synchronous = '';

  constructor(database: Database, explain: (error: unknown) => Error) {
    this.#database = database;
    this.#explain = explain;
    // Prepared once: to read them anew for every write would cost more than many a write.
    this.#savepoint = { set: database.prepare('SAVEPOINT one'), release: database.prepare('RELEASE one') };
  }

  async add<Result>(work: () => Result, options?: { readonly durable: boolean }): Promise<Result> {
    return await new Promise((resolve, reject) => {
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      this.#waiting.push({ run, reject, durable: options?.durable ?? true, attempts: 0 });
      this.#schedule(0);
    });
  }

  #schedule(afterMs: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (afterMs === 0) setImmediate(() => this.#gather());
    else setTimeout(() => this.#flush(), afterMs);
  }

  /** A few go at once; to a crowd, whoever comes within a moment is added. */
  #gather(): void {
    const isCrowd = this.#waiting.length < batchSize && this.#durableCount() >= manyDurable;
    if (isCrowd) setTimeout(() => this.#flush(), patienceMs);
    else this.#flush();
  }

  #durableCount(): number {
    return this.#waiting.reduce((count, { durable }) => count + Number(durable), 0);
  }

  #flush(): void {
    this.#isScheduled = false;
    const batch = this.#waiting.slice(0, batchSize);
    try {
      this.#begin(batch.some((write) => write.durable));
    } catch (error) {
      this.#postpone(batch, error);
      return;
    }
    this.#waiting = this.#waiting.slice(batch.length);
    for (const tell of this.#commit(batch)) tell();
    if (this.#waiting.length > 0) this.#schedule(0);
  }

  #begin(durable: boolean): void {
    const wanted = durable ? 'FULL' : 'NORMAL';
    if (this.#synchronous !== wanted) this.#database.pragma(`synchronous = ${wanted}`);
    this.#synchronous = wanted;
    this.#database.exec('BEGIN IMMEDIATE');
  }

  /** Another process writes: the batch stays in the queue, until its patience ends. */
  #postpone(batch: readonly Waiting[], error: unknown): void {
    for (const write of batch) write.attempts += 1;
    const given = new Set(batch.filter((write) => !isBusy(error) || write.attempts >= lockAttempts));
    this.#waiting = this.#waiting.filter((write) => !given.has(write));
    for (const write of given) write.reject(this.#explain(error));
    if (this.#waiting.length > 0) this.#schedule(lockPauseMs);
  }

  #commit(batch: readonly Waiting[]): readonly (() => void)[] {
    try {
      // One that is alone has the transaction for itself.
      const results = batch.map((write) => (batch.length === 1 ? write.run() : this.#inSavepoint(write)));
      this.#database.exec('COMMIT');
      return results;
    } catch (error) {
      // Nothing of this batch is on the disk: SQLite has rolled back, or does so here.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      return batch.map((write) => () => write.reject(this.#explain(error)));
    }
  }

  #inSavepoint(write: Waiting): () => void {
    this.#savepoint.set.run();
    try {
      const tell = write.run();
      this.#savepoint.release.run();
      return tell;
    } catch (error) {
      // A full disk may have ended the whole transaction: then no write of the batch has happened.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('ROLLBACK TO one');
      this.#savepoint.release.run();
      return () => write.reject(this.#explain(error));
    }
  }
}
