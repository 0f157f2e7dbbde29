import type { Clock } from '../../domain/world.js';

/** So many rows go to the store at once: a kill costs at most the same number of downloads again. */
const AT_ONCE = 128;
/** The first of them does not wait longer than this while others come. */
const MOST_WAIT_MS = 250;

/**
 * Gathers what is told to the store at the end of the work on a document. The store commits what comes in one turn
 * together, and one commit for each document would cost more than its row.
 */
export class Settlements {
  #waiting: (() => Promise<unknown>)[] = [];
  #since = 0;

  constructor(private readonly clock: Clock) {}

  /** What fails is thrown to the one whose settlement made the number full. */
  async add(settle: () => Promise<unknown>): Promise<void> {
    const now = this.clock.now();
    if (this.#waiting.length === 0) this.#since = now;
    this.#waiting.push(settle);
    if (this.#waiting.length >= AT_ONCE || now - this.#since >= MOST_WAIT_MS) await this.flush();
  }

  async flush(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    await Promise.all(all.map((settle) => settle()));
  }
}
