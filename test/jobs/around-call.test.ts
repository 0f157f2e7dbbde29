import { expect, test } from 'vitest';
import type { CallRecord } from '../../src/client/client.js';
import { CallBetweenWrites } from '../../src/jobs/around-call.js';
import type { HostPace } from '../../src/store/store.js';
import { FakeClock } from '../support/clock.js';

const row: HostPace = {
  ...{ host: 'h', blockedUntil: 0, nextSlotAt: 0, intervalMs: 0, accepted: 0 },
  ...{ refusedAt: null, acceptedThen: 0, agreeing: 0, limitPerMs: 0 },
};

/** A statement that takes so long and reads the paces, and the call so long after it. */
function read({ tookMs = 3, laterMs = 0 } = {}) {
  const clock = new FakeClock(1_000);
  const around = new CallBetweenWrites(clock);
  const { paces } = around.readingPaces();
  clock.advance(tookMs);
  paces([row]);
  clock.advance(laterMs);
  return around;
}

test('the pace of each host that a write has read is for one call', () => {
  expect(read().takePace('h', 0)).toEqual({ seen: row });
  expect(read().takePace('other', 0)).toEqual({ seen: undefined });
  const around = read();
  expect([around.takePace('h', 0), around.takePace('h', 0)]).toEqual([{ seen: row }, undefined]);
});

test.each([
  ['the call comes late', { laterMs: 11 }, 0],
  ['the write has waited for others', { tookMs: 201 }, 0],
  ['the write was asked before a refusal of this process was stored', {}, 1_000],
])('it is not known where %s', (_name, times, since) => {
  expect(read(times).takePace('h', since)).toBeUndefined();
});

const record = (operation: string): CallRecord => ({
  ...{ at: 1, profile: 'p', operation, method: 'POST', url: 'https://h', attempt: 1, durationMs: 1, sent: 'yes' },
});

function taking(...operations: readonly string[]) {
  const around = new CallBetweenWrites(new FakeClock());
  const alone: string[] = [];
  for (const operation of operations) around.takeRecord(record(operation), () => alone.push(operation));
  return { around, alone };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('records go with the write of the same turn, each once', async () => {
  const { around, alone } = taking('a', 'b');
  const given = await around.storing((calls) => Promise.resolve(calls.map(({ operation }) => operation)));
  await turn();
  expect([given, await around.storing((calls) => Promise.resolve(calls)), alone]).toEqual([['a', 'b'], [], []]);
});

test('without a write in the same turn, and where it fails, each is stored alone', async () => {
  const late = taking('a');
  await turn();
  expect([await late.around.storing((calls) => Promise.resolve(calls)), late.alone]).toEqual([[], ['a']]);
  const failing = taking('a', 'b');
  await expect(failing.around.storing(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(failing.alone).toEqual(['a', 'b']);
});
