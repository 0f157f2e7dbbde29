import { describe, expect, test } from 'vitest';
import type { Bench } from './contract.js';
import { newItem, newJob, newWorker, noon, openJob, prepared, step } from './samples.js';

const key = { profile: 'acme', kind: 'product-create', dedupeKey: 'key-1' };
const then = { at: noon + 5, step: { is: 'read' } } as const;

export function itemContract(bench: () => Bench): void {
  describe('items', () => {
    test('an item is read back unchanged, with any JSON as its input', async () => {
      const { store, other } = bench();
      const input = { name: 'Pão "francês"\u0000\n', nested: [1, null, { deep: true }], amountText: '10.00' };
      await openJob(store, [newItem(1, { input })], newJob({ kind: 'of-a-newer-program' }));
      expect(await other.items.get('item-1')).toEqual({
        ...newItem(1, { input }),
        jobId: 'job-1',
        state: 'prepared',
        attempts: 0,
        dueAt: noon,
        updatedAt: noon,
        epoch: 0,
      });
      expect(await store.items.get('nobody')).toBeUndefined();
    });

    test('a list is in input order, in pages and by state', async () => {
      const { store } = bench();
      await openJob(store, [newItem(3), newItem(1), newItem(2, { dedupeKey: 'key-1' })]);
      const ids = async (filter: Parameters<typeof store.items.list>[1]) =>
        (await store.items.list('job-1', filter)).map((item) => item.id);
      expect(await ids({})).toEqual(['item-1', 'item-2', 'item-3']);
      expect(await ids({ limit: 1, afterOrdinal: 1 })).toEqual(['item-2']);
      expect(await ids({ states: ['skipped', 'failed'] })).toEqual(['item-2']);
      expect(await ids({ states: [] })).toEqual([]);
    });

    test('a key is held once per profile and kind: the second item is skipped and names the first', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1), newItem(2, { dedupeKey: 'key-1' })]);
      await openJob(store, [newItem(3, { dedupeKey: 'key-1' })], newJob({ id: 'job-2' }));
      await openJob(store, [newItem(4, { dedupeKey: 'key-1' })], newJob({ id: 'job-3', profile: 'beta' }));
      const actual = await Promise.all(
        ['item-1', 'item-2', 'item-3', 'item-4'].map(async (id) => {
          const item = await store.items.get(id);
          return [item?.state, item?.duplicateOf, item?.settledAt];
        }),
      );
      expect(actual).toEqual([
        ['prepared', undefined, undefined],
        ['skipped', 'item-1', noon],
        ['skipped', 'item-1', noon],
        ['prepared', undefined, undefined],
      ]);
      expect((await store.items.holder(key))?.id).toBe('item-1');
    });

    test('of two connections that add the same key at once only one holds it', async () => {
      const { store, other } = bench();
      await store.jobs.create(newJob(), []);
      await other.jobs.create(newJob({ id: 'job-2' }), []);
      const many = (from: number) =>
        Array.from({ length: 50 }, (_, i) => newItem(i + 1, { id: `${from}-${i}`, dedupeKey: `k-${i}` }));
      await Promise.all([store.jobs.append('job-1', many(1), noon), other.jobs.append('job-2', many(2), noon)]);
      const counts = [await store.jobs.counts('job-1'), await store.jobs.counts('job-2')];
      expect(counts.map((count) => count.prepared + count.skipped)).toEqual([50, 50]);
      expect(counts.reduce((sum, count) => sum + count.prepared, 0)).toBe(50);
    });

    test('a batch with a failing item is not written at all', async () => {
      const { store } = bench();
      await store.jobs.create(newJob(), []);
      const twice = [newItem(1), newItem(1, { dedupeKey: 'other' })];
      await expect(store.jobs.append('job-1', twice, noon)).rejects.toThrow();
      expect(await store.items.list('job-1', {})).toEqual([]);
    });
  });

  decideContract(bench);
  replaceContract(bench);
}

function decideContract(bench: () => Bench): void {
  describe('decide', () => {
    test('an item that was claimed since it was read is not changed, though its state is the same', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1)]);
      const read = await store.items.get('item-1');
      await other.items.claim(prepared);
      await other.workers.remove('worker-1');
      const then = { at: noon, step: { is: 'read' } } as const;
      if (read === undefined) throw new Error('an item');
      expect(await store.items.decide('item-1', read, step('failed'), then)).toBe(false);
      const now = { state: read.state, epoch: read.epoch + 1 };
      expect(await store.items.decide('item-1', now, step('failed'), then)).toBe(true);
    });

    test('changes only an unclaimed item in the given state', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      expect(await store.items.decide('item-1', 'uncertain', step('failed'), then)).toBe(false);
      expect(await store.items.decide('nobody', 'prepared', step('failed'), then)).toBe(false);
      const patch = step('cancelled', { holdsKey: false, settledAt: noon + 5 });
      expect(await store.items.decide('item-1', 'prepared', patch, then)).toBe(true);
      expect(await store.items.get('item-1')).toMatchObject({ state: 'cancelled', settledAt: noon + 5 });
      expect(await store.items.holder(key)).toBeUndefined();
      expect(await store.items.events('item-1')).toEqual([{ ...then, from: 'prepared', to: 'cancelled' }]);
    });

    test('refuses an item that a living worker holds, and takes one from a dead worker for good', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      const [item] = await store.items.claim(prepared);
      expect(await store.items.decide('item-1', 'prepared', step('cancelled'), then)).toBe(false);
      const late = { at: noon + 60_000, step: { is: 'read' } } as const;
      expect(await store.items.decide('item-1', 'prepared', step('uncertain'), late)).toBe(true);
      const mine = { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 };
      expect(await store.items.transition(mine, step('sending'), late)).toBe(false);
      expect(await store.items.get('item-1')).toMatchObject({ state: 'uncertain' });
    });

    test('does not give an item a key that another item holds', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      await store.items.decide('item-1', 'prepared', step('failed', { holdsKey: false }), then);
      await openJob(store, [newItem(2, { dedupeKey: 'key-1' })], newJob({ id: 'job-2' }));
      await expect(store.items.decide('item-1', 'failed', step('prepared'), then)).rejects.toMatchObject({
        code: 'job.key_held',
      });
      expect(await store.items.get('item-1')).toMatchObject({ state: 'failed' });
    });
  });
}

function replaceContract(bench: () => Bench): void {
  describe('replace', () => {
    const again = { ...newItem(1), id: 'item-1b', idempotencyKey: 'idem-1b', previousId: 'item-1' };

    test('replaces a failed item with a new one and opens the job again', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1), newItem(2)]);
      await store.items.decide('item-1', 'prepared', step('failed', { holdsKey: false }), then);
      await store.jobs.setState('job-1', 'done', noon + 6);
      await store.items.replace('job-1', again, noon + 7);
      const items = await store.items.list('job-1', {});
      expect(items.map((item) => [item.id, item.state, item.previousId])).toEqual([
        ['item-1b', 'prepared', 'item-1'],
        ['item-2', 'prepared', undefined],
      ]);
      expect(await store.jobs.counts('job-1')).toMatchObject({ prepared: 2, failed: 0 });
      expect((await store.items.holder(key))?.id).toBe('item-1b');
      expect(await store.items.get('item-1')).toMatchObject({ state: 'failed' });
      const job = await store.jobs.get('job-1');
      expect([job?.state, job?.finishedAt]).toEqual(['open', undefined]);
    });

    test('never replaces an item twice, nor one that has not failed', async () => {
      const { store, other } = bench();
      await openJob(store, [newItem(1), newItem(2)]);
      const second = { ...again, id: 'item-2b', ordinal: 2, previousId: 'item-2' };
      await expect(store.items.replace('job-1', second, noon)).rejects.toMatchObject({ code: 'job.item_changed' });
      const unknown = { ...again, previousId: 'nobody' };
      await expect(store.items.replace('job-1', unknown, noon)).rejects.toMatchObject({ code: 'job.item_not_found' });
      await store.items.decide('item-1', 'prepared', step('rejected', { holdsKey: false }), then);
      const both = await Promise.allSettled([
        store.items.replace('job-1', again, noon),
        other.items.replace('job-1', { ...again, id: 'item-1c' }, noon),
      ]);
      expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await store.items.list('job-1', {})).toHaveLength(2);
    });

    test('is skipped if another item holds the key', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      await store.items.decide('item-1', 'prepared', step('failed', { holdsKey: false }), then);
      await openJob(store, [newItem(2, { dedupeKey: 'key-1' })], newJob({ id: 'job-2' }));
      await store.items.replace('job-1', again, noon);
      expect(await store.items.get('item-1b')).toMatchObject({ state: 'skipped', duplicateOf: 'item-2' });
    });
  });

  describe('workers', () => {
    test('register, renew and list; a lease that was removed cannot be renewed', async () => {
      const { store, other } = bench();
      await store.workers.register(newWorker());
      expect(await store.workers.renew('worker-1', noon + 90_000)).toBe(true);
      expect(await other.workers.list()).toEqual([newWorker({ expiresAt: noon + 90_000 })]);
      await other.workers.remove('worker-1');
      expect(await store.workers.renew('worker-1', noon + 120_000)).toBe(false);
      expect(await store.workers.list()).toEqual([]);
    });
  });
}
