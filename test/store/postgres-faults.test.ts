import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { createConnection } from '../../src/store/postgres/connection.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { newItem, noon, openJob, prepared, step } from './samples.js';

let server: PostgresServer;
let url: string;
let store: Store;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

beforeEach(async () => {
  url = await server.newDatabase();
  store = await openAt(url);
});

afterEach(async () => {
  await store.close();
  await server.dropDatabase(url);
});

const addressOf = async (at: string) => await readStoreAddress({ secret: at, source: 'test' }, {});
const openAt = async (at: string) => await openPostgresStore({ server: await addressOf(at), clock: realClock });

/** A claimed item, and the step that says that it is being sent. */
async function claimed(): Promise<() => Promise<boolean>> {
  await openJob(store, [newItem(1)]);
  const [item] = await store.items.claim(prepared);
  const mine = { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 };
  return () => store.items.transition(mine, step('sending'), { at: noon, step: { is: 'sent', attempt: 1 } });
}

/** The step fails with this error and leaves nothing; afterwards it works. */
async function expectNothingDone(failing: Promise<boolean>, expected: object): Promise<void> {
  await expect(failing).rejects.toMatchObject(expected);
  expect((await store.items.get('item-1'))?.state).toBe('prepared');
  expect(await store.items.events('item-1')).toEqual([]);
}

async function expectDone(send: () => Promise<boolean>): Promise<void> {
  expect(await send()).toBe(true);
  expect((await store.items.events('item-1')).map(({ step }) => step.is)).toEqual(['sent']);
}

// As the server says it when a file of a table cannot grow.
test('a full disk of the server is one sentence, and the item is not on its way', async () => {
  const send = await claimed();
  await server.query(
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE UPDATE ON fiscal.items FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    url,
  );
  await expectNothingDone(send(), { code: 'store.full' });
  await server.query('DROP TRIGGER full_disk ON fiscal.items', url);
  await expectDone(send);
});

test('a server that becomes read-only is one sentence, and used again when it takes writes', async () => {
  const send = await claimed();
  const name = new URL(url).pathname.slice(1);
  const switchTo = async (value: string): Promise<void> => {
    await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'fiscal%'`,
    );
  };
  await switchTo('on');
  await expectNothingDone(send(), { code: 'store.standby', exitCode: 2 });
  await switchTo('off');
  await expectDone(send);
});

test('a statement that the server cancels, as at its time limit, is one sentence', async () => {
  const send = await claimed();
  const name = new URL(url).pathname.slice(1);
  const other = createConnection(await addressOf(url));
  let waiting: Promise<unknown> | undefined;
  await other.together(async (queries) => {
    await queries.run('LOCK TABLE fiscal.items IN ACCESS EXCLUSIVE MODE');
    waiting = send().catch((error: unknown) => error);
    const cancel = `SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity
      WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
    await expect.poll(() => server.query(cancel), { timeout: 5_000 }).toEqual([{ done: true }]);
  });
  await other.close();
  expect(await waiting).toMatchObject({ code: 'store.busy', facts: { retryable: true } });
  expect((await store.items.get('item-1'))?.state).toBe('prepared');
  await expectDone(send);
});

test('a transaction of a program that stood still is begun again', async () => {
  const connection = createConnection(await addressOf(url));
  await server.query('CREATE TABLE steps (id int)', url);
  let tries = 0;
  await connection.together(async (queries) => {
    tries += 1;
    await queries.run(`INSERT INTO steps VALUES (${tries})`);
    if (tries === 1) {
      await queries.run("SET LOCAL idle_in_transaction_session_timeout = '50ms'");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await queries.run('UPDATE steps SET id = id');
  });
  await connection.close();
  expect(await server.query('SELECT id FROM steps', url)).toEqual([{ id: 2 }]);
});

test('a server without a free connection is said at the first one', async () => {
  const role = `crowded_${process.pid}`;
  await server.query(`CREATE ROLE ${role} LOGIN PASSWORD 'pw' CONNECTION LIMIT 0`, url);
  const name = new URL(url).pathname.slice(1);
  await server.query(`GRANT ALL ON DATABASE ${name} TO ${role}`, url);
  const at = Object.assign(new URL(url), { username: role, password: 'pw' }).href;
  await expect(openAt(at)).rejects.toMatchObject({ code: 'store.unreachable', exitCode: 5 });
  await server.query(`REVOKE ALL ON DATABASE ${name} FROM ${role}; DROP ROLE ${role}`, url);
});
