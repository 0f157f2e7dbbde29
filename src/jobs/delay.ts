import type { Random } from '../domain/world.js';

const FIRST_POLL_MS = 300;
const RETRY_BASE_MS = 250;
const RETRY_CAP_MS = 30_000;

/**
 * The pause before the next look at a pending item: half of its age, so that quick results are seen at
 * once and slow ones cost few calls, never longer than the interval that the user set.
 */
export function pollDelayMs(ageMs: number, intervalMs: number): number {
  return Math.min(intervalMs, Math.max(FIRST_POLL_MS, Math.round(ageMs / 2)));
}

/** Full-jitter exponential backoff (§8). `failures` counts from 1. */
export function retryDelayMs(failures: number, random: Random): number {
  const ceiling = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** Math.min(failures, 10));
  return Math.round(random.unit() * ceiling);
}

const SHORTEST_LOOK_MS = 500;

/** The longest pause that a run makes of its own: what the user allows, and never so little that it looks without end. */
export function longestPause({ maxRetryWaitMs }: { readonly maxRetryWaitMs: number }): number {
  return Math.max(SHORTEST_LOOK_MS, maxRetryWaitMs);
}
