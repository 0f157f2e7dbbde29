import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { knownSchema } from '../../src/store/postgres/migrations.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { storeContract } from './contract.js';
import { newItem, noon, openJob, prepared, step } from './samples.js';

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
});

afterAll(async () => {
  await server.dropDatabase(url);
  await server.stop();
});

storeContract('PostgreSQL', async () => {
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  return {
    open: (actor = {}) => openPostgresStore({ server: address, clock: realClock, actor }),
    damage: async (table, column, value) =>
      void (await server.query(`UPDATE fiscal.${table} SET ${column} = ${value}`, url)),
    remove: async () => void (await server.query('DROP SCHEMA fiscal CASCADE', url)),
  };
});

describe('a store on a server that cannot be used', () => {
  async function open(change: (url: URL) => void = () => undefined) {
    const at = new URL(url);
    change(at);
    const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
    return await openPostgresStore({ server: address, clock: realClock });
  }

  async function make(): Promise<void> {
    await (await open()).close();
  }

  afterEach(async () => {
    const name = new URL(url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} RESET ALL`);
    await server.query('DROP SCHEMA IF EXISTS fiscal CASCADE', url);
  });

  test('a login that the server refuses, for its password or its database', async () => {
    await expect(open((at) => void (at.password = 'canary-of-another'))).rejects.toMatchObject({
      code: 'store.login_refused',
      exitCode: 4,
      message: expect.not.stringContaining('canary'),
    });
    await expect(open((at) => void (at.pathname = '/none'))).rejects.toMatchObject({
      code: 'store.login_refused',
    });
  });

  test('a server without TLS, where TLS is asked for', async () => {
    await expect(open((at) => at.searchParams.set('sslmode', 'require'))).rejects.toMatchObject({
      code: 'store.tls_refused',
      exitCode: 2,
    });
  });

  test('a server that does not answer', async () => {
    await expect(open((at) => void (at.port = '1'))).rejects.toMatchObject({
      code: 'store.unreachable',
      exitCode: 5,
    });
  });

  test('a newer schema, which stays as it is', async () => {
    await make();
    await server.query('UPDATE fiscal.version SET schema = 99', url);
    await expect(open()).rejects.toMatchObject({ code: 'store.newer', exitCode: 2 });
    expect(await server.query('SELECT schema::int FROM fiscal.version', url)).toEqual([{ schema: 99 }]);
  });

  test('an older schema, which is brought to the newest with its rows', async () => {
    const store = await open();
    await openJob(store, [newItem(1)]);
    await store.close();
    await server.query(
      `ALTER TABLE fiscal.identity DROP COLUMN copy; UPDATE fiscal.version SET schema = 1;
       ${['jobs', 'usage', 'history'].map((table) => `ALTER TABLE fiscal.${table} DROP COLUMN machine, DROP COLUMN os_user, DROP COLUMN ci_run`).join(';')}`,
      url,
    );
    const again = await open();
    expect((await again.items.get('item-1'))?.label).toBe('SKU-1');
    expect((await again.jobs.get('job-1'))?.state).toBe('open');
    await again.close();
    expect(await server.query('SELECT schema::int FROM fiscal.version', url)).toEqual([
      { schema: knownSchema },
    ]);
  });

  test('a schema of another program, which stays as it is', async () => {
    await server.query('CREATE SCHEMA fiscal; CREATE TABLE fiscal.invoices (id int)', url);
    await expect(open()).rejects.toMatchObject({ code: 'store.damaged' });
  });

  test('a server that only reads', async () => {
    await make();
    const name = new URL(url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await expect(open()).rejects.toMatchObject({ code: 'store.standby', exitCode: 2 });
  });

  test('a row with what this program does not write', async () => {
    const store = await open();
    await openJob(store, [newItem(1)]);
    await server.query("UPDATE fiscal.items SET input = '{'", url);
    await expect(store.items.get('item-1')).rejects.toMatchObject({ code: 'store.damaged' });
    await store.close();
  });

  test('tables that were removed while it was open', async () => {
    const store = await open();
    await server.query('DROP SCHEMA fiscal CASCADE', url);
    await expect(store.jobs.list({})).rejects.toMatchObject({ code: 'store.replaced', exitCode: 5 });
    await store.close();
  });
});

test('the login of the guide, with few rights, does everything but create or change tables', async () => {
  const address = async (at: string) => await readStoreAddress({ secret: at, source: 'test' }, {});
  await (await openPostgresStore({ server: await address(url), clock: realClock })).close();
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/shared-store.md'), 'utf8');
  const sql = /```sql\n(.*?)```/s.exec(guide)?.[1] ?? '';
  const role = `fiscal_app_${process.pid}`;
  await server.query(sql.replaceAll('fiscal_app', role), url);
  try {
    const login = Object.assign(new URL(url), { username: role, password: 'choose%20one' }).href;
    const store = await openPostgresStore({ server: await address(login), clock: realClock });
    await openJob(store, [newItem(1)]);
    expect((await store.items.claim(prepared)).length).toBe(1);
    await store.forget('acme');
    await store.close();
    await server.query('DROP SCHEMA fiscal CASCADE', url);
    await expect(openPostgresStore({ server: await address(login), clock: realClock })).rejects.toMatchObject(
      {
        code: 'store.forbidden',
        exitCode: 7,
      },
    );
  } finally {
    await server.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`, url);
  }
});

test('a server that is away for a moment is waited for, and nothing is lost', async () => {
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  const store = await openPostgresStore({ server: address, clock: realClock });
  await openJob(store, [newItem(1)]);
  const [item] = await store.items.claim(prepared);
  const name = new URL(url).pathname.slice(1);
  await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  const mine = { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 };
  const stepped = store.items.transition(mine, step('sending'), { at: noon, note: '' });
  await expect(server.query('SELECT 1', url)).rejects.toThrow('not currently accepting');
  await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expect(await stepped).toBe(true);
  expect(await store.items.events('item-1')).toHaveLength(1);
  await store.close();
  await server.query('DROP SCHEMA fiscal CASCADE', url);
});
