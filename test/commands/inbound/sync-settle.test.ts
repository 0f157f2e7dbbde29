import { expect, test, vi } from 'vitest';
import { Settlements } from '../../../src/commands/inbound/sync-settle.js';

function gathered() {
  const settled: number[][] = [];
  const settlements = new Settlements<number>((ends) => {
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
  const settlements = new Settlements<number>(() => Promise.reject(new Error('full')));
  await settlements.add(1);
  await expect(settlements.flush()).rejects.toThrow('full');
});

test('a row that nothing follows is settled a quarter of a second later all the same', async () => {
  vi.useFakeTimers();
  try {
    const { settlements, settled } = gathered();
    await settlements.add(1);
    await settlements.add(2);
    await vi.advanceTimersByTimeAsync(249);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual([[1, 2]]);
    await settlements.add(3);
    await vi.advanceTimersByTimeAsync(250);
    expect(settled).toEqual([[1, 2], [3]]);
  } finally {
    vi.useRealTimers();
  }
});

test('a flush waits for the rows that are on their way, and is told when they did not arrive', async () => {
  vi.useFakeTimers();
  try {
    let reject = (_error: Error): void => undefined;
    const settlements = new Settlements<number>(() => new Promise((_resolve, fail) => (reject = fail)));
    await settlements.add(1);
    await vi.advanceTimersByTimeAsync(250);
    const flushed = settlements.flush();
    reject(new Error('full'));
    await expect(flushed).rejects.toThrow('full');
  } finally {
    vi.useRealTimers();
  }
});
