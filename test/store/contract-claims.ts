import { describe, expect, test } from 'vitest';
import type { HostPace, ItemRow, Store } from '../../src/store/store.js';
import type { Bench } from './contract.js';
import { inputs } from '../jobs/kinds/inputs.js';
import { newItem, newJob, newWorker, noon, openJob, prepared, request, step } from './samples.js';

const learned = { refusedAt: noon + 0.5, acceptedThen: 3, agreeing: 1, limitPerMs: 0.05 };
const then = { at: noon + 5, step: { is: 'read' } } as const;

async function claimOne(store: Store): Promise<{ id: string; workerId: string; epoch: number }> {
  const [item] = await store.items.claim({ ...prepared, limit: 1 });
  if (item === undefined) throw new Error('nothing to claim');
  return { id: item.id, workerId: 'worker-1', epoch: item.epoch };
}

const ids = (items: readonly ItemRow[]) => items.map((item) => item.id);

export function claimContract(bench: () => Bench): void {
  describe('claim', () => {
    test('takes due items oldest first up to the limit, and increments their epoch', async () => {
      const { store } = bench();
      await openJob(store, [newItem(2), newItem(1), newItem(3), newItem(4)]);
      await store.items.decide('item-3', 'prepared', step('prepared', { dueAt: noon - 1 }), then);
      await store.items.decide('item-4', 'prepared', step('prepared', { dueAt: noon + 1 }), then);
      const taken = await store.items.claim({ ...prepared, limit: 2 });
      expect(taken.map((item) => [item.id, item.epoch, item.workerId])).toEqual([
        ['item-3', 2, 'worker-1'],
        ['item-1', 1, 'worker-1'],
      ]);
      expect(ids(await store.items.claim(prepared))).toEqual(['item-2']);
      expect(ids(await store.items.claim(prepared))).toEqual([]);
      expect(ids(await store.items.claim({ ...prepared, now: noon + 1 }))).toEqual(['item-4']);
    });

    test('takes only the given states, and items in sending first', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1), newItem(2), newItem(3)]);
      await store.items.decide('item-2', 'prepared', step('pending'), then);
      await store.items.decide('item-3', 'prepared', step('sending'), then);
      expect(ids(await store.items.claim({ ...prepared, states: [] }))).toEqual([]);
      const states = ['prepared', 'sending'] as const;
      expect(ids(await store.items.claim({ ...prepared, states, limit: 1 }))).toEqual(['item-3']);
      await store.items.decide('item-2', 'pending', step('sending', { dueAt: noon }), then);
      expect(ids(await store.items.claim({ ...prepared, states }))).toEqual(['item-2', 'item-1']);
    });

    test('takes nothing of a loading job, and nothing for a worker without a lease', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      await store.jobs.create(newJob({ id: 'job-2' }), []);
      await store.jobs.append('job-2', [newItem(2)], noon);
      expect(await store.items.claim({ ...prepared, jobId: 'job-2' })).toEqual([]);
      expect(await store.items.claim({ ...prepared, workerId: 'stranger' })).toEqual([]);
      expect(await store.items.claim({ ...prepared, now: noon + 60_000 })).toEqual([]);
    });

    test('wakes pending items of a resource: they come first, in any job, and nothing else changes', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1), newItem(2), newItem(3)]);
      await openJob(store, [newItem(4, { dedupeKey: 'else' })], newJob({ id: 'job-2', profile: 'beta' }));
      const about = { resourceId: 'p-1', dueAt: noon + 9_000, keep: false };
      await store.items.decide('item-1', 'prepared', step('pending', { ...about, resourceId: 'p-2' }), then);
      await store.items.decide('item-2', 'prepared', step('pending', about), then);
      await store.items.decide('item-3', 'prepared', step('succeeded', about), then);
      await store.items.decide('item-4', 'prepared', step('pending', about), then);
      const wake = (resourceId: string) => other.items.wake({ profile: 'acme', resourceId });
      expect([await wake('p-1'), await wake('p-9')]).toEqual([[{ id: 'item-2', jobId: 'job-1' }], []]);
      const pending = { ...prepared, states: ['pending'], limit: 9 } as const;
      expect(ids(await store.items.claim(pending))).toEqual(['item-2']);
      expect(ids(await store.items.claim({ ...pending, jobId: 'job-2' }))).toEqual([]);
      expect(ids(await store.items.claim({ ...pending, now: noon + 9_000 }))).toEqual(['item-1']);
    });

    test('names the invoices of a resource, and those that were sent and may be of it, of every profile', async () => {
      const { store, other } = bench();
      const nfe = inputs['nfe-issue'];
      await openJob(
        store,
        [1, 2, 3, 4, 5].map((ordinal) => newItem(ordinal, { input: nfe })),
        newJob({ kind: 'nfe-issue' }),
      );
      await openJob(store, [newItem(6, { input: nfe })], newJob({ id: 'job-2', profile: 'beta', kind: 'nfe-issue' }));
      await openJob(store, [newItem(7, { input: inputs['nfce-issue'] })], newJob({ id: 'job-3', kind: 'nfce-issue' }));
      const ended = { keep: false, attempts: 1 };
      const named = { ...ended, resourceId: 'p-1' };
      await store.items.decide('item-1', 'prepared', step('succeeded', named), then);
      await store.items.decide('item-2', 'prepared', step('succeeded', { ...named, resourceId: 'p-2' }), then);
      await store.items.decide('item-3', 'prepared', step('uncertain', ended), then);
      await store.items.decide('item-4', 'prepared', step('failed', { ...ended, holdsKey: false }), then);
      await store.items.decide('item-6', 'prepared', step('skipped', { ...named, attempts: 0 }), then);
      await store.items.decide('item-7', 'prepared', step('succeeded', named), then);
      const found = await other.items.claimants({ kind: 'nfe-issue', resourceIds: ['p-1', 'p-9'] });
      expect(ids(found).toSorted()).toEqual(['item-1', 'item-3', 'item-6']);
      const ofResource = { profile: 'acme', kind: 'nfe-issue', resourceId: 'p-1' };
      expect(ids(await other.items.ofResource(ofResource)).toSorted()).toEqual(['item-1']);
      expect(await other.items.ofResource({ ...ofResource, profile: 'b' })).toEqual([]);
    });

    test('by two connections at once never takes an item twice', async () => {
      const { store, other } = bench();
      await openJob(
        store,
        Array.from({ length: 60 }, (_, i) => newItem(i + 1)),
      );
      await store.workers.register(newWorker({ id: 'worker-2' }));
      const turns = Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0
          ? store.items.claim({ ...prepared, limit: 6 })
          : other.items.claim({ ...prepared, workerId: 'worker-2', limit: 6 }),
      );
      const taken = (await Promise.all(turns)).flat();
      expect(taken).toHaveLength(60);
      expect(new Set(ids(taken)).size).toBe(60);
    });

    test('takes over from a worker whose lease has expired, and fences the old one', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1)]);
      const old = await claimOne(store);
      await other.workers.register(newWorker({ id: 'worker-2', expiresAt: noon + 180_000 }));
      const claim = { ...prepared, workerId: 'worker-2' };
      expect(await other.items.claim({ ...claim, now: noon + 59_999 })).toEqual([]);
      expect(ids(await other.items.claim({ ...claim, now: noon + 60_000 }))).toEqual(['item-1']);
      expect(await store.items.transition(old, step('sending'), then)).toBe(false);
      expect(await store.items.get('item-1')).toMatchObject({ state: 'prepared', epoch: 2 });
      expect(await store.items.events('item-1')).toEqual([]);
    });

    test('takes the items of a removed worker immediately', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1)]);
      const old = await claimOne(store);
      await other.workers.register(newWorker({ id: 'worker-2' }));
      await other.workers.remove('worker-1');
      expect(await store.items.transition(old, step('sending'), then)).toBe(false);
      expect(ids(await other.items.claim({ ...prepared, workerId: 'worker-2' }))).toEqual(['item-1']);
    });
  });

  transitionContract(bench);
}

function transitionContract(bench: () => Bench): void {
  describe('transition', () => {
    test('writes the fields of the patch, clears nulls, keeps the rest and logs the step', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1)]);
      const mine = await claimOne(store);
      const first = step('sending', { attempts: 1, sentAt: noon + 5, errorCode: 'network.cut', requestId: 'r-1' });
      expect(await store.items.transition(mine, first, then)).toBe(true);
      const second = step('pending', {
        resourceId: 'p-1',
        location: 'https://api.example/p-1',
        remoteStatus: 'Created',
        httpStatus: 201,
        errorCode: null,
        dueAt: noon + 300.5,
        keep: false,
      });
      expect(await store.items.transition(mine, second, { at: noon + 6, step: { is: 'answered' } })).toBe(true);
      expect(await other.items.get('item-1')).toEqual({
        ...newItem(1),
        jobId: 'job-1',
        state: 'pending',
        attempts: 1,
        sentAt: noon + 5,
        requestId: 'r-1',
        resourceId: 'p-1',
        location: 'https://api.example/p-1',
        remoteStatus: 'Created',
        httpStatus: 201,
        dueAt: noon + 301,
        updatedAt: noon + 6,
        epoch: 1,
      });
      expect(await other.items.events('item-1')).toEqual([
        { ...then, from: 'prepared', to: 'sending' },
        { at: noon + 6, step: { is: 'answered' }, from: 'sending', to: 'pending' },
      ]);
    });

    test('is refused with another epoch, another worker, an unknown item, or after a release', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      const mine = await claimOne(store);
      const attempts = [
        { ...mine, epoch: mine.epoch + 1 },
        { ...mine, workerId: 'worker-2' },
        { ...mine, id: 'nobody' },
      ];
      for (const item of attempts) {
        expect(await store.items.transition(item, step('failed'), then)).toBe(false);
      }
      expect(await store.items.transition(mine, step('pending', { keep: false }), then)).toBe(true);
      expect(await store.items.transition(mine, step('succeeded'), then)).toBe(false);
      expect(await store.items.events('item-1')).toHaveLength(1);
    });

    test('frees a key for the next item', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      await store.items.transition(await claimOne(store), step('rejected', { holdsKey: false, keep: false }), then);
      await openJob(store, [newItem(2, { dedupeKey: 'key-1' })], newJob({ id: 'job-2' }));
      expect(await store.items.get('item-2')).toMatchObject({ state: 'prepared' });
    });

    test('by two connections at once happens once per item', async () => {
      const { store, other } = bench();
      await openJob(
        store,
        Array.from({ length: 40 }, (_, i) => newItem(i + 1)),
      );
      const taken = await store.items.claim({ ...prepared, limit: 40 });
      const done = await Promise.all(
        taken.map((item, index) =>
          (index % 2 === 0 ? store : other).items.transition(
            { id: item.id, workerId: 'worker-1', epoch: item.epoch },
            step('succeeded'),
            then,
          ),
        ),
      );
      expect(done.every(Boolean)).toBe(true);
      expect(await store.jobs.counts('job-1')).toMatchObject({ prepared: 0, succeeded: 40 });
    });
  });

  describe('what goes along with a step', () => {
    const calls = [request({ at: noon + 4, method: 'POST', operation: 'product.create', itemId: 'item-1' })];
    const known = {
      profile: 'acme',
      kind: 'k',
      scope: '',
      id: 'p-1',
      label: 'p-1',
      data: { code: '135' },
      seenAt: noon,
    };
    const stored = async ({ other }: Bench) => ({
      calls: await other.history.list({}),
      known: (await other.known.get(known))?.data,
    });

    test('is stored with it', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      const mine = await claimOne(store);
      expect(await store.items.transition(mine, step('pending'), then, { calls, known })).toBe(true);
      expect(await store.items.transition(mine, step('succeeded'), then, { calls: [] })).toBe(true);
      expect(await stored(bench())).toEqual({ calls, known: known.data });
    });

    test('is stored also where another worker holds the item', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      const mine = await claimOne(store);
      await store.items.decide('item-1', 'prepared', step('prepared'), { ...then, at: noon + 60_001 });
      let isGiven = false;
      const along = { calls, known, paces: () => (isGiven = true) };
      expect(await store.items.transition(mine, step('pending'), then, along)).toBe(false);
      expect({ ...(await stored(bench())), isGiven }).toEqual({ calls, known: known.data, isGiven: false });
    });

    test('may be the pace of each host of the profile, as another process has left it', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1), newItem(2)]);
      const given: (readonly HostPace[])[] = [];
      const paces = (rows: readonly HostPace[]) => void given.push(rows);
      const mine = await claimOne(store);
      await store.items.transition(mine, step('sending'), then, { paces });
      await other.pace.block({ profile: 'acme', host: 'h' }, noon + 900.5);
      await other.pace.learn({ profile: 'acme', host: 'h' }, null, learned);
      await other.pace.block({ profile: 'beta', host: 'i' }, noon);
      await other.pace.reserve({ profile: 'acme', host: 'a capture' }, { count: 1, intervalMs: 1 }, noon);
      const row = { host: 'h', blockedUntil: noon + 900.5, nextSlotAt: 0, intervalMs: 0, accepted: 0, ...learned };
      await store.items.transition(mine, step('pending'), then, { paces });
      await store.items.claim(prepared, { paces });
      await store.items.claim(prepared, { paces });
      expect(given).toEqual([[], [row], [row]]);
    });
  });

  describe('nextDue and holders', () => {
    test('nextDue is the earliest time of items that no living worker holds', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1), newItem(2)]);
      await store.items.decide('item-2', 'prepared', step('pending', { dueAt: noon + 300 }), then);
      const states = ['prepared', 'pending'] as const;
      expect(await store.items.nextDue('job-1', states, noon)).toBe(noon);
      await claimOne(store);
      expect(await store.items.nextDue('job-1', states, noon)).toBe(noon + 300);
      expect(await store.items.nextDue('job-1', ['prepared'], noon)).toBeUndefined();
      expect(await store.items.nextDue('job-1', ['prepared'], noon + 60_000)).toBe(noon);
      expect(await store.items.nextDue('nobody', states, noon)).toBeUndefined();
    });

    test('holders are the living workers that hold items of the job', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      await store.workers.register(newWorker({ id: 'idle' }));
      expect(await store.items.holders('job-1', noon)).toEqual([]);
      await claimOne(store);
      expect(await store.items.holders('job-1', noon)).toEqual([newWorker()]);
      expect(await store.items.holders('job-2', noon)).toEqual([]);
      expect(await store.items.holders('job-1', noon + 60_000)).toEqual([]);
    });
  });
}
