import type { ItemCounts, ItemState, Store } from '../store/store.js';
import type { JobProgress } from './engine.js';

/** How far the job is, kept beside the work and read whole at its start and end. */
export class Tally {
  readonly #store: Store;
  readonly #jobId: string;
  readonly #report: ((progress: JobProgress) => void) | undefined;
  #counts: Record<ItemState, number> | undefined;
  /** Items that ended badly in this run. */
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
    this.#report({ counts, total, settled: total - open });
  }
}
