import type { Random } from '../../domain/world.js';

const firstMs = 1_000;
const longestMs = 10 * 60_000;

/** The pause after the try number `attempts` of an event: doubled each time, with jitter, never beyond ten minutes. */
export function retryPauseMs(attempts: number, random: Random, wishMs = 0): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20));
  const pause = ceiling * (0.5 + random.unit() / 2);
  return Math.round(Math.min(longestMs, Math.max(pause, wishMs)));
}

const tolerated = 5;
const shortestRestMs = 250;
const longestRestMs = 30_000;

/**
 * Tells a target that is down from an event that it does not like. After some failures in a row without one success between
 * them nothing is sent for a while, then one event as a probe: an outage does not use up the tries of every event that waits.
 */
export class Outage {
  #failures = 0;
  #restUntil = 0;

  /** How many more may be under way. */
  allowance(now: number, limit: number, inFlight: number): number {
    if (this.#failures < tolerated) return limit - inFlight;
    if (now < this.#restUntil) return 0;
    return Math.max(0, 1 - inFlight);
  }

  get isOn(): boolean {
    return this.#failures >= tolerated;
  }

  /** When the next probe may go. */
  get restUntil(): number {
    return this.#restUntil;
  }

  failed(now: number): void {
    // What was under way when the rest began says nothing new: else so many at once would make it as long as so many probes.
    if (this.isOn && now < this.#restUntil) return;
    this.#failures += 1;
    if (this.#failures < tolerated) return;
    const rest = shortestRestMs * 2 ** Math.min(this.#failures - tolerated, 10);
    this.#restUntil = now + Math.min(longestRestMs, rest);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntil = 0;
  }
}
