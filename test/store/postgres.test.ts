import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { grantsFor } from '../../src/store/postgres/grants.js';
import { withServerSnapshot } from '../../src/store/postgres/check.js';
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

const role = `fiscal "app" ${process.pid}`;

/** The address of a login with the rights that `store grant` prints, and no others. */
async function grantedLogin(): Promise<string> {
  const quoted = `"${role.replaceAll('"', '""')}"`;
  await server.query(`CREATE ROLE ${quoted} LOGIN PASSWORD 'pw-of-app'`, url);
  await server.query(grantsFor(role), url);
  return Object.assign(new URL(url), { username: encodeURIComponent(role), password: 'pw-of-app' }).href;
}

async function removeLogin(): Promise<void> {
  const quoted = `"${role.replaceAll('"', '""')}"`;
  await server.query(`DROP OWNED BY ${quoted}; DROP ROLE ${quoted}`, url);
}

const addressOf = async (at: string) => await readStoreAddress({ secret: at, source: 'test' }, {});

async function make(): Promise<void> {
  await (await openPostgresStore({ server: await addressOf(url), clock: realClock })).close();
}

/** Every table but those that only the owner writes. To truncate some twenty small tables takes four times as long. */
const empty = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT format('fiscal.%I', tablename) FROM pg_tables WHERE schemaname = 'fiscal'
    AND tablename NOT IN ('version', 'identity', 'server')
  LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
  FOR name IN SELECT format('fiscal.%I', sequencename) FROM pg_sequences WHERE schemaname = 'fiscal'
  LOOP EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART'; END LOOP; END $$;
  UPDATE fiscal.identity SET first_send_at = NULL, went_back_to = NULL, may_lack_until = NULL`;

describe('with the rights that "store grant" prints,', () => {
  let login: string;

  beforeAll(async () => {
    await make();
    login = await grantedLogin();
  });

  afterAll(async () => {
    await server.query('DROP SCHEMA fiscal CASCADE', url);
    await removeLogin();
  });

  storeContract('PostgreSQL', async () => {
    const address = await addressOf(login);
    return {
      open: (actor = {}) => openPostgresStore({ server: address, clock: realClock, actor }),
      damage: async (table, column, value) =>
        void (await server.query(`UPDATE fiscal.${table} SET ${column} = ${value}`, url)),
      run: async (sql) => void (await server.query(`SET search_path TO fiscal; ${sql}`, url)),
      snapshot: (look) => withServerSnapshot(address, look),
      remove: async () => void (await server.query(empty, url)),
    };
  });

  test('a login can neither create or change tables, nor hide that rows were copied', async () => {
    for (const sql of [
      'CREATE TABLE fiscal.more (id int)',
      'ALTER TABLE fiscal.items ADD COLUMN more int',
      'DROP TABLE fiscal.history',
      'UPDATE fiscal.identity SET copy = NULL',
      "UPDATE fiscal.identity SET id = ''",
      'DELETE FROM fiscal.identity',
      'UPDATE fiscal.version SET schema = 0',
      'TRUNCATE fiscal.history',
    ])
      await expect(server.query(sql, login), sql).rejects.toMatchObject({ code: '42501' });
  });

  test('a table that is made later is covered', async () => {
    await server.query('CREATE TABLE fiscal.later (id int)', url);
    await server.query('INSERT INTO fiscal.later VALUES (1)', login);
    await server.query('DROP TABLE fiscal.later', url);
  });
});

describe('a store on a server that cannot be used', () => {
  async function open(change: (url: URL) => void = () => undefined) {
    const at = new URL(url);
    change(at);
    const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
    return await openPostgresStore({ server: address, clock: realClock });
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
    await expect(open((at) => void (at.pathname = '/none'))).rejects.toMatchObject({ code: 'store.login_refused' });
  });

  test('a server without TLS, where TLS is asked for', async () => {
    await expect(open((at) => at.searchParams.set('sslmode', 'require'))).rejects.toMatchObject({
      code: 'store.tls_refused',
      exitCode: 2,
    });
  });

  test('a server that does not answer', async () => {
    await expect(open((at) => void (at.port = '1'))).rejects.toMatchObject({ code: 'store.unreachable', exitCode: 5 });
  });

  test.each([
    [99, 'store.newer'],
    [-1, 'store.older'],
  ])('tables of another version (%i), which stay as they are', async (schema, code) => {
    await make();
    await server.query(`UPDATE fiscal.version SET schema = ${schema}`, url);
    await expect(open()).rejects.toMatchObject({ code, exitCode: 2 });
    expect(await server.query('SELECT schema::int FROM fiscal.version', url)).toEqual([{ schema }]);
  });

  test('tables whose creation did not end, which are created whole', async () => {
    await server.query('CREATE SCHEMA fiscal', url);
    const stores = await Promise.all([open(), open(), open()]);
    await openJob(stores[0], [newItem(1)]);
    expect(await stores[2].jobs.list({})).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
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

test('a login that may not create or change tables is told who may', async () => {
  await make();
  const login = await grantedLogin();
  const refused = {
    code: 'store.forbidden',
    exitCode: 7,
    facts: { hint: { en: expect.stringContaining('run "fiscal store migrate" once with the login of their owner') } },
  };
  const open = async () => await openPostgresStore({ server: await addressOf(login), clock: realClock });
  try {
    await (await open()).close();
    await server.query('DROP SCHEMA fiscal CASCADE', url);
    await expect(open()).rejects.toMatchObject(refused);
  } finally {
    await removeLogin();
  }
});

test('a store without its row of identity is damaged', async () => {
  await make();
  await server.query('DELETE FROM fiscal.identity', url);
  const seen = { sends: { of: () => [], add: () => undefined }, except: '' };
  for (const change of [{}, { seen }])
    await expect(
      openPostgresStore({ server: await addressOf(url), clock: realClock, ...change }),
    ).rejects.toMatchObject({ code: 'store.damaged', message: expect.stringContaining('no identity') });
  await server.query('DROP SCHEMA fiscal CASCADE', url);
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
  const stepped = store.items.transition(mine, step('sending'), { at: noon, step: { is: 'read' } });
  await expect(server.query('SELECT 1', url)).rejects.toThrow('not currently accepting');
  await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expect(await stepped).toBe(true);
  expect(await store.items.events('item-1')).toHaveLength(1);
  await store.close();
  await server.query('DROP SCHEMA fiscal CASCADE', url);
});
