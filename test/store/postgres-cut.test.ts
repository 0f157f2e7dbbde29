import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startSessionEnder } from '../support/session-ender.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { newItem, newWorker, noon, openJob, prepared, step } from './samples.js';

let server: PostgresServer;
let proxy: TcpProxy;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  const { hostname, port } = new URL(url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});

afterAll(async () => {
  await proxy.close();
  await server.stop();
});

test('a connection that is cut between two steps is made again, and each step is written once', async () => {
  const address = await readStoreAddress({ secret: proxy.through(url), source: 'test' }, {});
  const store = await openPostgresStore({ server: address, clock: realClock });
  await openJob(store, [newItem(1)]);
  const [item] = await store.items.claim(prepared);
  const mine = { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 };
  expect(proxy.connections).toBeGreaterThan(0);
  proxy.cutOnce();
  expect(await store.items.transition(mine, step('sending'), { at: noon, step: { is: 'sent', attempt: 1 } })).toBe(
    true,
  );
  proxy.cut();
  const stepped = store.items.transition(mine, step('succeeded'), { at: noon, step: { is: 'answered' } });
  setTimeout(() => proxy.mend(), 300);
  expect(await stepped).toBe(true);
  expect((await store.items.events('item-1')).map(({ step }) => step.is)).toEqual(['sent', 'answered']);
  await store.close();
});

test.each(['before', 'within', 'after'] as const)(
  'a lease is renewed also when the server ends the session %s the renewal',
  async (moment) => {
    const own = await server.newDatabase();
    const openAt = async (at: string) =>
      await openPostgresStore({ server: await readStoreAddress({ secret: at, source: 'test' }, {}), clock: realClock });
    const lease = newWorker({ expiresAt: Date.now() + 60_000 });
    const direct = await openAt(own);
    await direct.workers.register(lease);
    const counted = await startSessionEnder(own);
    await (await openAt(counted.url)).close();
    const ender = await startSessionEnder(own, { statement: counted.statements.length + 1, moment });
    const store = await openAt(ender.url);
    expect(await store.workers.renew(lease.id, lease.expiresAt + 60_000)).toBe(true);
    expect(ender.hasEnded).toBe(true);
    expect(await direct.workers.list()).toEqual([{ ...lease, expiresAt: lease.expiresAt + 60_000 }]);
    for (const each of [store, direct, counted, ender]) await each.close();
    await server.dropDatabase(own);
  },
);
