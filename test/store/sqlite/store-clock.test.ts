import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open.js';
import type { Store } from '../../../src/store/store.js';
import { newItem, openJob, step } from '../samples.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const noon = Date.UTC(2026, 9, 1, 12);
const HOUR = 3_600_000;

/** A machine whose wall clock and running time are set by hand. */
function machine(name: string, { wall = noon, uptime = 1_000 } = {}) {
  const at = { wall, uptime };
  return {
    pass(ms: number) {
      at.wall += ms;
      at.uptime += ms;
    },
    setWallClock(ms: number) {
      at.wall += ms;
    },
    async open(path: string): Promise<Store> {
      const clock = { now: () => at.wall, uptime: () => at.uptime, sleep: () => Promise.resolve() };
      return await openStore({ path, clock, machine: name });
    },
  };
}

const pathOf = () => `${temporaryFolder()}/store.db`;

test.each([HOUR, -HOUR, 90_000, -90_000])(
  'a wall clock that is set by %i ms does not change the time of the store, and is noticed once',
  async (jump) => {
    const here = machine('here/boot-1');
    const path = pathOf();
    const first = await here.open(path);
    expect(first.clock.now()).toBe(noon);
    here.pass(10_000);
    here.setWallClock(jump);
    const second = await here.open(path);
    expect([first.clock.now(), second.clock.now()]).toEqual([noon + 10_000, noon + 10_000]);
    const told = [await first.clock.takeJump(), await first.clock.takeJump(), await second.clock.takeJump()];
    expect(told).toEqual([jump, undefined, undefined]);
    await first.close();
    await second.close();
  },
);

test('after a reboot the store continues from the wall clock, but never goes back', async () => {
  const path = pathOf();
  const before = await machine('here/boot-1').open(path);
  await before.close();
  const later = await machine('here/boot-2', { wall: noon + 8 * HOUR, uptime: 50 }).open(path);
  expect(later.clock.now()).toBe(noon + 8 * HOUR);
  await later.close();
  const earlier = await machine('here/boot-3', { wall: noon - HOUR, uptime: 50 }).open(path);
  expect(earlier.clock.now()).toBe(noon + 8 * HOUR);
  await earlier.close();
});

test('a time with a fraction that an earlier boot left sets the pauses of items', async () => {
  const path = pathOf();
  const before = machine('here/boot-1');
  await (await before.open(path)).close();
  // So long that the time is written again, with the fraction of the uptime.
  before.pass(2 * HOUR + 0.25);
  const late = await before.open(path);
  await openJob(late, [newItem(1)]);
  const [item] = await late.items.list('job-1', {});
  const then = { at: late.clock.now(), step: { is: 'read' } } as const;
  await late.items.decide(item?.id ?? '', 'prepared', step('prepared', { dueAt: noon + 24 * HOUR }), then);
  await late.close();
  const store = await machine('here/boot-2', { uptime: 50 }).open(path);
  expect(await store.items.list('job-1', {})).toMatchObject([{ dueAt: noon + 2 * HOUR + 1 }]);
  await store.close();
});

test('only time counted since the last boot has certainly passed', async () => {
  const path = pathOf();
  const first = machine('here/boot-1');
  const before = await first.open(path);
  const sentAt = before.clock.now();
  first.pass(5_000);
  expect(before.clock.surelySince(sentAt)).toBe(5_000);
  await before.close();
  // The wall clock jumps an hour ahead over the restart; that the hour has passed is not known.
  const second = machine('here/boot-2', { wall: noon + HOUR, uptime: 50 });
  const after = await second.open(path);
  expect(after.clock.surelySince(sentAt)).toBe(0);
  second.pass(2_000);
  expect(after.clock.surelySince(sentAt)).toBe(2_000);
  await after.close();
});

test('a time that an earlier clock set into the far future delays nothing', async () => {
  const path = pathOf();
  const wrong = await machine('here/boot-1', { wall: noon + 24 * HOUR }).open(path);
  await wrong.pace.block({ profile: 'p', host: 'h' }, wrong.clock.now() + HOUR);
  await wrong.close();
  const right = await machine('here/boot-2', { uptime: 50 }).open(path);
  const row = await right.pace.get({ profile: 'p', host: 'h' });
  expect((row?.blockedUntil ?? 0) - right.clock.now()).toBeLessThanOrEqual(15 * 60_000);
  await right.close();
});
