import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { newItem, newWorker, noon, openJob, prepared, request, step } from './samples.js';

let server: PostgresServer;
let proxy: TcpProxy;

beforeAll(async () => {
  server = await startPostgres();
  const { hostname, port } = new URL(await server.newDatabase());
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});

afterAll(async () => {
  await proxy.close();
  await server.stop();
});

async function open(url: string): Promise<Store> {
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  return await openPostgresStore({ server: address, clock: realClock });
}

/** A store through the proxy, another one beside it, and one item that the first one has claimed. */
async function withClaim(
  use: (scene: {
    readonly store: Store;
    readonly other: Store;
    readonly mine: { readonly id: string; readonly workerId: string; readonly epoch: number };
    readonly url: string;
  }) => Promise<void>,
): Promise<void> {
  const url = await server.newDatabase();
  const store = await open(proxy.through(url));
  const other = await open(url);
  await openJob(store, [newItem(1)]);
  const [item] = await store.items.claim(prepared);
  try {
    await use({ store, other, mine: { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 }, url });
  } finally {
    await store.close();
    await other.close();
  }
}

const stepsOf = async (store: Store) => (await store.items.events('item-1')).map(({ step }) => step.is);

test('a step whose confirmation is lost is found in the history and not written again', async () => {
  await withClaim(async ({ store, other, mine }) => {
    const written = [
      { patch: step('sending'), event: { at: noon, step: { is: 'sent', attempt: 1 } } },
      { patch: step('succeeded', { keep: false }), event: { at: noon + 1, step: { is: 'answered' } } },
    ] as const;
    for (const { patch, event } of written) {
      proxy.cutAtAnswer();
      const writing = store.items.transition(mine, patch, event);
      await expect.poll(() => stepsOf(other)).toContain(event.step.is);
      proxy.mend();
      expect(await writing).toBe(true);
    }
    expect(await stepsOf(store)).toEqual(['sent', 'answered']);
    expect(await store.items.get('item-1')).toMatchObject({ state: 'succeeded', epoch: mine.epoch });
  });
});

test('what goes along with a step is stored once, whether its confirmation or the step is lost, or its item', async () => {
  const calls = [request({ at: noon, method: 'POST', operation: 'product.create', itemId: 'item-1' })];
  const known = { profile: 'acme', kind: 'k', scope: '', id: 'p-1', data: { code: '135' }, seenAt: noon };
  const event = { at: noon, step: { is: 'answered' } } as const;
  await withClaim(async ({ store, other, mine }) => {
    for (const epoch of [mine.epoch + 1, mine.epoch]) {
      proxy.cutAtAnswer();
      const writing = store.items.transition({ ...mine, epoch }, step('pending'), event, { calls, known });
      await expect.poll(() => other.history.list({})).toEqual(calls);
      proxy.mend();
      expect(await writing).toBe(epoch === mine.epoch);
      expect([await store.history.list({}), (await store.known.get(known))?.data]).toEqual([calls, known.data]);
      await other.history.prune(noon + 1);
    }
    proxy.cut();
    const writing = store.items.transition(mine, step('succeeded'), event, { calls, known });
    setTimeout(() => proxy.mend(), 100);
    expect(await writing).toBe(true);
    expect(await store.history.list({})).toEqual(calls);
  });
});

test('it counts as written also when another worker has claimed the item since', async () => {
  await withClaim(async ({ store, other, mine }) => {
    await other.workers.register(newWorker({ id: 'worker-2' }));
    proxy.cutAtAnswer();
    const left = step('pending', { keep: false, dueAt: noon });
    const writing = store.items.transition(mine, left, { at: noon, step: { is: 'answered' } });
    await expect.poll(() => stepsOf(other)).toEqual(['answered']);
    const states = ['pending'] as const;
    expect(await other.items.claim({ ...prepared, states, workerId: 'worker-2' })).toHaveLength(1);
    proxy.mend();
    expect(await writing).toBe(true);
    expect(await other.items.get('item-1')).toMatchObject({ state: 'pending', workerId: 'worker-2' });
  });
});

test('a step that never arrived, of an item that another worker took over meanwhile, is refused', async () => {
  await withClaim(async ({ store, other, mine }) => {
    proxy.cut();
    await other.workers.remove('worker-1');
    await other.workers.register(newWorker({ id: 'worker-2' }));
    expect(await other.items.claim({ ...prepared, workerId: 'worker-2' })).toHaveLength(1);
    const writing = store.items.transition(mine, step('sending'), { at: noon, step: { is: 'sent', attempt: 1 } });
    setTimeout(() => proxy.mend(), 100);
    expect(await writing).toBe(false);
    expect(await stepsOf(other)).toEqual([]);
  });
});

test.each([
  { change: 'due_at = 7', written: true },
  { change: 'epoch = epoch + 1', written: false },
  { change: 'worker_id = NULL', written: false },
])('a step that waits for a change ($change) meets the item as it is then', async ({ change, written }) => {
  await withClaim(async ({ store, mine, url }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE fiscal.items SET ${change}`);
    const writing = store.items.transition(mine, step('sending'), { at: noon, step: { is: 'sent', attempt: 1 } });
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await server.query(waits, url)).length).toBe(1);
    await client.query('COMMIT');
    await client.end();
    expect(await writing).toBe(written);
    expect(await stepsOf(store)).toEqual(written ? ['sent'] : []);
    expect((await store.items.get('item-1'))?.dueAt).toBe(change.startsWith('due') ? 7 : noon);
  });
});
