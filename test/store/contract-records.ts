import { describe, expect, test } from 'vitest';
import type { CountedCalls, ItemPatch } from '../../src/store/store.js';
import type { Bench } from './contract.js';
import { newItem, newJob, noon, openJob, request, step } from './samples.js';
import { addUsage } from '../support/usage.js';

const api = { profile: 'acme', host: 'api.example' };

export function recordContract(bench: () => Bench): void {
  describe('pace', () => {
    test('slots are assigned one after the other to all connections', async () => {
      const { store, other } = bench();
      const starts = await Promise.all([
        store.pace.reserve(api, { count: 1, intervalMs: 100 }, noon),
        store.pace.reserve(api, { count: 2, intervalMs: 100 }, noon),
        other.pace.reserve(api, { count: 1, intervalMs: 100 }, noon),
        other.pace.reserve(api, { count: 1, intervalMs: 100 }, noon),
      ]);
      const taken = starts.flatMap((start, index) => (index === 1 ? [start, start + 100] : [start]));
      expect(taken.map((start) => start - noon).sort((a, b) => a - b)).toEqual([0, 100, 200, 300, 400]);
      expect(await store.pace.get(api)).toMatchObject({ blockedUntil: 0, nextSlotAt: noon + 500, intervalMs: 100 });
      expect(await store.pace.reserve(api, { count: 1, intervalMs: 100 }, noon + 9_000)).toBe(noon + 9_000);
      expect(await store.pace.get({ ...api, profile: 'beta' })).toBeUndefined();
    });

    test('without a rate a slot is immediate', async () => {
      const { store } = bench();
      await store.pace.reserve(api, { count: 50, intervalMs: 100 }, noon);
      expect(await store.pace.reserve(api, { count: 1, intervalMs: 0 }, noon)).toBe(noon);
      expect(await store.pace.reserve(api, { count: 1, intervalMs: 100 }, noon)).toBe(noon + 5_000);
    });

    test('accepted requests of all connections are counted, and one of two that learn at a time is heard', async () => {
      const { store, other } = bench();
      await store.pace.reserve(api, { count: 1, intervalMs: 0, accepted: 3 }, noon);
      await other.pace.reserve(api, { count: 0, intervalMs: 0, accepted: 4 }, noon);
      const unlearned = { refusedAt: null, acceptedThen: 0, agreeing: 0, limitPerMs: 0 };
      expect(await store.pace.get(api)).toMatchObject({ accepted: 7, ...unlearned });
      const learned = { refusedAt: noon + 0.5, acceptedThen: 7, agreeing: 1, limitPerMs: 0.05 };
      await store.pace.learn(api, null, learned);
      await other.pace.learn(api, null, { ...learned, limitPerMs: 9 });
      expect(await other.pace.get(api)).toMatchObject({ accepted: 7, ...learned });
      await other.pace.learn(api, noon + 0.5, { ...learned, refusedAt: noon + 2_000 });
      expect(await store.pace.get(api)).toMatchObject({ refusedAt: noon + 2_000 });
    });

    test('a block applies to every process, is never shortened, and moves no slot of the rate', async () => {
      const { store, other } = bench();
      await store.pace.reserve(api, { count: 1, intervalMs: 33.3 }, noon);
      await store.pace.block(api, noon + 5_000);
      await other.pace.block(api, noon + 1_000);
      expect(await other.pace.get(api)).toMatchObject({
        blockedUntil: noon + 5_000,
        nextSlotAt: noon + 33.3,
        intervalMs: 33.3,
      });
      expect(await other.pace.reserve(api, { count: 1, intervalMs: 0 }, noon)).toBe(noon);
      expect(await other.pace.reserve(api, { count: 1, intervalMs: 100 }, noon)).toBe(noon + 33.3);
    });

    test('the blocks of a profile are listed with what was asked for, and end at a reset; those of captures stay', async () => {
      const { store, other } = bench();
      const capture = { profile: 'acme', host: 'capture nfe c-1' };
      const beta = { profile: 'beta', host: 'api' };
      await store.pace.block({ profile: 'acme', host: 'api' }, noon + 5_000, 9e12);
      // A shorter one changes nothing, what was asked for included.
      await store.pace.block({ profile: 'acme', host: 'api' }, noon + 1_000);
      await store.pace.block({ profile: 'acme', host: 'other' }, noon + 2_000);
      for (const key of [capture, beta]) await store.pace.block(key, noon + 5_000);
      expect(await other.pace.blocked('acme', noon + 1_000)).toEqual([
        { host: 'api', blockedUntil: noon + 5_000, askedMs: 9e12 },
        { host: 'other', blockedUntil: noon + 2_000, askedMs: null },
      ]);
      expect(await other.pace.blocked('acme', noon + 2_000)).toHaveLength(1);
      await other.pace.reset('acme');
      expect(await store.pace.blocked('acme', noon)).toEqual([]);
      expect((await store.pace.get(capture))?.blockedUntil).toBe(noon + 5_000);
      expect(await store.pace.blocked('beta', noon)).toHaveLength(1);
    });

    test('a reset makes due what the service sent away, and nothing else', async () => {
      const { store, other } = bench();
      const later = { dueAt: noon + 600_000, keep: false } as const;
      const away = { ...later, errorCode: 'service.busy' };
      const items = Array.from({ length: 6 }, (_, index) => newItem(index + 1));
      await openJob(store, items);
      await openJob(store, [newItem(7)], newJob({ id: 'job-2', profile: 'beta', inputDigest: 'digest-2' }));
      const put = (id: string, patch: ItemPatch) =>
        store.items.decide(id, 'prepared', patch, { at: noon, step: { is: 'read' } });
      await put('item-1', step('prepared', { ...away, httpStatus: 429 }));
      await put('item-2', step('prepared', { ...later, errorCode: 'service.rate_limited' }));
      await put('item-3', step('prepared', { ...later, errorCode: 'service.refused' }));
      await put('item-4', step('pending', away));
      await put('item-5', step('sending', away));
      await put('item-7', step('prepared', away));
      await other.pace.reset('acme');
      const rows = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => store.items.get(`item-${n}`)));
      const isDue = rows.map((row) => (row?.dueAt ?? Number.POSITIVE_INFINITY) <= noon);
      expect(isDue).toEqual([true, true, false, false, false, true, false]);
    });
  });

  usageContract(bench);
  historyContract(bench);
  knownContract(bench);
}

function usageContract(bench: () => Bench): void {
  describe('usage', () => {
    test('rows are read back unchanged, newest first, by profile, time and limit', async () => {
      const { store, other } = bench();
      const first = {
        at: noon,
        profile: 'acme',
        operation: 'product.create',
        billed: 'engine',
        outcome: 'billed',
        jobId: 'job-1',
        itemId: 'item-1',
        requestId: 'r-1',
      } as const;
      const second = {
        at: noon + 1,
        profile: 'beta',
        operation: 'nfse.fetchByKey',
        billed: 'doc-by-key',
        outcome: 'unknown',
      } as const;
      await addUsage(store.usage, first);
      await addUsage(store.usage, second);
      expect(await other.usage.list({})).toEqual([second, first]);
      expect(await store.usage.list({ profile: 'acme' })).toEqual([first]);
      expect(await store.usage.list({ since: noon + 1 })).toEqual([second]);
      expect(await store.usage.list({ limit: 1 })).toEqual([second]);
    });
    usageCountContract(bench);
    usageLimitContract(bench);
  });
}

function usageLimitContract(bench: () => Bench): void {
  const call = { at: noon, profile: 'acme', operation: 'product.create', billed: 'engine' } as const;
  const only = (calls: number) => ({
    since: noon,
    until: noon + 10,
    allows: (counts: readonly CountedCalls[]) => counts.reduce((sum, row) => sum + row.calls, 0) < calls,
  });

  test('a call counts as unknown before it is sent, and not at all once it is known to be free', async () => {
    const { store, other } = bench();
    const billed = await store.usage.reserve(call);
    const refused = await store.usage.reserve(call);
    await store.usage.reserve(call);
    expect((await other.usage.list({})).map(({ outcome }) => outcome)).toEqual(Array(3).fill('unknown'));
    expect(await store.usage.settle(billed ?? 0, { outcome: 'billed', requestId: 'r-1' })).toBe('billed');
    expect(await store.usage.settle(refused ?? 0, { outcome: 'none' })).toBe('none');
    expect(await other.usage.list({})).toEqual([
      { ...call, outcome: 'unknown' },
      { ...call, outcome: 'billed', requestId: 'r-1' },
    ]);
  });

  test('what is billed once is a repeat for the same company only', async () => {
    const { store } = bench();
    const key = { ...call, operation: 'nfse.fetchByKey', billed: 'doc-by-key', billedOnceFor: 'key' } as const;
    const outcomes = [];
    for (const companyId of ['c-1', 'c-2', 'c-1', undefined, undefined])
      outcomes.push(
        await addUsage(store.usage, { ...key, ...(companyId === undefined ? {} : { companyId }), outcome: 'billed' }),
      );
    expect(outcomes).toEqual(['billed', 'billed', 'repeat', 'billed', 'repeat']);
  });

  test.each([['c-1'], [undefined]])('a limit counts the calls of one company in its time (%s)', async (id) => {
    const { store } = bench();
    const mine = id === undefined ? call : { ...call, companyId: id };
    await store.usage.reserve({ ...mine, at: noon - 1 });
    await store.usage.reserve({ ...mine, at: noon + 10 });
    await store.usage.reserve({ ...mine, profile: 'beta' });
    await store.usage.reserve({ ...call, companyId: 'c-2' });
    const first = await store.usage.reserve(mine, only(1));
    expect(first).toBeTypeOf('number');
    expect(await store.usage.reserve(mine, only(1))).toBeUndefined();
    expect(await store.usage.list({})).toHaveLength(5);
    await store.usage.settle(first ?? 0, { outcome: 'none' });
    expect(await store.usage.reserve(mine, only(1))).toBeTypeOf('number');
  });

  test('processes that reserve at once pass no limit together', async () => {
    const { store, other } = bench();
    const mine = { ...call, companyId: 'c-1' };
    const rows = await Promise.all(
      Array.from({ length: 40 }, async (_, nth) => (nth % 2 === 0 ? store : other).usage.reserve(mine, only(15))),
    );
    expect(rows.filter((row) => row !== undefined)).toHaveLength(15);
  });
}

function usageCountContract(bench: () => Bench): void {
  test('calls are counted by day in Brasília, and by all else that they differ in', async () => {
    const { store } = bench();
    const call = { profile: 'acme', operation: 'product.create', billed: 'engine', outcome: 'billed' } as const;
    // 2026-10-01T00:00 in Brasília, and the last moment before it.
    const october = Date.UTC(2026, 9, 1, 3);
    for (const at of [october - 1, october, october + 5, october + 86_399_999, october + 86_400_000])
      await addUsage(store.usage, { ...call, at });
    await addUsage(store.usage, { ...call, at: october, companyId: 'c-1', outcome: 'unknown' });
    await addUsage(store.usage, { ...call, at: october, profile: 'beta' });
    const filter = { since: october, until: october + 86_400_000 };
    const row = { ...call, at: october };
    const byProfile = await store.usage.counts({ ...filter, profile: 'acme' });
    expect(byProfile.toSorted((one, other) => other.calls - one.calls)).toEqual([
      { ...row, calls: 3 },
      { ...row, companyId: 'c-1', outcome: 'unknown', calls: 1 },
    ]);
    expect(await store.usage.counts({ ...filter, companyIds: ['c-1', 'c-2'] })).toHaveLength(1);
    expect((await store.usage.counts({ since: 0 })).map(({ at, calls }) => [at, calls]).sort()).toEqual([
      [october - 86_400_000, 1],
      [october, 1],
      [october, 1],
      [october, 3],
      [october + 86_400_000, 1],
    ]);
  });
}

function historyContract(bench: () => Bench): void {
  describe('history', () => {
    test('rows are read back unchanged, newest first, by every filter', async () => {
      const { store, other } = bench();
      const answers = { status: 200, requestId: 'r-1', jobId: 'job-1', itemId: 'item-1' };
      const first = request(answers);
      const second = request({ at: noon + 1, operation: 'product.create', sent: 'unknown', errorCode: 'network.cut' });
      const deprecation = { deprecated: true, sunset: '2026-12-31T00:00:00.000Z' };
      const third = request({ at: noon + 2, profile: 'beta', deprecation });
      for (const row of [first, second, third]) await store.history.add(row);
      expect(await other.history.list({})).toEqual([third, second, first]);
      expect(await store.history.list({ profile: 'acme', limit: 1 })).toEqual([second]);
      expect(await store.history.list({ operation: 'product.get', since: noon + 1 })).toEqual([third]);
    });

    test('prune removes older rows and returns their number', async () => {
      const { store } = bench();
      await store.history.add(request());
      await store.history.add(request({ at: noon + 1 }));
      expect(await store.history.prune(noon + 1)).toBe(1);
      expect(await store.history.list({})).toEqual([request({ at: noon + 1 })]);
    });
  });
}

function knownContract(bench: () => Bench): void {
  describe('known', () => {
    test('of rows of one name that are put together the last counts', async () => {
      const { store } = bench();
      const row = { profile: 'acme', kind: 'sender', scope: '', id: 'a', seenAt: noon };
      await store.known.putAll([
        { ...row, data: { n: 1 } },
        { ...row, data: { n: 2 } },
      ]);
      expect(await store.known.list({ profile: 'acme', kind: 'sender' })).toEqual([
        { ...row, data: { n: 2 }, firstSeenAt: noon },
      ]);
    });

    const product = { profile: 'acme', kind: 'product', scope: 't-1', id: 'p-1' };

    test('the profiles that have one of some rows are named once each, in order', async () => {
      const { store } = bench();
      const row = { kind: 'sender', scope: '', data: {}, seenAt: noon };
      await store.known.putAll([
        { ...row, profile: 'beta', id: 't-1' },
        { ...row, profile: 'beta', id: 'c-1' },
        { ...row, profile: 'acme', id: 'c-1' },
        { ...row, profile: 'gama', id: 'c-2' },
        { ...row, profile: 'gama', id: 'c-1', kind: 'company' },
      ]);
      const about = { kind: 'sender', scope: '' };
      expect(await store.known.profilesWith({ ...about, ids: ['t-1', 'c-1'] })).toEqual(['acme', 'beta']);
      expect(await store.known.profilesWith({ ...about, ids: [] })).toEqual([]);
    });

    test('a later observation keeps the time of the first one', async () => {
      const { store, other } = bench();
      await store.known.put({ ...product, label: 'SKU-1', status: 'Created', data: { a: 1 }, seenAt: noon });
      await other.known.put({ ...product, status: 'Active', data: [1, null], seenAt: noon + 9 });
      expect(await store.known.get(product)).toEqual({
        ...product,
        status: 'Active',
        data: [1, null],
        firstSeenAt: noon,
        seenAt: noon + 9,
      });
      expect(await store.known.get({ ...product, scope: 't-2' })).toBeUndefined();
    });

    test('several are stored as one by one would be', async () => {
      const { store } = bench();
      await store.known.put({ ...product, label: 'SKU-1', status: 'Created', data: {}, seenAt: noon });
      const rows = [
        { ...product, status: 'Active', data: { a: 1.5 }, seenAt: noon + 9 },
        { ...product, id: 'p-2', label: 'SKU-2', data: ['ç'], seenAt: noon + 9 },
      ];
      await store.known.putAll(rows);
      await store.known.putAll([]);
      expect(await store.known.get(product)).toEqual({ ...rows[0], firstSeenAt: noon });
      expect(await store.known.get({ ...product, id: 'p-2' })).toEqual({ ...rows[1], firstSeenAt: noon + 9 });
    });

    test('lists are newest first and by every filter', async () => {
      const { store } = bench();
      const put = async (id: string, scope: string, status: string) =>
        await store.known.put({ ...product, id, scope, label: `sku ${id}`, status, data: {}, seenAt: noon });
      await put('a', 't-1', 'Active');
      await put('b', 't-1', 'Error');
      await put('c', 't-2', 'Active');
      await put('a', 't-1', 'Active');
      const ids = async (filter: { scope?: string; label?: string; status?: string; limit?: number }) =>
        (await store.known.list({ profile: 'acme', kind: 'product', ...filter })).map((row) => row.id);
      expect(await ids({})).toEqual(['c', 'b', 'a']);
      expect(await ids({ scope: 't-1' })).toEqual(['b', 'a']);
      expect(await ids({ status: 'Active', limit: 1 })).toEqual(['c']);
      expect(await ids({ label: 'sku a' })).toEqual(['a']);
      expect(await ids({ label: 'sku a', scope: 't-2' })).toEqual([]);
      expect(await ids({ label: 'sku b', status: 'Active' })).toEqual([]);
      expect(await store.known.list({ profile: 'acme', kind: 'company' })).toEqual([]);
    });
  });
}
