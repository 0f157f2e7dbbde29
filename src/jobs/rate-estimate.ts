/**
 * Learns how many requests a second a service takes, from the moments at which it refuses (429). Between two
 * refusals a bucket of tokens is empty, filled and empty again, so what was accepted meanwhile, by the time that
 * passed, is its rate, whatever its size; for a fixed window it is the same. No threshold is published (§8).
 */
export interface RateEstimate {
  accepted(): void;
  /** 429 came. Refusals of requests that were on the wire together are one. */
  limited(now: number): void;
  /** Milliseconds between requests now; `undefined` while no limit has been met. */
  intervalMs(now: number): number | undefined;
}

/** Refusals closer than this belong to one moment. */
const ONE_MOMENT_MS = 300;
/** Just under the rate that was learned, so that it is not met again at once. */
const MARGIN = 0.985;
/**
 * How the rate is tried upwards after a refusal: hardly at first, faster the longer all goes well (a third of a
 * tenth after a minute, five times the rate after five), as congestion control does near a limit that it knows.
 */
const TRY_SHARE = 0.03;
const TRY_TIME_MS = 60_000;

export function createRateEstimate(known?: {
  readonly intervalMs: number;
  readonly at: number;
}): RateEstimate {
  let perMs = known === undefined ? undefined : 1 / known.intervalMs / MARGIN;
  let since = known?.at;
  let count = 0;
  return {
    accepted() {
      count += 1;
    },
    limited(now) {
      if (since !== undefined && now - since < ONE_MOMENT_MS) return;
      // The first refusal ends a burst of unknown size: it starts the clock and says nothing of the rate.
      if (since !== undefined && count > 0) perMs = count / (now - since);
      since = now;
      count = 0;
    },
    intervalMs(now) {
      if (perMs === undefined || since === undefined) return undefined;
      const tried = TRY_SHARE * ((now - since) / TRY_TIME_MS) ** 3;
      return 1 / (perMs * (MARGIN + tried));
    },
  };
}
