import { expect, test } from 'vitest';
import type { Connection } from '../../src/store/postgres/connection.js';
import { openServerClock } from '../../src/store/postgres/store-clock.js';
import { FakeClock } from '../support/clock.js';

/** How much the server's clock is ahead of the uptime of this machine. */
const AHEAD_MS = 5_000_000;

/** A server that answers at once, or after as many milliseconds as `waits` says next, at whose end it reads its clock. */
async function serverClock(...waits: readonly number[]) {
  const clock = new FakeClock();
  const left = [...waits];
  const answer = () => {
    clock.advance(left.shift() ?? 0);
    return Promise.resolve({ serverMs: clock.uptime() + AHEAD_MS });
  };
  const repeatable = { get: () => Promise.resolve(undefined) };
  // Nothing else of a connection is used.
  const connection = { get: answer, repeatable } as unknown as Connection;
  const storeClock = await openServerClock(connection, { clock, machine: 'machine' });
  const isAheadBy = () => storeClock.now() - clock.uptime();
  return { storeClock, isAheadBy, ask: (waitMs: number) => (left.push(waitMs), storeClock.reading(answer)) };
}

test('an answer that waited for a lost server moves no time', async () => {
  const { isAheadBy, ask } = await serverClock();
  await ask(9_000);
  expect(isAheadBy()).toBe(AHEAD_MS);
});

test('the first answer is asked for again when it was slow', async () => {
  const { isAheadBy } = await serverClock(9_000, 2_000);
  expect(isAheadBy()).toBe(AHEAD_MS);
});

test('a clock of the server that was set is followed', async () => {
  const { storeClock, isAheadBy } = await serverClock();
  const set = AHEAD_MS + 60_000;
  await storeClock.reading(() => Promise.resolve({ serverMs: storeClock.uptime() + set }));
  expect(isAheadBy()).toBe(set);
});
