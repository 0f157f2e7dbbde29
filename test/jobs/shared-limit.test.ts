import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/domain/world.js';
import { createSharedPace } from '../../src/jobs/pace.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { virtualClock } from './virtual-clock.js';

/** Milliseconds on the way to the service, and as many back. */
const WAY_MS = 10;

/** Seconds to wait, or 0 if the request passes. */
type Limit = (now: number) => number;

function tokenBucket(perSecond: number | ((now: number) => number)): Limit {
  const rateAt = typeof perSecond === 'number' ? () => perSecond : perSecond;
  let tokens = rateAt(0);
  let filledAt = 0;
  return (now) => {
    const rate = rateAt(now);
    tokens = Math.min(rate, tokens + ((now - filledAt) / 1_000) * rate);
    filledAt = now;
    if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / rate));
    tokens -= 1;
    return 0;
  };
}

function fixedWindow(perSecond: number): Limit {
  let second = -1;
  let count = 0;
  return (now) => {
    if (Math.floor(now / 1_000) !== second) [second, count] = [Math.floor(now / 1_000), 0];
    count += 1;
    return count <= perSecond ? 0 : 1;
  };
}

function slidingWindow(perSecond: number): Limit {
  const passed: number[] = [];
  return (now) => {
    while ((passed[0] ?? now) <= now - 1_000) passed.shift();
    if (passed.length >= perSecond) return 1;
    passed.push(now);
    return 0;
  };
}

interface Scene {
  readonly limit: Limit;
  readonly processes: number;
  /** Requests that each process has in flight or waiting. */
  readonly concurrency: number;
  readonly seconds: number;
  /** Requests a second of somebody else, who heeds no refusal. */
  readonly others?: number;
}

interface Counted {
  accepted: number;
  refused: number;
}

/** Processes on one store that always have something to send. What was accepted and refused in each minute. */
async function run({ limit, processes, concurrency, seconds, others }: Scene): Promise<readonly Counted[]> {
  const clock = virtualClock(0);
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  onTestFinished(() => store.close());
  const minutes = Array.from({ length: Math.ceil(seconds / 60) }, (): Counted => ({ accepted: 0, refused: 0 }));
  const count = (kind: keyof Counted): void => {
    const minute = minutes[Math.floor(clock.now() / 60_000)];
    if (minute !== undefined) minute[kind] += 1;
  };
  const lane = async (pace: ReturnType<typeof createSharedPace>): Promise<void> => {
    while (clock.now() < seconds * 1_000) {
      await pace.enter('h');
      await clock.sleep(WAY_MS);
      const waitSeconds = limit(clock.now());
      count(waitSeconds === 0 ? 'accepted' : 'refused');
      await clock.sleep(WAY_MS);
      if (waitSeconds === 0) await pace.observe('h', { status: 200, tookMs: 2 * WAY_MS });
      else {
        const retryAfterMs = waitSeconds * 1_000;
        await pace.observe('h', { status: 429, tookMs: 2 * WAY_MS, retryAfterMs });
        await clock.sleep(retryAfterMs);
      }
    }
  };
  const lanes = Array.from({ length: processes }, () => {
    const pace = createSharedPace({ rows: store.pace, profile: 'p', maxWaitMs: 60_000, clock });
    return Array.from({ length: concurrency }, () => lane(pace));
  });
  await Promise.all([...lanes.flat(), askAlongside({ clock, limit, seconds, perSecond: others ?? 0 })]);
  return minutes;
}

interface Others {
  readonly clock: Clock;
  readonly limit: Limit;
  readonly seconds: number;
  readonly perSecond: number;
}

async function askAlongside({ clock, limit, seconds, perSecond }: Others): Promise<void> {
  while (perSecond > 0 && clock.now() < seconds * 1_000) {
    limit(clock.now());
    await clock.sleep(1_000 / perSecond);
  }
}

/** The share of the limit that was used, and the share of the requests that was refused. */
function shares(minutes: readonly Counted[], perSecond: number) {
  const accepted = minutes.reduce((sum, each) => sum + each.accepted, 0);
  const refused = minutes.reduce((sum, each) => sum + each.refused, 0);
  return { used: accepted / (minutes.length * 60 * perSecond), refused: refused / (accepted + refused) };
}

const counts = [1, 4, 16];

test.each([5, 50].flatMap((perSecond) => counts.map((processes) => [perSecond, processes] as const)))(
  'of %i requests a second, %i processes use at least 95 percent with at most 1 percent refused once they know it',
  async (perSecond, processes) => {
    const limit = tokenBucket(perSecond);
    const minutes = await run({ limit, processes, concurrency: 8, seconds: 240 });
    const { used, refused } = shares(minutes.slice(1), perSecond);
    expect(used).toBeGreaterThan(0.95);
    expect(refused).toBeLessThan(0.01);
    // To know it costs a burst of what is in flight at most.
    expect(minutes[0]?.refused).toBeLessThan(2 * 8 * processes + 20);
  },
);

test('four processes use 95 % of 50 requests a second with 1 % refused from the first request on', async () => {
  const minutes = await run({ limit: tokenBucket(50), processes: 4, concurrency: 8, seconds: 120 });
  const { used, refused } = shares(minutes, 50);
  expect(used).toBeGreaterThan(0.95);
  expect(refused).toBeLessThan(0.01);
});

test('500 requests a second are learned in seconds', async () => {
  const minutes = await run({ limit: tokenBucket(500), processes: 4, concurrency: 16, seconds: 60 });
  const { used, refused } = shares(minutes, 500);
  expect(used).toBeGreaterThan(0.95);
  expect(refused).toBeLessThan(0.01);
});

test.each([
  ['fixed', fixedWindow(50)],
  ['sliding', slidingWindow(50)],
])('a %s window is used to nine tenths, since what a pause leaves of it is lost', async (_, limit) => {
  const { used, refused } = shares((await run({ limit, processes: 4, concurrency: 8, seconds: 300 })).slice(1), 50);
  expect(used).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.01);
});

test.each([
  [25, 0.01],
  [10, 0.05],
])('a limit that falls to %i is known a minute later', async (later, mostRefused) => {
  const limit = tokenBucket((now) => (now < 120_000 ? 50 : later));
  const minutes = await run({ limit, processes: 4, concurrency: 8, seconds: 300 });
  const { used } = shares(minutes.slice(3), later);
  expect(used).toBeGreaterThan(0.95);
  expect(shares(minutes.slice(2), later).refused).toBeLessThan(mostRefused);
});

test('a limit that doubles is used to nine tenths after six minutes', async () => {
  const limit = tokenBucket((now) => (now < 60_000 ? 50 : 100));
  const minutes = await run({ limit, processes: 4, concurrency: 8, seconds: 480 });
  expect(shares(minutes.slice(-1), 100).used).toBeGreaterThan(0.9);
});

test('what others leave of a limit is used, and no more refused', async () => {
  const scene = { limit: tokenBucket(50), processes: 4, concurrency: 8, seconds: 240, others: 25 };
  const { used, refused } = shares((await run(scene)).slice(1), 25);
  expect(used).toBeGreaterThan(0.95);
  expect(refused).toBeLessThan(0.01);
});
