import { describe, expect, it } from 'vitest';
import { afterRefusal, intervalMsOf } from '../../src/jobs/pace.js';
import type { LearnedRate } from '../../src/store/store.js';

const unlearned: LearnedRate = { refusedAt: null, acceptedThen: 0, agreeing: 0, limitPerMs: 0 };

/** A limit of 50 requests a second that three measurements agree on, last refused at 0. */
const fifty: LearnedRate = { refusedAt: 0, acceptedThen: 0, agreeing: 3, limitPerMs: 0.05 };

/** A request that is refused at once. */
function refused(learned: LearnedRate, now: number, accepted: number): LearnedRate {
  return afterRefusal(learned, { now, sentAt: now, accepted }) ?? learned;
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
function driveByChance({ refusedShare, tookMs, seed }: Record<'refusedShare' | 'tookMs' | 'seed', number>) {
  const next = chance(seed);
  let learned = unlearned;
  let accepted = 0;
  let now = 0;
  while (now < 600_000) {
    if (next() < refusedShare) {
      learned = refused(learned, now, accepted);
      now += tookMs + 1_000;
    } else {
      accepted += 1;
      now += Math.max(tookMs, intervalMsOf(learned, now));
    }
  }
  return accepted;
}

describe('the learned rate', () => {
  it('is high before the second refusal', () => {
    const once = refused(unlearned, 1_000, 9);
    expect(once).toEqual({ refusedAt: 1_000, acceptedThen: 9, agreeing: 0, limitPerMs: 0 });
    expect(intervalMsOf(once, 1_000)).toBeCloseTo(2 / 0.985, 9);
  });

  it('is far exceeded until three measurements agree, then stays just under the limit', () => {
    const intervals: number[] = [];
    let learned = unlearned;
    for (let second = 1; second <= 7; second += 2) {
      learned = refused(learned, second * 1_000, second * 50);
      intervals.push(intervalMsOf(learned, second * 1_000));
    }
    const expected = [2, 20 / 5, 20 / 5, 20].map((intervalMs) => intervalMs / 0.985);
    for (const [index, each] of expected.entries()) expect(intervals[index]).toBeCloseTo(each, 9);
  });

  it('counts refusals of requests that were in flight together as one', () => {
    const inFlight = { now: 9_000, accepted: 500 };
    expect(afterRefusal({ ...fifty, refusedAt: 2_000 }, { ...inFlight, sentAt: 1_900 })).toBeUndefined();
    expect(afterRefusal({ ...fifty, refusedAt: 2_000 }, { ...inFlight, sentAt: 2_400 })).toBeDefined();
  });

  it.each([
    [0.005, 5],
    [0.02, 5],
    [0.02, 50],
    [0.1, 5],
    [0.02, 1],
  ])('does not collapse if the service refuses %d of the requests at random (%i ms each)', (refusedShare, tookMs) => {
    // What could be had by obeying Retry-After and nothing else.
    const best = 600_000 / (tookMs + (refusedShare / (1 - refusedShare)) * (tookMs + 1_000));
    const seeds = [1, 2, 3, 4, 5];
    const had = seeds.map((seed) => driveByChance({ refusedShare, tookMs, seed }) / best);
    expect(had.reduce((sum, share) => sum + share, 0) / seeds.length).toBeGreaterThan(0.75);
  });

  it('follows a limit that decreases, a little at once and far in steps', () => {
    expect(refused(fifty, 1_000, 45).limitPerMs).toBe(0.045);
    let learned = fifty;
    let accepted = 0;
    for (let second = 1; second <= 20; second += 1) learned = refused(learned, second * 1_000, (accepted += 10));
    expect([learned.agreeing, learned.limitPerMs]).toEqual([expect.any(Number), 0.01]);
  });

  it('increases slowly, then faster, and more slowly the more often it was measured', () => {
    expect(intervalMsOf(fifty, 0)).toBeCloseTo(20 / 0.985, 6);
    expect(intervalMsOf(fifty, 10_000)).toBeCloseTo(20 / 1.015, 6);
    const sure = { ...fifty, agreeing: 9 };
    expect(intervalMsOf(sure, 60_000)).toBeCloseTo(20 / 1.015, 6);
    expect(intervalMsOf(sure, 300_000)).toBeLessThan(5);
  });

  it('measures nothing over a time with little to send', () => {
    expect(refused(fifty, 86_400_000, 60)).toMatchObject({ agreeing: 0, limitPerMs: 0.05 });
    expect(refused(fifty, 5_000, 0)).toMatchObject({ agreeing: 0, limitPerMs: expect.closeTo(0.04, 9) });
    const never = refused({ ...unlearned, refusedAt: 0 }, 5_000, 0);
    expect([never.agreeing, never.limitPerMs]).toEqual([0, 0]);
  });
});
