import type { Clock } from '../../domain/world.js';

/** So many rows go to the store at once: a kill costs at most the same number of downloads again. */
const AT_ONCE = 128;
/** The first of them does not wait longer than this while others come. */
const MOST_WAIT_MS = 250;

/**
 * Gathers what is told to the store at the end of the work on documents, since one commit for each would cost more than
 * its row.
 */
export class Settlements<End> {
  #waiting: End[] = [];
  #since = 0;

  constructor(
    private readonly clock: Clock,
    private readonly settle: (ends: readonly End[]) => Promise<unknown>,
  ) {}

  /** What fails is thrown to the one whose settlement made the number full. */
  async add(end: End): Promise<void> {
    const now = this.clock.now();
    if (this.#waiting.length === 0) this.#since = now;
    this.#waiting.push(end);
    if (this.#waiting.length >= AT_ONCE || now - this.#since >= MOST_WAIT_MS) await this.flush();
  }

  async flush(): Promise<void> {
    const ends = this.#waiting;
    this.#waiting = [];
    if (ends.length > 0) await this.settle(ends);
  }
}
