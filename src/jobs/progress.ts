import type { ItemCounts, ItemState, Store } from '../store/store.js';
import type { JobProgress } from './engine.js';
import type { FiscalError } from '../errors/fiscal-error.js';

/** The progress of a job: counted during the run, and read from the store at its start and end. */
export class Tally {
  readonly #store: Store;
  readonly #jobId: string;
  readonly #report: ((progress: JobProgress) => void) | undefined;
  #counts: Record<ItemState, number> | undefined;
  /** Items that failed or were rejected in this run. */
  failures = 0;

  constructor(store: Store, jobId: string, report: ((progress: JobProgress) => void) | undefined) {
    this.#store = store;
    this.#jobId = jobId;
    this.#report = report;
  }

  async load(): Promise<ItemCounts> {
    this.#counts = { ...(await this.#store.jobs.counts(this.#jobId)) };
    this.#tell();
    return this.#counts;
  }

  move(from: ItemState, to: ItemState): void {
    if (from === to || this.#counts === undefined) return;
    this.#counts[from] -= 1;
    this.#counts[to] += 1;
    if (to === 'failed' || to === 'rejected') this.failures += 1;
    this.#tell();
  }

  #tell(): void {
    if (this.#report === undefined || this.#counts === undefined) return;
    const counts = { ...this.#counts };
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const open = counts.prepared + counts.sending + counts.pending;
    this.#report({ counts, total, finished: total - open });
  }
}

/** A service that never answered in this run is given up early: nobody waits minutes for a wrong host name. */
const FIRST_ANSWER_PATIENCE_MS = 15_000;

/** Decides when to give up: only temporary failures for too long. */
export class Health {
  readonly #maxRetryWaitMs: number;
  #lastGood: number;
  #everGood = false;

  constructor(startedAt: number, maxRetryWaitMs: number) {
    this.#lastGood = startedAt;
    this.#maxRetryWaitMs = maxRetryWaitMs;
  }

  /** The service answered. A response that asks to retry later does not count as healthy. */
  answered(now: number, error: FiscalError | undefined): void {
    if (error?.facts.retryable === true) return;
    this.#everGood = true;
    this.#lastGood = now;
  }

  isGivenUp(now: number): boolean {
    const patience = this.#everGood
      ? this.#maxRetryWaitMs
      : Math.min(this.#maxRetryWaitMs, FIRST_ANSWER_PATIENCE_MS);
    return now - this.#lastGood > patience;
  }
}
