/**
 * Learns how many requests a second a service takes, from the moments at which it refuses (429). Between two
 * refusals a bucket of tokens is empty, filled and empty again, so what was accepted meanwhile, by the time that
 * passed, is its rate, whatever its size; for a fixed window it is the same. No threshold is published (§8).
 *
 * A refusal need not come from a limit: a service that refuses one request in fifty does so at any pace, and to slow
 * down for it would never end. A limit shows by measuring the same again and again, and by being quiet below it.
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

/** So many measurements have to agree, each with the one before, until a limit is believed. */
const AGREEING = 3;
const AGREE_SHARE = 0.1;
/** A limit that refuses below itself was measured too high, but not by more than this; else it is none. */
const REFINE_SHARE = 0.7;

export function createRateEstimate(known?: {
  readonly intervalMs: number;
  readonly at: number;
}): RateEstimate {
  const limit = new Limit(known === undefined ? undefined : 1 / known.intervalMs / MARGIN);
  let since = known?.at;
  let count = 0;
  const share = (now: number): number =>
    since === undefined ? MARGIN : MARGIN + TRY_SHARE * ((now - since) / TRY_TIME_MS) ** 3;
  return {
    accepted() {
      count += 1;
    },
    limited(now) {
      if (since !== undefined && now - since < ONE_MOMENT_MS) return;
      // The first refusal ends a burst of unknown size: it starts the clock and says nothing of the rate.
      if (since !== undefined && count > 0) limit.measured(count / (now - since), share(now) > 1);
      since = now;
      count = 0;
    },
    intervalMs: (now) => (limit.perMs === undefined ? undefined : 1 / (limit.perMs * share(now))),
  };
}

/** What is believed of the limit. */
class Limit {
  #agreeing: number[] = [];
  /** As it was when it was first believed. */
  #first: number | undefined;

  constructor(public perMs: number | undefined) {
    this.#first = perMs;
  }

  /** `isTried`: the pace had gone above the limit, so that a refusal was to be expected. */
  measured(perMs: number, isTried: boolean): void {
    if (this.perMs === undefined || this.#first === undefined) this.#gather(perMs);
    else if (perMs < this.#first * REFINE_SHARE) this.#forget(perMs);
    else if (isTried) this.#believe(perMs);
    else this.perMs = Math.min(this.perMs, perMs);
  }

  #gather(perMs: number): void {
    const before = this.#agreeing.at(-1) ?? perMs;
    const agrees = Math.abs(perMs - before) <= AGREE_SHARE * Math.max(perMs, before);
    this.#agreeing = agrees ? [...this.#agreeing, perMs] : [perMs];
    if (this.#agreeing.length >= AGREEING) this.#believe(perMs);
  }

  #believe(perMs: number): void {
    this.perMs = perMs;
    this.#first = perMs;
    this.#agreeing = [];
  }

  #forget(perMs: number): void {
    this.perMs = undefined;
    this.#first = undefined;
    this.#agreeing = [perMs];
  }
}
