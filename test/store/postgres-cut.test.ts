import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { createConnection } from '../../src/store/postgres/connection.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { newItem, noon, openJob, prepared, step } from './samples.js';

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
  expect(await store.items.transition(mine, step('sending'), { at: noon, note: 'send 1' })).toBe(true);
  proxy.cut();
  const stepped = store.items.transition(mine, step('succeeded'), { at: noon, note: 'answered' });
  setTimeout(() => proxy.mend(), 300);
  expect(await stepped).toBe(true);
  expect((await store.items.events('item-1')).map(({ note }) => note)).toEqual(['send 1', 'answered']);
  await store.close();
});

test('a statement that only reads is sent again after a loss, and not for ever', async () => {
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  const connection = createConnection(address);
  await server.query('CREATE SEQUENCE tries', url);
  // Its session ends each time, up to the third one.
  const third =
    "SELECT CASE WHEN nextval('tries') < 3 THEN pg_terminate_backend(pg_backend_pid()) END IS NULL AS done";
  expect(await connection.get(third)).toEqual({ done: true });
  const always = "SELECT pg_terminate_backend(pg_backend_pid()), nextval('tries')";
  await expect(connection.get(always)).rejects.toMatchObject({ code: 'store.unreachable', exitCode: 5 });
  await connection.close();
});
