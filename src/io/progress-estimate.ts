import type { Text } from '../contract/text.js';
import type { Clock } from '../domain/world.js';

/** The rate is that of the last 30 s, so that it follows a service that slows down. */
const WINDOW_MS = 30_000;
/** Below this, a rate would jump with each item. */
const SHORTEST_WINDOW_MS = 3_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Derives rate, time left and elapsed time from counts. */
export class ProgressEstimate {
  readonly #clock: Clock;
  readonly #startedAt: number;
  /** At most one per second, oldest first. */
  #samples: Sample[] = [];
  #latest: Sample | undefined;
  #total: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.uptime();
  }

  see(done: number, total: number | undefined): void {
    const at = this.#clock.uptime();
    this.#total = total;
    this.#latest = { at, done };
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < 1_000) return;
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= WINDOW_MS), this.#latest];
  }

  /** Time left, elapsed time and rate. What is not known yet is left out. */
  parts(): readonly Text[] {
    const elapsedMs = this.#clock.uptime() - this.#startedAt;
    if (elapsedMs < 1_000) return [];
    const elapsed = same(timeWords(elapsedMs));
    const perSecond = this.#perSecond();
    if (perSecond === undefined || this.#latest === undefined) return [elapsed];
    const { done } = this.#latest;
    if (this.#total === undefined || this.#total <= done) return [elapsed, rateWords(perSecond)];
    const left = timeWords(((this.#total - done) / perSecond) * 1_000);
    return [{ en: `about ${left} left`, pt: `faltam cerca de ${left}` }, elapsed, rateWords(perSecond)];
  }

  #perSecond(): number | undefined {
    const [first] = this.#samples;
    if (first === undefined || this.#latest === undefined) return undefined;
    // Until now, so that the rate falls while nothing finishes.
    const ms = this.#clock.uptime() - first.at;
    const done = this.#latest.done - first.done;
    return ms < SHORTEST_WINDOW_MS || done <= 0 ? undefined : (done / ms) * 1_000;
  }
}

function rateWords(perSecond: number): Text {
  if (perSecond >= 1) return same(`${Math.round(perSecond)}/s`);
  return same(`${Math.max(1, Math.round(perSecond * 60))}/min`);
}

function same(text: string): Text {
  return { en: text, pt: text };
}

/** `45 s`, `2 min 05 s`, `3 h 20 min`. */
export function timeWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)];
  if (hours === 0) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${hours} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
