import type { Clock } from '../../domain/world.js';

const longestNapMs = 60_000;

/** Why a nap ended; made once, since a reason with its stack costs more than the nap. */
const woken = new Error('woken');

/**
 * A loop that sleeps until something is due or somebody pokes it. After a poke it lets `gatherMs` pass: in a flood of them, to
 * end a nap costs more than most turns.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  #poked = false;
  #nap: AbortController | undefined;

  constructor(clock: Clock, gatherMs = 0) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
  }

  /** There may be something new: no sleep misses it. */
  poke(): void {
    this.#poked = true;
    this.#nap?.abort(woken);
    this.#nap = undefined;
  }

  /** Takes turns until the signal. Each tells when the next is due; infinite: not before a poke. */
  async each(signal: AbortSignal, turn: () => Promise<number>): Promise<void> {
    const wake = (): void => this.poke();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        this.#poked = false;
        const dueAt = await turn();
        if (this.#poked || signal.aborted) continue;
        await this.#sleepUntil(dueAt);
        if (this.#poked && !signal.aborted && this.#gatherMs > 0) await this.#clock.sleep(this.#gatherMs);
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  async #sleepUntil(time: number): Promise<void> {
    const ms = Math.min(longestNapMs, time - this.#clock.now());
    if (ms <= 0) return;
    const nap = new AbortController();
    this.#nap = nap;
    // A poke ends the sleep, and that is no fault.
    await this.#clock.sleep(ms, nap.signal).catch((error: unknown) => {
      if (!nap.signal.aborted) throw error;
    });
    this.#nap = undefined;
  }
}
