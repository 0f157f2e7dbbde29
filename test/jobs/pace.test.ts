import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import type { Text } from '../../src/contract/text.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { AroundCall } from '../../src/client/client.js';
import { createSharedPace } from '../../src/jobs/pace.js';
import type { PaceRows } from '../../src/store/store.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { FakeClock } from '../support/clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Options {
  readonly rps?: number;
  readonly maxWaitMs?: number;
  unbelieved?(sentence: Text): Promise<void>;
}

async function twoProcesses(options: Options = {}) {
  const clock = new FakeClock();
  const path = join(temporaryFolder(), 'state.db');
  const [first, second] = [await openStore({ path, clock }), await openStore({ path, clock })];
  onTestFinished(async () => {
    await first.close();
    await second.close();
  });
  const shared = { profile: 'acme', maxWaitMs: 60_000, clock, ...options };
  return {
    clock,
    rows: first.pace,
    one: createSharedPace({ ...shared, rows: first.pace }),
    two: createSharedPace({ ...shared, rows: second.pace }),
  };
}

test('a 429 with Retry-After pauses the other process, for that host only', async () => {
  const { clock, one, two } = await twoProcesses();
  await one.observe('h', { status: 429, tookMs: 20, retryAfterMs: 5_000 });
  await two.enter('other');
  expect(clock.slept).toEqual([]);
  await two.enter('h');
  expect(clock.slept).toEqual([5_000]);
});

test('a 503 with Retry-After pauses, one without it and a success do not', async () => {
  const { clock, one, two } = await twoProcesses();
  await one.observe('h', { status: 503, tookMs: 20 });
  await one.observe('h', { status: 200, tookMs: 20, retryAfterMs: 1_000 });
  await two.enter('h');
  expect(clock.slept).toEqual([]);
  await one.observe('h', { status: 503, tookMs: 20, retryAfterMs: 2_000 });
  await two.enter('h');
  expect(clock.slept).toEqual([2_000]);
});

/** The rows, as a write of an item would have read them, and how often they are asked for. */
async function readBefore(rows: PaceRows, host = 'h') {
  const row = await rows.get({ profile: 'acme', host });
  const since: number[] = [];
  const around: AroundCall = {
    takePace: (_host, time) => (since.push(time), { seen: row }),
    takeRecord: () => undefined,
  };
  let asked = 0;
  const get = rows.get.bind(rows);
  rows.get = async (key) => {
    asked += 1;
    return await get(key);
  };
  return { around, since, asked: () => asked };
}

test('a call goes by what the write before it has read of the pace, and asks for no row', async () => {
  const { rows, one } = await twoProcesses();
  const { around, since, asked } = await readBefore(rows);
  await one.enter('h', undefined, around);
  expect([asked(), since]).toEqual([0, [Number.NEGATIVE_INFINITY]]);
  await one.enter('h');
  expect(asked()).toBe(1);
});

test('a block that it has read is looked at again, since it may have ended', async () => {
  const { clock, rows, one, two } = await twoProcesses();
  await two.observe('h', { status: 429, tookMs: 20, retryAfterMs: 5_000 });
  const { around } = await readBefore(rows);
  await rows.reset('acme');
  await one.enter('h', undefined, around);
  expect(clock.slept).toEqual([]);
});

test('what was read before a refusal of this process is stored says nothing', async () => {
  const { clock, rows, one } = await twoProcesses();
  const { around, since, asked } = await readBefore(rows);
  const refused = one.observe('h', { status: 503, tookMs: 20, retryAfterMs: 5_000 });
  await one.enter('h', undefined, around);
  expect([since, asked()]).toEqual([[], 1]);
  await refused;
  const storedAt = clock.now();
  clock.advance(5_001);
  await one.enter('h', undefined, around);
  expect(since).toEqual([storedAt]);
});

test('a process that waits already notices within seconds that the wait was reset', async () => {
  const { clock, rows, one, two } = await twoProcesses();
  await one.observe('h', { status: 429, tookMs: 20, retryAfterMs: 50_000 });
  const sleep = clock.sleep.bind(clock);
  clock.sleep = async (ms, signal) => {
    await sleep(ms, signal);
    await rows.reset('acme');
  };
  await two.enter('h');
  expect(clock.slept).toEqual([5_000]);
});

test('a wait beyond the limit is refused immediately, with the time', async () => {
  const { clock, one, two } = await twoProcesses({ maxWaitMs: 3_000 });
  await one.observe('h', { status: 429, tookMs: 20, retryAfterMs: 5_000 });
  const refusal: unknown = await two.enter('h').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FiscalError);
  if (!(refusal instanceof FiscalError)) return;
  expect([refusal.code, refusal.facts]).toEqual([
    'service.rate_limited',
    { sent: 'no', retryable: true, retryAfterSeconds: 5 },
  ]);
  expect(clock.slept).toEqual([]);
});

test('a wait that is not believed as a whole is said once, with what was asked and how to end it', async () => {
  const said: string[] = [];
  const unbelieved = ({ en }: Text) => Promise.resolve(void said.push(en));
  const { clock, one, two } = await twoProcesses({ maxWaitMs: 60_000, unbelieved });
  const answer = { status: 429, tookMs: 20, retryAfterMs: 900_000, askedMs: 9_999_999_999_000 };
  await one.observe('h', answer);
  await one.observe('h', answer);
  const sentence =
    'h asked for a wait of 317 years; requests wait 15 minutes (--max-believed-wait); to end the wait: fiscal job resume --end-waits';
  expect(said).toEqual([sentence]);
  await expect(two.enter('h')).rejects.toMatchObject({
    code: 'service.rate_limited',
    facts: { retryAfterSeconds: 900, hint: { en: sentence } },
  });
  expect(clock.slept).toEqual([]);
});

test('two processes share one rate', async () => {
  const { clock, one, two } = await twoProcesses({ rps: 4 });
  const begin = clock.now();
  const starts: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const pace of [one, two]) {
      await pace.enter('h');
      starts.push(clock.now() - begin);
    }
  }
  expect(starts).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250]);
});

test('concurrent requests of one process never share a slot', async () => {
  const { clock, one } = await twoProcesses({ rps: 100 });
  const begin = clock.now();
  const starts = await Promise.all(
    Array.from({ length: 60 }, async () => {
      await one.enter('h');
      return clock.now() - begin;
    }),
  );
  expect(Math.max(...starts)).toBeGreaterThanOrEqual(590);
});

test('a request whose slot is reserved after a block has come is refused, and leaves no slot behind the block', async () => {
  const { clock, rows, one, two } = await twoProcesses({ rps: 10, maxWaitMs: 1_000 });
  const get = rows.get.bind(rows);
  // The other process is refused while this one reserves.
  rows.get = async (key) => {
    const row = await get(key);
    if (row === undefined) await two.observe('h', { status: 429, tookMs: 20, retryAfterMs: 600_000 });
    return row;
  };
  await one.enter('h');
  await expect(one.enter('h')).rejects.toMatchObject({ code: 'service.rate_limited' });
  expect(clock.slept).toEqual([]);
  await rows.reset('acme');
  await two.enter('h');
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1_000);
});

test('a slot far ahead, which an ended process has left, is a wait like another: bounded, shown, and ended by the reset', async () => {
  const { clock, rows, two } = await twoProcesses({ rps: 10, maxWaitMs: 30_000 });
  const key = { profile: 'acme', host: 'h' };
  await rows.reserve(key, { count: 6_000, intervalMs: 100 }, clock.now());
  expect(await rows.blocked('acme', clock.now())).toEqual([
    { host: 'h', blockedUntil: clock.now() + 600_000, askedMs: null },
  ]);
  await expect(two.enter('h')).rejects.toMatchObject({
    code: 'service.rate_limited',
    facts: { retryAfterSeconds: 600, sent: 'no' },
  });
  await rows.reset('acme');
  expect(await rows.blocked('acme', clock.now())).toEqual([]);
  await two.enter('h');
  expect(clock.slept).toEqual([]);
});

test('a request that waits for a far slot notices within seconds that the waits were ended', async () => {
  const { clock, rows, two } = await twoProcesses({ rps: 10, maxWaitMs: 700_000 });
  await rows.reserve({ profile: 'acme', host: 'h' }, { count: 6_000, intervalMs: 100 }, clock.now());
  const sleep = clock.sleep.bind(clock);
  clock.sleep = async (ms, signal) => {
    await sleep(ms, signal);
    await rows.reset('acme');
  };
  await two.enter('h');
  expect(clock.slept).toEqual([5_000]);
});

test('an interruption ends the wait', async () => {
  const { one } = await twoProcesses();
  await one.observe('h', { status: 429, tookMs: 20, retryAfterMs: 5_000 });
  const reason = new FiscalError('job.interrupted');
  await expect(one.enter('h', AbortSignal.abort(reason))).rejects.toBe(reason);
});
