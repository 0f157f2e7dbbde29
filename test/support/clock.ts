import type { Clock } from '../../src/domain/world.js';

/** A clock that stands still until someone sleeps: a sleep moves it on and ends at once. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #now: number;

  constructor(start = Date.UTC(2026, 0, 15, 12)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  uptime(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
    // Others get their turn, as they would during a real wait.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
}

/** A clock that only `advance` moves: a sleep takes a real moment instead. For waits that take as long as the machine needs. */
export class StandingClock extends FakeClock {
  override async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
    signal?.throwIfAborted();
  }
}

/** The real clock, so much ahead as a test says. */
export class ShiftedClock implements Clock {
  aheadMs = 0;

  now(): number {
    return realClock.now() + this.aheadMs;
  }

  uptime(): number {
    return realClock.uptime() + this.aheadMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await realClock.sleep(ms, signal);
  }
}

export const realClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error); // tests abort with an Error
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
