import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { isBusy, storeFailure } from './failures.js';

/** What the tables share: the open file, its statements, its reads and its write queue. */
export interface Connection {
  /** A statement that is prepared on first use and then kept. */
  statement<Parameters extends unknown[], Row = unknown>(sql: string): () => Statement<Parameters, Row>;
  read<Result>(work: () => Result): Promise<Result>;
  readonly write: Write;
  /** Calls `last` when everything is written, before the file is closed. */
  close(last?: () => void): Promise<void>;
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
    async close(last) {
      // Writes are answered in order, so earlier ones are done when this one is.
      await queue.add(() => undefined, { durable: false }).catch(() => undefined);
      last?.();
      database.close();
    },
  };
}

/** Retries while another connection holds the lock, without blocking the event loop. */
export async function whenFree<Result>(work: () => Result, explain: (error: unknown) => Error): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt >= lockAttempts) throw explain(error);
    }
    await pause(lockPauseMs);
  }
}

/** Attempts on a locked store and the pause between them: about 15 seconds, including the connection's own 10 ms. */
const lockAttempts = 750;
const lockPauseMs = 10;

/** Writes per transaction, so that many do not block the event loop. */
const batchSize = 1_000;

/** With this many writers waiting for the disk, more are expected: waiting a moment saves a disk sync. */
const manyDurable = 32;
const patienceMs = 3;

/**
 * Runs `work` inside a transaction shared with the other writes of the same turn of the event loop;
 * resolves after the commit. `durable: false` spares the wait for the disk where nothing was promised.
 */
type Write = <Result>(work: () => Result, options?: { readonly durable?: boolean }) => Promise<Result>;

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

  async add<Result>(work: () => Result, options?: { readonly durable?: boolean }): Promise<Result> {
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

  /** Few writes start at once; with many, those that arrive within a moment are added. */
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

  /** Another process is writing: the batch stays queued until the attempts run out. */
  #postpone(batch: readonly Waiting[], error: unknown): void {
    for (const write of batch) write.attempts += 1;
    const given = new Set(batch.filter((write) => !isBusy(error) || write.attempts >= lockAttempts));
    this.#waiting = this.#waiting.filter((write) => !given.has(write));
    for (const write of given) write.reject(this.#explain(error));
    if (this.#waiting.length > 0) this.#schedule(lockPauseMs);
  }

  #commit(batch: readonly Waiting[]): readonly (() => void)[] {
    try {
      // A single write has the transaction to itself.
      const results = batch.map((write) => (batch.length === 1 ? write.run() : this.#inSavepoint(write)));
      this.#database.exec('COMMIT');
      return results;
    } catch (error) {
      // Nothing of this batch is on disk: SQLite has rolled back, or does so here.
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
      // A full disk may have ended the whole transaction; then no write of the batch took effect.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('ROLLBACK TO one');
      this.#savepoint.release.run();
      return () => write.reject(this.#explain(error));
    }
  }
}
