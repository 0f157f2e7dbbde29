import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryPatch, HeldDelivery, NewDelivery } from '../../src/store/deliveries.js';
import type { Bench } from './contract.js';
import { noon } from './samples.js';
import { said } from '../../src/errors/reasons.js';

const profile = 'acme';
const hour = 3_600_000;

function delivery(id: string, more: Partial<NewDelivery> = {}): NewDelivery {
  const body = Buffer.from(more.body ?? `{"id":"${id}"}`);
  const digest = createHash('sha256').update(body).digest('hex');
  const fixed = { profile, at: noon, scheme: 'hub-sha1', hookId: 'hook-1', signedId: '', event: 'product.active' };
  return { id, ...fixed, resource: `r-${id}`, wanted: true, ...more, body, digest };
}

const done: DeliveryPatch = { state: 'delivered', attempts: 1, doneBy: [], at: noon };

function ids(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

export function deliveryContract(bench: () => Bench): void {
  describe('deliveries', () => {
    const claim = { workerId: 'w-1', profile, limit: 10, now: noon };

    beforeEach(async () => {
      for (const id of ['w-1', 'w-2'])
        await bench().store.workers.register({ id, pid: 1, machine: 'm', processStart: '', expiresAt: noon + hour });
    });

    test('returns when the newest event about a resource arrived, without copies', async () => {
      const { store, other } = bench();
      await store.deliveries.add(delivery('a', { resource: 'r' }));
      await store.deliveries.add(delivery('b', { resource: 'r', at: noon + 5 }));
      await store.deliveries.add(delivery('b', { resource: 'r', at: noon + 9 }));
      const lastAt = (...key: [string, string]) => other.deliveries.lastAt(...key);
      expect([await lastAt(profile, 'r'), await lastAt(profile, 'q'), await lastAt('beta', 'r')]).toEqual([
        noon + 5,
        undefined,
        undefined,
      ]);
    });

    test('an event is read back as stored, byte for byte', async () => {
      const { store, other } = bench();
      const body = Uint8Array.from({ length: 256 }, (_, index) => index);
      expect(await store.deliveries.add(delivery('a', { body }))).toEqual({ isNew: true, id: 'a' });
      const { body: kept, ...row }: Partial<HeldDelivery> = (await other.deliveries.get(profile, 'a')) ?? {};
      expect(Buffer.from(kept ?? [])).toEqual(Buffer.from(body));
      expect(row).toEqual({
        ...{
          seq: 1,
          id: 'a',
          profile,
          receivedAt: noon,
          scheme: 'hub-sha1',
          hookId: 'hook-1',
          event: 'product.active',
        },
        ...{ resource: 'r-a', digest: createHash('sha256').update(body).digest('hex'), bytes: 256 },
        ...{ state: 'received', attempts: 0, copies: 1, dueAt: noon, doneBy: [] },
      });
      expect(await store.deliveries.get('beta', 'a')).toBeUndefined();
      expect(await store.deliveries.get(profile, 'b')).toBeUndefined();
    });

    test('the same body under the same signed id is a copy, on any connection; a different id or body is new', async () => {
      const { store, other } = bench();
      const body = Buffer.from('{"a":1}');
      await store.deliveries.add(delivery('a', { body }));
      expect(await other.deliveries.add(delivery('b', { body, at: noon + hour, hookId: 'hook-2' }))).toEqual({
        isNew: false,
        id: 'a',
      });
      const added = await Promise.all([
        store.deliveries.add(delivery('c', { body, signedId: 'signed-2' })),
        store.deliveries.add(delivery('d')),
        store.deliveries.add(delivery('e', { body, profile: 'beta' })),
      ]);
      expect(added.map(({ isNew }) => isNew)).toEqual([true, true, true]);
      expect(await store.deliveries.get(profile, 'a')).toMatchObject({ copies: 2, receivedAt: noon });
      expect(await store.deliveries.get(profile, 'b')).toBeUndefined();
    });

    test('only the first event of each resource is taken; it is retried before the next, which follows when it is settled', async () => {
      const { store, other } = bench();
      for (const id of ['a', 'b', 'c']) await store.deliveries.add(delivery(id, { resource: 'same' }));
      await store.deliveries.add(delivery('d', { at: noon + 1 }));
      expect(ids(await store.deliveries.claim({ ...claim, now: noon + 1 }))).toEqual(['a', 'd']);
      expect(await other.deliveries.claim({ ...claim, workerId: 'w-2' })).toEqual([]);
      const again = {
        state: 'received',
        attempts: 1,
        doneBy: ['x'],
        dueAt: noon + 5.5,
        failures: [{ target: 'y', reason: { is: 'target-status', status: 500 } }],
        at: noon,
      } as const;
      expect(await store.deliveries.conclude({ id: 'a', workerId: 'w-1' }, again)).toBe(true);
      expect(await store.deliveries.claim(claim)).toEqual([]);
      expect(await store.deliveries.nextDue(profile, noon)).toBe(noon + 6);
      const [second] = await other.deliveries.claim({ ...claim, workerId: 'w-2', now: noon + 6 });
      expect(second).toMatchObject({
        id: 'a',
        attempts: 1,
        doneBy: ['x'],
        failures: [{ target: 'y', reason: { is: 'target-status', status: 500 } }],
        state: 'forwarding',
      });
      expect(await store.deliveries.conclude({ id: 'a', workerId: 'w-1' }, done)).toBe(false);
      expect(await other.deliveries.conclude({ id: 'a', workerId: 'w-2' }, done)).toBe(true);
      expect(ids(await store.deliveries.claim(claim))).toEqual(['b']);
      await store.deliveries.conclude(
        { id: 'b', workerId: 'w-1' },
        { ...done, state: 'dead', failures: [{ target: 'y', reason: said('gone') }] },
      );
      expect(ids(await store.deliveries.claim(claim))).toEqual(['c']);
    });

    test('events without a resource do not wait; one without a target is kept', async () => {
      const { store } = bench();
      await store.deliveries.add(delivery('a', { resource: '' }));
      await store.deliveries.add(delivery('b', { resource: '' }));
      await store.deliveries.add(delivery('c', { wanted: false }));
      await store.deliveries.add(delivery('d', { profile: 'beta' }));
      expect(ids(await store.deliveries.claim(claim))).toEqual(['a', 'b']);
      expect(await store.deliveries.counts(profile)).toEqual({
        received: 0,
        forwarding: 2,
        delivered: 0,
        dead: 0,
        kept: 1,
      });
      expect(await store.deliveries.nextDue(profile, noon)).toBeUndefined();
    });

    test('events of a dead worker are taken again, those of a stopped one are released, and without a lease nothing is taken', async () => {
      const { store } = bench();
      await store.deliveries.add(delivery('a'));
      expect(await store.deliveries.claim({ ...claim, workerId: 'nobody' })).toEqual([]);
      expect(ids(await store.deliveries.claim(claim))).toEqual(['a']);
      await store.workers.remove('w-1');
      expect(ids(await store.deliveries.claim({ ...claim, workerId: 'w-2' }))).toEqual(['a']);
      await store.deliveries.release('w-2');
      expect(await store.deliveries.get(profile, 'a')).toMatchObject({ state: 'received', attempts: 0, dueAt: noon });
    });

    test('lists are newest first, in pages, by every filter, and without bodies', async () => {
      const { store } = bench();
      await store.deliveries.add(delivery('a', { event: 'x' }));
      await store.deliveries.add(delivery('b', { at: noon + 1, wanted: false }));
      await store.deliveries.add(delivery('c', { at: noon + 2, resource: 'r-a' }));
      const list = async (filter: object) => ids(await store.deliveries.list({ profile, limit: 9, ...filter }));
      expect(await list({})).toEqual(['c', 'b', 'a']);
      expect(await list({ limit: 2 })).toEqual(['c', 'b']);
      expect(await list({ before: 2 })).toEqual(['a']);
      expect(await list({ since: noon + 1 })).toEqual(['c', 'b']);
      expect(await list({ states: ['received'] })).toEqual(['c', 'a']);
      expect(await list({ event: 'x' })).toEqual(['a']);
      expect(await list({ resource: 'r-a' })).toEqual(['c', 'a']);
      expect(Object.keys((await store.deliveries.list({ profile, limit: 1 }))[0] ?? {})).not.toContain('body');
    });

    test('settled events are queued again by id or since a time, in the order of their resource', async () => {
      const { store } = bench();
      for (const id of ['a', 'b']) await store.deliveries.add(delivery(id, { resource: 'same' }));
      expect(await store.deliveries.again({ profile, id: 'a', at: noon })).toBe(0);
      for (const id of ['a', 'b']) {
        await store.deliveries.claim(claim);
        await store.deliveries.conclude(
          { id, workerId: 'w-1' },
          { ...done, state: 'dead', doneBy: ['x'], attempts: 7 },
        );
      }
      expect(await store.deliveries.again({ profile, since: noon + 1, states: ['dead'], at: noon })).toBe(0);
      expect(await store.deliveries.again({ profile, since: noon, states: ['delivered'], at: noon })).toBe(0);
      expect(await store.deliveries.again({ profile, id: 'b', at: noon + 5 })).toBe(1);
      expect(await store.deliveries.again({ profile, since: noon, states: ['dead'], at: noon + 5 })).toBe(1);
      expect(await store.deliveries.get(profile, 'b')).toMatchObject({ state: 'received', attempts: 0, doneBy: [] });
      expect(ids(await store.deliveries.claim({ ...claim, now: noon + 5 }))).toEqual(['b']);
      await store.deliveries.conclude({ id: 'b', workerId: 'w-1' }, done);
      expect(ids(await store.deliveries.claim({ ...claim, now: noon + 5 }))).toEqual(['a']);
    });

    test('prune removes old events that are delivered or kept, however many; forget removes all of a profile', async () => {
      const { store } = bench();
      for (const id of ['a', 'b']) await store.deliveries.add(delivery(id));
      await store.deliveries.add(delivery('c', { wanted: false }));
      await store.deliveries.add(delivery('d', { wanted: false, at: noon + 1 }));
      await store.deliveries.claim({ ...claim, limit: 1 });
      await store.deliveries.conclude({ id: 'a', workerId: 'w-1' }, done);
      const many = Array.from({ length: 1_100 }, (_, index) =>
        store.deliveries.add(delivery(`many-${index}`, { wanted: false, profile: 'beta' })),
      );
      await Promise.all(many);
      expect(await store.deliveries.prune(noon)).toBe(0);
      expect(await store.deliveries.prunable(noon + 1)).toBe(1_102);
      expect(await store.deliveries.prune(noon + 1)).toBe(1_102);
      expect(await store.deliveries.prunable(noon + 1)).toBe(0);
      expect(ids(await store.deliveries.list({ profile, limit: 9 }))).toEqual(['d', 'b']);
      await store.forget(profile);
      expect(await store.deliveries.list({ profile, limit: 9 })).toEqual([]);
    });

    orderProperty(bench);
  });
}

/** Whatever happens in whatever order: nothing is lost, and of a resource never two at once. */
function orderProperty(bench: () => Bench): void {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), resource: fc.constantFrom('r-1', 'r-2', '') }),
    fc.record({ kind: fc.constant('claim' as const) }),
    fc.record({ kind: fc.constantFrom('delivered' as const, 'dead' as const, 'received' as const) }),
    fc.record({ kind: fc.constant('again' as const) }),
  );

  test('never two events of a resource are held at once, and in the end every event is settled', async () => {
    let run = 0;
    const oneRun = async (steps: readonly { kind: string; resource?: string }[]): Promise<void> => {
      const { deliveries } = bench().store;
      run += 1;
      const own = `run-${run}`;
      const held = new Map<string, HeldDelivery>();
      const claimAll = async (limit: number): Promise<void> => {
        for (const row of await deliveries.claim({ workerId: 'w-1', profile: own, limit, now: noon })) {
          const rivals = [...held.values()].filter(({ resource }) => resource !== '' && resource === row.resource);
          expect(rivals).toEqual([]);
          held.set(row.id, row);
        }
      };
      const conclude = async (state: 'delivered' | 'dead' | 'received'): Promise<void> => {
        const [row] = held.values();
        if (row === undefined) return;
        held.delete(row.id);
        const patch = { attempts: 1, doneBy: [], at: noon, dueAt: noon, state };
        expect(await deliveries.conclude({ id: row.id, workerId: 'w-1' }, patch)).toBe(true);
      };
      let added = 0;
      for (const { kind, resource = '' } of steps) {
        if (kind === 'add') await deliveries.add(delivery(`${own}-${(added += 1)}`, { profile: own, resource }));
        else if (kind === 'claim') await claimAll(2);
        else if (kind === 'again')
          await deliveries.again({ profile: own, since: 0, states: ['dead', 'delivered'], at: noon });
        else await conclude(kind === 'dead' || kind === 'received' ? kind : 'delivered');
      }
      for (let left = added * 2 + 2; left > 0; left -= 1) {
        await claimAll(1);
        await conclude('delivered');
      }
      const counts = await deliveries.counts(own);
      expect(counts.delivered + counts.dead).toBe(added);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), oneRun), { numRuns: 40 });
  });
}
