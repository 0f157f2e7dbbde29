import { expect, test } from 'vitest';
import { ProgressEstimate, timeWords } from '../../src/io/progress-estimate.js';
import { FakeClock } from '../support/clock.js';

function english(estimate: ProgressEstimate): readonly string[] {
  return estimate.parts().map(({ en }) => en);
}

test('rate and time left follow the last half minute', () => {
  const clock = new FakeClock();
  const estimate = new ProgressEstimate(clock);
  estimate.see(0, 1_000);
  expect(english(estimate)).toEqual([]);
  for (let second = 1; second <= 60; second += 1) {
    clock.advance(1_000);
    estimate.see(second * 10, 1_000);
  }
  expect(english(estimate)).toEqual(['about 40 s left', '1 min 00 s', '10/s']);
  for (let second = 1; second <= 60; second += 1) {
    clock.advance(1_000);
    estimate.see(600 + second, 1_000);
  }
  expect(english(estimate)).toEqual(['about 5 min 40 s left', '2 min 00 s', '1/s']);
});

test('the rate falls while nothing finishes, and nothing is promised without one', () => {
  const clock = new FakeClock();
  const estimate = new ProgressEstimate(clock);
  estimate.see(100, 200);
  clock.advance(10_000);
  expect(english(estimate)).toEqual(['10 s']);
  estimate.see(110, 200);
  expect(english(estimate)).toEqual(['about 1 min 30 s left', '10 s', '1/s']);
  clock.advance(10_000);
  expect(english(estimate)).toEqual(['about 3 min 00 s left', '20 s', '30/min']);
});

test('without a total there is no time left', () => {
  const clock = new FakeClock();
  const estimate = new ProgressEstimate(clock);
  estimate.see(0, undefined);
  clock.advance(5_000);
  estimate.see(50, undefined);
  expect(english(estimate)).toEqual(['5 s', '10/s']);
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [59_600, '1 min 00 s'],
  [3_600_000, '1 h 00 min'],
  [90_061_000, '25 h 01 min'],
])('%d ms are %s', (ms, words) => {
  expect(timeWords(ms)).toBe(words);
});
