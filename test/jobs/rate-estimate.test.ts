import { describe, expect, it } from 'vitest';
import { createRateEstimate } from '../../src/jobs/rate-estimate.js';

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

  it('is no limit until one is met', () => {
    const rate = createRateEstimate();
    rate.accepted();
    rate.limited(1_000);
    expect(rate.intervalMs(1_000)).toBeUndefined();
  });

  it('takes refusals of one moment as one', () => {
    const rate = createRateEstimate();
    rate.limited(1_000);
    for (let index = 0; index < 100; index += 1) rate.accepted();
    rate.limited(3_000);
    rate.limited(3_001);
    expect(rate.intervalMs(3_001)).toBeCloseTo(20 / 0.985, 3);
  });

  it('tries upwards slowly, then faster: five minutes on it has forgotten an old limit', () => {
    const rate = createRateEstimate({ intervalMs: 20, at: 0 });
    expect(rate.intervalMs(0)).toBeCloseTo(20, 6);
    expect(rate.intervalMs(30_000)).toBeGreaterThan(19.8);
    expect(rate.intervalMs(300_000)).toBeLessThan(5);
  });
});
