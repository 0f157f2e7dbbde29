import { expect, test } from 'vitest';
import { Settlements } from '../../../src/services/inbound/sync-settle.js';
import { FakeClock } from '../../support/clock.js';

function gathered() {
  const settled: number[][] = [];
  const settlements = new Settlements<number>(new FakeClock(), (ends) => {
    settled.push([...ends]);
    return Promise.resolve();
  });
  return { settlements, settled };
}

test('settlements wait for each other until there are enough of them', async () => {
  const { settlements, settled } = gathered();
  const numbers = Array.from({ length: 128 }, (_, index) => index + 1);
  for (const number of numbers.slice(0, -1)) await settlements.add(number);
  expect(settled).toEqual([]);
  await settlements.add(128);
  expect(settled).toEqual([numbers]);
});

test('what waits at the end is settled by the flush, once', async () => {
  const { settlements, settled } = gathered();
  await settlements.add(1);
  await settlements.flush();
  await settlements.flush();
  expect(settled).toEqual([[1]]);
});

test('a settlement that fails is thrown to the one who flushes', async () => {
  const settlements = new Settlements<number>(new FakeClock(), () => Promise.reject(new Error('full')));
  await settlements.add(1);
  await expect(settlements.flush()).rejects.toThrow('full');
});
