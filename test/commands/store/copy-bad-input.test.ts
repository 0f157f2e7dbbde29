import Sqlite from 'better-sqlite3';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { newItem, openJob } from '../../store/samples.js';
import { type PostgresServer, startPostgres } from '../../support/postgres.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../../support/host.js';
import { seed } from '../seed.js';

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

const items = Array.from({ length: 2_000 }, (_, index) => newItem(index + 1));

async function machine(options: TestHostOptions = {}): Promise<TestHost> {
  const host = testHost({ env: { FISCAL_STORE_URL: url }, ...options });
  await seed(host, async (store) => {
    await openJob(store, items);
    await store.workers.remove('worker-1');
  });
  return host;
}

async function copy(host: TestHost, from: string, to: string) {
  const words = ['store', 'copy', '--from', from, '--to', to, '--yes', '--error-format', 'json'];
  return await runFiscal(words, host);
}

/** One error, of one line, and the source as it was. */
async function expectRefused(
  host: TestHost,
  ended: { exitCode: number; stderr: string },
  [exitCode, said]: readonly [number, string],
) {
  expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(said)]);
  expect(ended.stderr).not.toMatch(/canary|\n {4}at /);
  const local = { FISCAL_STATE_DIR: join(host.root, 'state') };
  expect((await runFiscal(['store', 'status', '-o', 'json'], testHost({ env: local }))).exitCode).toBe(0);
}

test.each([
  ['.', 'a.db', 2, 'it is a folder'],
  ['local', 'a\0.db', 2, 'no path contains a zero byte'],
  ['local', '.', 2, 'it is a folder'],
  ['garbage.db', 'a.db', 2, 'store.damaged'],
  ['local', 'garbage.db', 2, 'store.damaged'],
  ['foreign.db', 'a.db', 2, 'store.damaged'],
  ['newer.db', 'a.db', 2, 'store.newer'],
  ['local', 'newer.db', 2, 'store.newer'],
  ['local', 'garbage.db/a.db', 2, 'store.unwritable'],
])('what is no store of this program, from %s to %s', async (from, to, exitCode, said) => {
  const host = await machine();
  mkdirSync(host.cwd, { recursive: true });
  writeFileSync(join(host.cwd, 'garbage.db'), 'garbage '.repeat(2_000));
  new Sqlite(join(host.cwd, 'foreign.db')).exec('CREATE TABLE t (a)').close();
  new Sqlite(join(host.cwd, 'newer.db')).exec('CREATE TABLE t (a); PRAGMA user_version = 999').close();
  await expectRefused(host, await copy(host, from, to), [exitCode, said]);
});

test.each([
  ['a wrong password', (at: URL) => void (at.password = 'canary'), 4, 'store.login_refused'],
  ['no server', (at: URL) => void (at.port = '1'), 5, 'store.unreachable'],
  ['no database', (at: URL) => void (at.pathname = '/none'), 4, 'store.login_refused'],
])('%s', async (_what, change, exitCode, said) => {
  const at = new URL(url);
  change(at);
  const host = await machine({ env: { FISCAL_STORE_URL: at.href } });
  await expectRefused(host, await copy(host, 'local', 'server'), [exitCode, said]);
});

test('a server that only reads', async () => {
  const name = new URL(url).pathname.slice(1);
  await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const host = await machine();
  await expectRefused(host, await copy(host, 'local', 'server'), [2, 'store.standby']);
  await server.query(`ALTER DATABASE ${name} RESET ALL`);
});

/** Is interrupted when the work has looked at it that often. */
function interruptible() {
  const controller = new AbortController();
  const { signal } = controller;
  let left = Number.POSITIVE_INFINITY;
  signal.throwIfAborted = () => {
    left -= 1;
    if (left <= 0) controller.abort(new FiscalError('job.interrupted', {}, { cause: 'SIGINT' }));
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  return { signal, afterLooks: (looks: number) => void (left = looks) };
}

test('a copy between two files that is interrupted goes on with the same words', async () => {
  const { signal, afterLooks } = interruptible();
  const host = await machine({ interruption: signal });
  // Reading took five pages; the next ones are written.
  afterLooks(8);
  expect((await copy(host, 'local', 'there.db')).exitCode).toBe(130);
  const local = { FISCAL_STATE_DIR: join(host.root, 'state') };
  expect((await runFiscal(['store', 'status'], testHost({ env: local }))).stderr).toContain('store.copy_unfinished');
  const again = { ...host, interruption: new AbortController().signal };
  expect((await copy(again, 'local', 'there.db')).exitCode).toBe(0);
  const rows = new Sqlite(join(host.cwd, 'there.db'), { readonly: true });
  expect(rows.prepare('SELECT count(*) FROM items').pluck().get()).toBe(2_000);
  rows.close();
});
