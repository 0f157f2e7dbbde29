import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { createConnection } from '../../src/store/postgres/connection.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startSessionEnder } from '../support/session-ender.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  clearFaults,
  control,
  createdSkus,
  type Ended,
  errorOf,
  inProcess,
  ledger,
  newWorld,
  product,
  put,
  records,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

const argv = ['product', 'apply', '--create-only', 'products.ndjson', '--wait', '--yes', '-o', 'ndjson'];
const LIMIT_MS = 400;

let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;
let proxy: TcpProxy;
let url: string;
let world: World;

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
});

afterAll(async () => {
  sandbox.stop();
  await server.stop();
});

/** The limits that the program asks the server for at the start of each session, as short as a test can wait. */
function shortLimits(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const limits = /((?:statement|lock|idle_in_transaction_session)_timeout\0)(\d+)/g;
  // As long as before: the length of the message stands at its beginning.
  const short = (_all: string, name: string, ms: string): string => name + String(LIMIT_MS).padStart(ms.length, '0');
  return Buffer.from(text.replaceAll(limits, short), 'latin1');
}

beforeEach(async () => {
  url = await server.newDatabase();
  const { hostname, port } = new URL(url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) }, { rewrite: shortLimits });
  world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: proxy.through(url) });
  expect((await inProcess(world, 'store', 'status')).exitCode).toBe(0);
});

afterEach(async () => {
  await clearFaults(sandbox.ready);
  await proxy.close();
  await server.dropDatabase(url);
});

const created = async (sku: string): Promise<number> =>
  (await createdSkus(sandbox.ready)).filter((each) => each === sku).length;

/** Another session, which keeps the items to itself until it is told to leave. */
async function lockItems(): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE fiscal.items IN ACCESS EXCLUSIVE MODE');
  return async () => await other.end();
}

function expectOneSentence(end: Ended, code: string, message: RegExp): void {
  expect([end.exitCode, errorOf(end)]).toMatchObject([
    5,
    { code, message: expect.stringMatching(message), retryable: true },
  ]);
  expect(end.stderr).not.toMatch(/pw-of-owner|\n\s+at /);
}

async function expectDone(sku: string): Promise<void> {
  const last = await inProcess(world, ...argv);
  expect([last.exitCode, records(last).at(-1)]).toMatchObject([0, { succeeded: 1, uncertain: 0 }]);
  expect(await created(sku)).toBe(1);
}

it('a lock that another session keeps: exit 5, nothing is sent, and the same command goes on', async () => {
  put(world, 'products.ndjson', `${product('LOCK')}\n`);
  const leave = await lockItems();
  const end = await inProcess(world, ...argv);
  expectOneSentence(end, 'store.busy', /^the store postgres:.* did not answer in time/);
  expect(await created('LOCK')).toBe(0);
  await leave();
  await expectDone('LOCK');
});

it('a lock that another session keeps while an answer comes: it is kept on this machine, and written later', async () => {
  put(world, 'products.ndjson', `${product('KEPT')}\n`);
  await control(sandbox.ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 1_500 });
  const run = inProcess(world, ...argv);
  await expect.poll(() => created('KEPT'), { timeout: 60_000 }).toBe(1);
  const leave = await lockItems();
  const end = await run;
  expectOneSentence(end, 'job.answers_kept', /did not answer in time.* 1 answers are kept on this machine/);
  await leave();
  await clearFaults(sandbox.ready);
  await expectDone('KEPT');
});

it('a statement that takes too long: exit 5, nothing is sent, and the same command goes on', async () => {
  put(world, 'products.ndjson', `${product('SLOW')}\n`);
  const sent = (await ledger(sandbox.ready)).length;
  await server.query(
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(30); RETURN NEW; END $$;
     CREATE TRIGGER slow BEFORE UPDATE ON fiscal.items FOR EACH ROW WHEN (NEW.state = 'sending') EXECUTE FUNCTION slow()`,
    url,
  );
  expectOneSentence(await inProcess(world, ...argv), 'store.busy', /did not answer in time/);
  expect((await ledger(sandbox.ready)).length).toBe(sent);
  await server.query('DROP TRIGGER slow ON fiscal.items', url);
  await expectDone('SLOW');
});

it('a transaction that stands still until the server ends its session is begun again, and done once', async () => {
  // BEGIN, and one statement; the next one never arrives.
  const ender = await startSessionEnder(proxy.through(url), { statement: 3, moment: 'never' });
  const connection = createConnection(await readStoreAddress({ secret: ender.url, source: 'test' }, {}));
  await server.query('CREATE TABLE steps (id int)', url);
  await connection.together(async ({ run }) => {
    await run('INSERT INTO steps VALUES (1)');
    await run('UPDATE steps SET id = id + 1');
  });
  expect(await server.query('SELECT id FROM steps', url)).toEqual([{ id: 2 }]);
  expect(ender.hasEnded).toBe(true);
  await connection.close();
  await ender.close();
});
