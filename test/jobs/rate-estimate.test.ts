import { describe, expect, it } from 'vitest';
import { createRateEstimate } from '../../src/jobs/pace.js';

/** A service with a bucket of `perSecond` tokens, asked without pause by one client that obeys its pace. */
function drive(perSecond: number, seconds: number) {
  const rate = createRateEstimate();
  let now = 0;
  let tokens = perSecond;
  let filledAt = 0;
  const sum = { accepted: 0, refused: 0 };
  while (now < seconds * 1000) {
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      sum.accepted += 1;
      rate.accepted();
      now += rate.intervalMs(now) ?? 1;
    } else {
      sum.refused += 1;
      rate.limited(now);
      // Retry-After: 1
      now += 1000;
    }
  }
  return sum;
}

/** A repeatable chain of numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A service without a limit that refuses some requests by chance; each takes `tookMs`. Requests that were accepted. */
function driveByChance({ refused, tookMs, seed }: { refused: number; tookMs: number; seed: number }): number {
  const rate = createRateEstimate();
  const next = chance(seed);
  let accepted = 0;
  let now = 0;
  while (now < 600_000) {
    if (next() < refused) {
      rate.limited(now);
      now += tookMs + 1_000;
    } else {
      accepted += 1;
      rate.accepted();
      now += Math.max(tookMs, rate.intervalMs(now) ?? 0);
    }
  }
  return accepted;
}

describe('the learned rate', () => {
  it.each([5, 50, 400])(
    'uses at least 95 %% of %i requests a second, with at most 1 %% refused',
    (perSecond) => {
      const seconds = 300;
      const { accepted, refused } = drive(perSecond, seconds);
      expect(accepted).toBeGreaterThan(perSecond * seconds * 0.95);
      expect(refused / (accepted + refused)).toBeLessThan(0.01);
    },
  );

  it('is unlimited before the first refusal', () => {
    const rate = createRateEstimate();
    rate.accepted();
    rate.limited(1_000);
    expect(rate.intervalMs(1_000)).toBeUndefined();
  });

  it('counts refusals of one moment as one', () => {
    const rate = createRateEstimate();
    rate.limited(1_000);
    for (let second = 3_000; second <= 7_000; second += 2_000) {
      for (let index = 0; index < 100; index += 1) rate.accepted();
      rate.limited(second);
      rate.limited(second + 1);
    }
    expect(rate.intervalMs(7_001)).toBeCloseTo(20 / 0.985, 3);
  });

  it.each([
    [0.005, 5],
    [0.02, 5],
    [0.02, 50],
    [0.1, 5],
    [0.02, 1],
  ])(
    'does not collapse if the service refuses %d of the requests at random (%i ms each)',
    (refused, tookMs) => {
      // What could be had by obeying Retry-After and nothing else.
      const best = 600_000 / (tookMs + (refused / (1 - refused)) * (tookMs + 1_000));
      for (const seed of [1, 2, 3, 4, 5]) {
        expect(driveByChance({ refused, tookMs, seed })).toBeGreaterThan(0.8 * best);
      }
    },
  );

  it('follows a limit that decreases', () => {
    const rate = createRateEstimate({ intervalMs: 5, at: 0 });
    let now = 0;
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 20; index += 1) rate.accepted();
      now += 1_000;
      rate.limited(now);
    }
    expect(rate.intervalMs(now)).toBeCloseTo(50 / 0.985, 3);
  });

  it('increases slowly, then faster: after five minutes an old limit is forgotten', () => {
    const rate = createRateEstimate({ intervalMs: 20, at: 0 });
    expect(rate.intervalMs(0)).toBeCloseTo(20, 6);
    expect(rate.intervalMs(30_000)).toBeGreaterThan(19.8);
    expect(rate.intervalMs(300_000)).toBeLessThan(5);
  });
});
