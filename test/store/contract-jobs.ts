import { describe, expect, test } from 'vitest';
import type { Bench } from './contract.js';
import { newItem, newJob, noon, openJob, prepared, request, step } from './samples.js';
import { addUsage } from '../support/usage.js';

const noItems = {
  prepared: 0,
  sending: 0,
  pending: 0,
  succeeded: 0,
  rejected: 0,
  failed: 0,
  skipped: 0,
  uncertain: 0,
  cancelled: 0,
};

export function jobContract(bench: () => Bench): void {
  describe('jobs', () => {
    test('a job is created in loading and read back unchanged', async () => {
      const { store, other } = bench();
      expect(await store.jobs.create(newJob(), [])).toBeUndefined();
      const { at, ...rest } = newJob();
      expect(await other.jobs.get('job-1')).toEqual({ ...rest, state: 'loading', createdAt: at, updatedAt: at });
      expect(await store.jobs.get('nobody')).toBeUndefined();
    });

    test('an earlier job of the same input is returned instead of a second one', async () => {
      const { store, other } = bench();
      await store.jobs.create(newJob(), ['loading', 'open']);
      const found = await other.jobs.create(newJob({ id: 'job-2' }), ['loading', 'open']);
      expect(found?.id).toBe('job-1');
      expect(await store.jobs.get('job-2')).toBeUndefined();
      expect(await store.jobs.create(newJob({ id: 'job-3' }), ['open'])).toBeUndefined();
      expect(await store.jobs.create(newJob({ id: 'job-4', profile: 'beta' }), ['loading'])).toBeUndefined();
    });

    test('of two creations at once only one writes', async () => {
      const { store, other } = bench();
      const results = await Promise.all([
        store.jobs.create(newJob({ id: 'a' }), ['loading']),
        other.jobs.create(newJob({ id: 'b' }), ['loading']),
      ]);
      expect(results.filter((found) => found === undefined)).toHaveLength(1);
      expect(await store.jobs.list({})).toHaveLength(1);
    });

    test('the newest job of a digest is found, and lists are newest first', async () => {
      const { store } = bench();
      await store.jobs.create(newJob({ id: 'a' }), []);
      await store.jobs.create(newJob({ id: 'b' }), []);
      await store.jobs.create(newJob({ id: 'c', profile: 'beta', kind: 'product-update' }), []);
      await store.jobs.setState('a', 'done', noon);
      const key = { operation: 'product.create', profile: 'acme', inputDigest: 'digest-1' };
      const ids = async (filter: Parameters<typeof store.jobs.list>[0]) =>
        (await store.jobs.list(filter)).map((job) => job.id);
      expect((await store.jobs.find(key))?.id).toBe('b');
      expect(await store.jobs.find({ ...key, inputDigest: 'other' })).toBeUndefined();
      expect(await ids({})).toEqual(['c', 'b', 'a']);
      expect(await ids({ profile: 'acme' })).toEqual(['b', 'a']);
      expect(await ids({ kind: 'product-update' })).toEqual(['c']);
      expect(await ids({ states: ['done', 'cancelled'] })).toEqual(['a']);
      expect(await ids({ limit: 1 })).toEqual(['c']);
    });

    test('seal opens a loading job only, and discard removes a loading job only', async () => {
      const { store } = bench();
      await store.jobs.create(newJob(), []);
      await store.jobs.append('job-1', [newItem(1)], noon);
      await store.jobs.seal('job-1', noon + 1);
      expect(await store.jobs.get('job-1')).toMatchObject({ state: 'open', updatedAt: noon + 1 });
      await store.jobs.setState('job-1', 'done', noon + 2);
      await store.jobs.seal('job-1', noon + 3);
      await store.jobs.discard('job-1');
      expect(await store.jobs.get('job-1')).toMatchObject({ state: 'done', finishedAt: noon + 2 });
      await store.jobs.create(newJob({ id: 'job-2' }), []);
      await store.jobs.append('job-2', [newItem(2)], noon);
      await store.jobs.discard('job-2');
      expect(await store.jobs.get('job-2')).toBeUndefined();
      expect(await store.items.get('item-2')).toBeUndefined();
    });

    test('a reopened job has no end time', async () => {
      const { store } = bench();
      await store.jobs.create(newJob(), []);
      await store.jobs.setState('job-1', 'cancelled', noon);
      await store.jobs.setState('job-1', 'open', noon + 1);
      expect((await store.jobs.get('job-1'))?.finishedAt).toBeUndefined();
    });

    test('counts name every state', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1), newItem(2), newItem(3, { dedupeKey: 'key-1' })]);
      expect(await store.jobs.counts('job-1')).toEqual({ ...noItems, prepared: 2, skipped: 1 });
      expect(await store.jobs.counts('nobody')).toEqual(noItems);
    });

    test('items for a removed job are all refused', async () => {
      await expect(bench().store.jobs.append('nobody', [newItem(1)], noon)).rejects.toMatchObject({
        code: 'job.not_found',
      });
    });
  });

  pruneContract(bench);
}

function pruneContract(bench: () => Bench): void {
  describe('prune', () => {
    test('removes old ended jobs with their items and requests, and keeps the others', async () => {
      const { store } = bench();
      for (const id of ['old', 'young', 'open', 'asking']) {
        await store.jobs.create(newJob({ id, inputDigest: id }), []);
        await store.jobs.append(id, [newItem(1, { id: `${id}-1`, dedupeKey: id })], noon);
        await store.jobs.seal(id, noon);
        await store.history.add(request({ jobId: id }));
      }
      await store.jobs.setState('old', 'done', noon - 10);
      await store.jobs.setState('young', 'done', noon);
      await store.items.decide('asking-1', 'prepared', step('uncertain'), { at: noon, step: { is: 'read' } });
      await store.jobs.setState('asking', 'done', noon - 10);
      expect(await store.jobs.prune(noon)).toBe(1);
      expect((await store.jobs.list({})).map((job) => job.id)).toEqual(['asking', 'open', 'young']);
      expect(await store.items.get('old-1')).toBeUndefined();
      expect((await store.history.list({})).map((row) => row.jobId)).toEqual(['asking', 'open', 'young']);
    });

    test('frees the keys of the removed items', async () => {
      const { store } = bench();
      await openJob(store, [newItem(1)]);
      const [item] = await store.items.claim(prepared);
      await store.items.transition(
        { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 },
        step('succeeded', { keep: false }),
        { at: noon, step: { is: 'read' } },
      );
      await store.jobs.setState('job-1', 'done', noon);
      await store.jobs.prune(noon + 1);
      const key = { profile: 'acme', kind: 'product-create', dedupeKey: 'key-1' };
      expect(await store.items.holder(key)).toBeUndefined();
    });
  });

  describe('forget', () => {
    test('removes every row of one profile and nothing of another', async () => {
      const { store } = bench();
      for (const profile of ['acme', 'beta']) {
        await store.jobs.create(newJob({ id: profile, profile }), []);
        await store.jobs.append(profile, [newItem(1, { id: `${profile}-1` })], noon);
        await store.history.add(request({ profile }));
        await addUsage(store.usage, {
          at: noon,
          profile,
          operation: 'product.create',
          billed: 'engine',
          outcome: 'billed',
        });
        await store.pace.block({ profile, host: 'api' }, noon);
        await store.known.put({ profile, kind: 'product', scope: 't', id: 'p', data: {}, seenAt: noon });
      }
      await store.forget('acme');
      const left = async (profile: string) => [
        await store.jobs.get(profile),
        await store.items.get(`${profile}-1`),
        (await store.history.list({ profile }))[0],
        (await store.usage.list({ profile }))[0],
        await store.pace.get({ profile, host: 'api' }),
        (await store.known.list({ profile, kind: 'product' }))[0],
      ];
      expect(await left('acme')).toEqual(Array.from({ length: 6 }, () => undefined));
      expect((await left('beta')).filter((row) => row !== undefined)).toHaveLength(6);
    });
  });
}
