import { expect, test } from 'vitest';
import { Settlements } from '../../../src/services/inbound/sync-settle.js';
import { FakeClock } from '../../support/clock.js';

function gathered(clock = new FakeClock()) {
  const settled: number[] = [];
  const settlements = new Settlements(clock);
  const add = (number: number) =>
    settlements.add(() => {
      settled.push(number);
      return Promise.resolve();
    });
  return { settlements, settled, add };
}

test('settlements wait for each other until there are enough of them', async () => {
  const { settled, add } = gathered();
  for (let number = 1; number < 128; number += 1) await add(number);
  expect(settled).toEqual([]);
  await add(128);
  expect(settled).toHaveLength(128);
});

test('what waits at the end is settled by the flush, once', async () => {
  const { settlements, settled, add } = gathered();
  await add(1);
  await settlements.flush();
  await settlements.flush();
  expect(settled).toEqual([1]);
});

test('a settlement that fails is thrown to the one who flushes', async () => {
  const settlements = new Settlements(new FakeClock());
  await settlements.add(() => Promise.reject(new Error('full')));
  await expect(settlements.flush()).rejects.toThrow('full');
});
