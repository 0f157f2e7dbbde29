import type { Clock } from '../../domain/world.js';
import { Notifier } from '../../jobs/leased-runner.js';

/**
 * A loop that sleeps until something is due or it is notified. After a notification it waits `gatherMs`: in a flood of them,
 * waking up costs more than most turns.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  readonly #news: Notifier;

  constructor(clock: Clock, gatherMs = 0) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
    this.#news = new Notifier(clock);
  }

  /** There may be something new: no sleep misses it. */
  notify(): void {
    this.#news.notify();
  }

  /** Runs turns until the signal. Each returns when the next is due; infinity: only after a notification. */
  async each(signal: AbortSignal, turn: () => Promise<number>): Promise<void> {
    const notify = (): void => this.#news.notify();
    signal.addEventListener('abort', notify);
    try {
      while (!signal.aborted) {
        this.#news.clear();
        const dueAt = await turn();
        if (this.#news.isNotified || dueAt <= this.#clock.now()) continue;
        const isNews = await this.#news.sleepUntilNotified(dueAt);
        if (isNews && !signal.aborted && this.#gatherMs > 0) await this.#clock.sleep(this.#gatherMs);
      }
    } finally {
      signal.removeEventListener('abort', notify);
    }
  }
}
