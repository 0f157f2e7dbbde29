import { expect, test, vi } from 'vitest';
import { Listing, WriteBuffer } from '../../../src/services/sync/state.js';

function gathered() {
  const written: number[][] = [];
  const buffer = new WriteBuffer<number>((rows) => {
    written.push([...rows]);
    return Promise.resolve();
  });
  return { buffer, written };
}

test('rows are buffered until there are enough of them', async () => {
  const { buffer, written } = gathered();
  const numbers = Array.from({ length: 128 }, (_, index) => index + 1);
  for (const number of numbers.slice(0, -1)) await buffer.add(number);
  expect(written).toEqual([]);
  await buffer.add(128);
  expect(written).toEqual([numbers]);
});

test('the flush writes the remaining rows once', async () => {
  const { buffer, written } = gathered();
  await buffer.add(1);
  await buffer.flush();
  await buffer.flush();
  expect(written).toEqual([[1]]);
});

test('a write that fails is thrown to the caller that flushes', async () => {
  const buffer = new WriteBuffer<number>(() => Promise.reject(new Error('full')));
  await buffer.add(1);
  await expect(buffer.flush()).rejects.toThrow('full');
});

test('a row without successors is written after a quarter of a second', async () => {
  vi.useFakeTimers();
  try {
    const { buffer, written } = gathered();
    await buffer.add(1);
    await buffer.add(2);
    await vi.advanceTimersByTimeAsync(249);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([[1, 2]]);
    await buffer.add(3);
    await vi.advanceTimersByTimeAsync(250);
    expect(written).toEqual([[1, 2], [3]]);
  } finally {
    vi.useRealTimers();
  }
});

test('a flush waits for the rows being written, and throws if they fail', async () => {
  vi.useFakeTimers();
  try {
    let reject = (_error: Error): void => undefined;
    const buffer = new WriteBuffer<number>(() => new Promise((_resolve, fail) => (reject = fail)));
    await buffer.add(1);
    await vi.advanceTimersByTimeAsync(250);
    const flushed = buffer.flush();
    reject(new Error('full'));
    await expect(flushed).rejects.toThrow('full');
  } finally {
    vi.useRealTimers();
  }
});

test('a reader that waits for the list continues after each stored page, and at the end', async () => {
  const listing = new Listing();
  const woken: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await listing.next();
    woken.push(name);
  };
  const first = [wait('a'), wait('b')];
  expect([woken, listing.isComplete]).toEqual([[], false]);
  listing.kept();
  await Promise.all(first);
  const last = wait('c');
  listing.end();
  await last;
  await wait('d');
  expect([woken, listing.isComplete]).toEqual([['a', 'b', 'c', 'd'], true]);
});
