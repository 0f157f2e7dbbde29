import Sqlite from 'better-sqlite3';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAnswerJournal, type KeptAnswer } from '../../../src/jobs/answer-journal.js';
import { copiedColumns, copiedTables, tables, tablesOf } from '../../../src/store/schema.js';
import { readStoreAddress } from '../../../src/config/store-address.js';
import { openPostgresStore } from '../../../src/store/postgres/open.js';
import { openServerRows } from '../../../src/store/postgres/whole-rows.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { openFileRows } from '../../../src/store/sqlite/whole-rows.js';
import type { Store } from '../../../src/store/store.js';
import type { WholeRows } from '../../../src/store/whole-rows.js';
import { newItem, newJob, newWorker, noon, openJob, prepared, request, step } from '../../store/samples.js';
import { realClock } from '../../support/clock.js';
import { type PostgresServer, startPostgres } from '../../support/postgres.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { seed } from '../seed.js';
import { addUsage } from '../../support/usage.js';

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
});

afterEach(async () => void (await server.query('DROP SCHEMA IF EXISTS fiscal CASCADE', url)));

afterAll(async () => {
  await server.dropDatabase(url);
  await server.stop();
});

const hostile = 'São Paulo \u{1F600} "quoted" \\ \u0000 \u001b[31m';
const group = { profile: 'acme', companyId: 'c-1', family: 'nfe' } as const;

const data = { company: { federalTaxNumber: 1 } };

/** At least one row in every table that is copied. */
async function fill(store: Store): Promise<void> {
  const { items, workers, identity } = store;
  await openJob(
    store,
    Array.from({ length: 1_200 }, (_, index) => newItem(index + 1)),
  );
  const [item] = await items.claim({ ...prepared, limit: 1 });
  const mine = { id: 'item-1', workerId: 'worker-1', epoch: item?.epoch ?? 0 };
  await items.transition(mine, step('sending', { sentAt: noon, attempts: 1 }), {
    at: noon,
    step: { is: 'answered', said: hostile },
  });
  await identity.sentAt(noon);
  await workers.remove('worker-1');
  await store.pace.block({ profile: 'acme', host: 'h' }, noon + 0.25, 9);
  await addUsage(store.usage, { at: noon, profile: 'acme', operation: 'o', billed: 'engine', outcome: 'billed' });
  await store.history.add(request({ url: hostile }), request({ profile: 'other' }));
  const known = { profile: 'acme', kind: 'k', scope: '', status: 's', data: { hostile }, seenAt: noon };
  await store.known.put({ ...known, id: hostile });
  await store.answers.put({ profile: 'acme', kind: 'k', digest: hostile, fetchedAt: noon, answer: { hostile } });
  await store.documents.see(group, [{ id: 'd-1', issuedOn: '2026-05-05', data }], noon);
  await store.events.see(group, [{ eventKey: 'e-1', documentId: 'd-1', type: '210210' }], noon);
  await store.cursors.hold(group, 'w-1', noon);
  await store.cursors.save({ ...group, stream: 's' }, { workerId: 'w-1', position: { hostile }, at: noon });
  const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const event = { scheme: 's', hookId: 'h', signedId: 'h', event: 'e', resource: 'r', digest: 'd', wanted: true };
  await store.deliveries.add({ id: 'v-1', profile: 'acme', at: noon, body, ...event });
}

const owed = `INSERT INTO owed (profile, company_id, family, document_id, event_key, since, tries, next_at)
  VALUES ('acme', 'c-1', 'nfe', 'd-1', '', 1, 2, 3)`;

const fileOf = (host: TestHost) => join(host.root, 'state', 'state.db');

/** A machine with a filled store of its own, and the address of a server. */
async function machine(): Promise<TestHost> {
  const host = testHost({ env: { FISCAL_STORE_URL: url } });
  await seed(host, fill);
  change(fileOf(host), owed);
  return host;
}

function change(path: string, sql: string): void {
  const database = new Sqlite(path);
  database.exec(sql);
  database.close();
}

/** Every copied column of every row, without the character zero, which PostgreSQL does not have. */
function rowsOf(path: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new Sqlite(path, { readonly: true });
  const tables = copiedTables.map((table) => {
    const { name, key } = table;
    const sql = `SELECT ${copiedColumns(table).join(', ')} FROM ${name} WHERE ${name === 'item_events' ? 1 : "profile <> 'sandbox'"} ORDER BY ${key.join(', ')}`;
    const rows = database.prepare<[], Record<string, unknown>>(sql).all();
    const kept = rows.map((row) =>
      Object.entries(row).map(([column, cell]) => [
        column,
        typeof cell === 'string' ? cell.replaceAll('\0', '\uFFFD') : cell,
      ]),
    );
    return [name, kept.map((row) => Object.fromEntries(row))];
  });
  database.close();
  return Object.fromEntries(tables);
}

async function fiscal(host: TestHost, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(
    ['store', ...words, '--yes', '-o', 'json', '--error-format', 'json'],
    host,
  );
  return { exitCode, stderr, data: stdout === '' ? undefined : JSON.parse(stdout) };
}

const openServer = async () =>
  await openPostgresStore({ server: await readStoreAddress({ secret: url, source: 'test' }, {}), clock: realClock });

test('a copy to the server and back has every row of every table, and the engines agree on their hashes', async () => {
  const host = await machine();
  change(fileOf(host), `INSERT INTO pace (profile, host) VALUES ('sandbox', 'h')`);
  const before = rowsOf(fileOf(host));
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  const there = await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  expect([there.exitCode, there.stderr]).toEqual([0, expect.any(String)]);
  const rows = Object.values(before).reduce((sum, table) => sum + table.length, 0);
  expect(there.data).toMatchObject({ type: 'copy', from: fileOf(host), rows });
  expect(JSON.stringify(there)).not.toContain('pw-of-owner');
  const back = await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db');
  expect([back.exitCode, back.data?.tables]).toEqual([0, there.data?.tables]);
  expect(rowsOf(join(host.cwd, 'back.db'))).toEqual(before);
});

test('what is copied goes on where it stood: the first send is known, and new rows get numbers of their own', async () => {
  const host = await machine();
  await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  const store = await openServer();
  expect([store.identity.isNew, store.identity.copy]).toEqual([false, undefined]);
  await openJob(store, [newItem(1, { id: 'other', dedupeKey: 'other' })], newJob({ id: 'job-2' }));
  const [taken] = await store.items.claim({ ...prepared, states: ['sending'] });
  expect(taken).toMatchObject({ id: 'item-1', attempts: 1, epoch: 2 });
  expect(
    await store.documents.open({
      profile: 'acme',
      families: ['nfe'],
      days: [{ from: '2026-05-05', to: '2026-05-05' }],
    }),
  ).toMatchObject([{ id: 'd-1', data }]);
  await store.close();
});

test('from the copied store nothing is sent, whatever program has it open, until it is released', async () => {
  const host = await machine();
  await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  const local = testHost({ env: { FISCAL_STATE_DIR: join(host.root, 'state') } });
  expect(await fiscal(local, 'status')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('store.copied_away'),
  });
  expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject({
    exitCode: 0,
    data: { already: true },
  });
  const process = await openServer();
  expect((await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db')).exitCode).toBe(0);
  await process.workers.register(newWorker({ expiresAt: Date.now() + 60_000 }));
  const claim = process.items.claim({ ...prepared, now: Date.now() });
  await expect(claim).rejects.toMatchObject({ code: 'store.copied_away', message: expect.stringContaining('back.db') });
  await process.workers.remove('worker-1').catch(() => undefined);
  await server.query('DELETE FROM fiscal.workers', url);
  expect((await fiscal(host, 'release', '--dry-run')).data).toMatchObject({ released: false, dryRun: true });
  expect(await fiscal(host, 'release', 'server')).toMatchObject({ exitCode: 0, data: { released: true } });
  await process.workers.register(newWorker({ expiresAt: Date.now() + 60_000 }));
  expect(await process.items.claim({ ...prepared, now: Date.now() })).toHaveLength(10);
  await process.close();
  expect(await fiscal(host, 'release', 'local')).toMatchObject({ exitCode: 0, data: { released: true } });
  expect((await fiscal(local, 'status')).exitCode).toBe(0);
});

describe('a copy is refused, and both stores stay as they are,', () => {
  test('while a worker lives in the source or in the target', async () => {
    const host = await machine();
    const living = newWorker({ id: 'w-9', machine: 'elsewhere/1', expiresAt: Date.now() + 60_000 });
    await seed(host, (store) => store.workers.register(living));
    const refused = { exitCode: 11, stderr: expect.stringContaining('store.in_use') };
    expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject(refused);
    await seed(host, (store) => store.workers.remove('w-9'));
    const store = await openServer();
    await store.workers.register(living);
    expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject(refused);
    expect((await fiscal(host, 'status')).exitCode).toBe(0);
    await store.workers.remove('w-9');
    await store.close();
    expect((await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).exitCode).toBe(0);
  });

  test('while a process has the file open', async () => {
    const host = await machine();
    const open = await openStore({ path: fileOf(host), clock: realClock });
    const refused = { exitCode: 11, stderr: expect.stringContaining('store.in_use') };
    expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject(refused);
    await open.close();
    expect((await fiscal(host, 'status')).exitCode).toBe(0);
  });

  test.each([
    ["UPDATE items SET input = '{' WHERE id = 'item-700'", 'items', 'seq 700', 'not JSON'],
    ["UPDATE documents SET data = '{'", 'documents', 'seq 1', 'not JSON'],
    ['UPDATE history SET at = 9e17 WHERE seq = 2', 'history', 'seq 2', '900000000000000000 in at'],
    ['UPDATE answers SET fetched_at = -9e17', 'answers', 'profile acme, kind k', 'fetched_at'],
  ])('for a row that the program cannot read (%s)', async (sql, table, key, reason) => {
    const host = await machine();
    change(fileOf(host), sql);
    const { exitCode, stderr } = await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
    expect(exitCode).toBe(2);
    for (const said of ['store.damaged_row', table, key, reason, 'fiscal store check']) expect(stderr).toContain(said);
    expect((await fiscal(host, 'status')).exitCode).toBe(0);
    const local = testHost({ env: { FISCAL_STATE_DIR: join(host.root, 'state') } });
    expect((await fiscal(local, 'status')).exitCode).toBe(0);
  });

  test('for a row that the server cannot have written', async () => {
    const host = await machine();
    await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
    await server.query("UPDATE fiscal.known SET data = 'x'", url);
    const { exitCode, stderr } = await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('fiscal store check server')]);
    expect(stderr).toContain('known');
    expect((await fiscal(host, 'status')).exitCode).toBe(0);
  });

  test('for what SQLite finds damaged, and rows that refer to none', async () => {
    const host = await machine();
    change(fileOf(host), "PRAGMA foreign_keys = OFF; UPDATE items SET job_id = 'none' WHERE seq = 5");
    expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('row 5 of items refers to no row of jobs'),
    });
  });

  test('into a store with rows of its own', async () => {
    const host = await machine();
    const store = await openServer();
    await store.jobs.create(newJob(), []);
    await store.close();
    expect(await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('(1 in jobs)'),
    });
  });

  test.each([
    [['--from', 'local', '--to', 'local'], 'it is the store of --from'],
    [['--from', 'none.db', '--to', 'server'], 'none.db'],
    [['--from', 'postgres://u:canary@h/d', '--to', 'local'], 'postgres://…'],
    [['--from', 'local', '--to', 'other.db-wal'], 'other.db-wal'],
    [['--from', 'other.db-open', '--to', 'server'], 'other.db-open'],
    [['--from', 'local'], '--to'],
    [[], '--from, --to'],
  ])('for the words %j: exit 2', async (words, says) => {
    const { exitCode, stderr } = await fiscal(await machine(), 'copy', ...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(stderr).not.toContain('canary');
  });

  test('without consent, and with --dry-run', async () => {
    const host = await machine();
    const words = ['store', 'copy', '--from', 'local', '--to', 'server'];
    expect((await runFiscal(words, host)).exitCode).toBe(2);
    expect((await fiscal(host, 'copy', '--from', 'local', '--to', 'server', '--dry-run')).data).toMatchObject({
      dryRun: true,
    });
    expect(await server.query("SELECT to_regnamespace('fiscal')::text AS made", url)).toEqual([{ made: null }]);
    expect((await fiscal(host, 'status', '--profile', 'sandbox')).exitCode).toBe(0);
  });
});

describe('answers that wait on this machine for the copied store', () => {
  async function withAnswer(change: Partial<KeptAnswer>) {
    const host = await machine();
    await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
    const store = await openServer();
    const item = await store.items.get('item-1');
    await store.close();
    const journal = createAnswerJournal(join(host.root, 'state'), store.identity.id);
    const patch = { state: 'succeeded', resourceId: 'p-1', holdsKey: true, keep: false } as const;
    await journal.keep({
      ...{ itemId: 'item-1', jobId: 'job-1', label: 'SKU-1', workerId: 'worker-1', at: noon, step: { is: 'read' } },
      ...{ epoch: item?.epoch ?? 0, attempts: 1, patch },
      ...change,
    });
    return { host, journal };
  }

  test('are written to it first, and arrive with the copy', async () => {
    const { host, journal } = await withAnswer({});
    expect((await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db')).exitCode).toBe(0);
    expect((await journal.list()).answers).toEqual([]);
    const copy = await openStore({ path: join(host.cwd, 'back.db'), clock: realClock });
    expect(await copy.items.get('item-1')).toMatchObject({ state: 'succeeded', resourceId: 'p-1' });
    await copy.close();
  });

  test('refuse the copy while one cannot be read', async () => {
    const { host, journal } = await withAnswer({});
    const [kept] = (await journal.list()).answers;
    truncateSync(kept?.path ?? '', 20);
    const refused = { exitCode: 2, stderr: expect.stringContaining('store.answers_wait') };
    expect(await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db')).toMatchObject(refused);
    expect((await fiscal(host, 'status')).exitCode).toBe(0);
    await journal.remove(kept?.path ?? '');
    expect((await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db')).exitCode).toBe(0);
  });
});

test('a target whose rows were changed is found out, and neither store sends', async () => {
  const host = await machine();
  const twisted = `CREATE FUNCTION fiscal.twist() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.label := 'x'; RETURN NEW; END $$;
    CREATE TRIGGER twist BEFORE INSERT ON fiscal.items FOR EACH ROW EXECUTE FUNCTION fiscal.twist()`;
  await (await openServer()).close();
  await server.query(twisted, url);
  const ended = await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  expect(ended).toMatchObject({ exitCode: 13, stderr: expect.stringContaining('store.copy_differs') });
  const refused = { exitCode: 2, stderr: expect.stringContaining('store.copy_unfinished') };
  expect(await fiscal(host, 'status')).toMatchObject(refused);
  const local = testHost({ env: { FISCAL_STATE_DIR: join(host.root, 'state') } });
  expect(await fiscal(local, 'status')).toMatchObject(refused);
  // Given up and changed meanwhile: the next attempt begins anew.
  await server.query('DROP TRIGGER twist ON fiscal.items', url);
  await fiscal(host, 'release', 'local');
  change(fileOf(host), "UPDATE items SET label = 'other' WHERE id = 'item-7'");
  expect((await fiscal(host, 'copy', '--from', 'local', '--to', 'server')).exitCode).toBe(0);
  expect(
    await server.query("SELECT label FROM fiscal.items WHERE id IN ('item-6', 'item-7') ORDER BY seq", url),
  ).toEqual([{ label: 'SKU-6' }, { label: 'other' }]);
});

test('of two copies that read one store at once, only one ends well', async () => {
  const host = await machine();
  await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  const ends = await Promise.all(
    ['a.db', 'b.db'].map(async (to) => await fiscal(host, 'copy', '--from', 'server', '--to', to)),
  );
  const [good, refused] = ends.toSorted((one, other) => one.exitCode - other.exitCode);
  expect(good?.exitCode).toBe(0);
  expect(refused?.stderr).toMatch(/store\.copy_(?:overtaken|unfinished)|store\.copied_away/);
});

test('a copy whose source is released meanwhile does not open its target', async () => {
  const host = await machine();
  await fiscal(host, 'copy', '--from', 'local', '--to', 'server');
  const release = `CREATE FUNCTION fiscal.released() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.copy := NULL; RETURN NEW; END $$;
    CREATE TRIGGER released BEFORE UPDATE ON fiscal.identity FOR EACH ROW EXECUTE FUNCTION fiscal.released()`;
  await server.query(release, url);
  const ended = await fiscal(host, 'copy', '--from', 'server', '--to', 'back.db');
  expect(ended).toMatchObject({ exitCode: 11, stderr: expect.stringContaining('store.copy_overtaken') });
  const target = await openStore({ path: join(host.cwd, 'back.db'), clock: realClock });
  expect(target.identity.copy).toMatchObject({ step: 'arriving' });
  await target.close();
});

describe.each(['server', 'file'])('the rows of a %s', (kind) => {
  const arriving = { step: 'arriving', otherId: 'one', other: 'one.db', at: noon } as const;
  const overtaken = { code: 'store.copy_overtaken' };
  const table = { name: 'jobs', ...tables.jobs } as const;

  async function emptyRows(fillIt?: (store: Store) => Promise<unknown>): Promise<WholeRows> {
    const path = join(testHost().root, 'rows.db');
    const store = kind === 'server' ? await openServer() : await openStore({ path, clock: realClock });
    await fillIt?.(store);
    await store.close();
    if (kind === 'file') return openFileRows(path, { without: 'sandbox', alone: true });
    return openServerRows(await readStoreAddress({ secret: url, source: 'test' }, {}));
  }

  test('are taken by one copy, and only that one changes them', async () => {
    const rows = await emptyRows();
    const other = { ...arriving, otherId: 'two' };
    const nothing = { found: undefined, now: noon };
    const taken = await Promise.allSettled([arriving, other].map((mark) => rows.refuseOthers(mark, nothing)));
    expect(taken.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [mine, theirs] = taken[0]?.status === 'fulfilled' ? [arriving, other] : [other, arriving];
    await rows.requireMine(mine);
    await expect(rows.insert(table, [{ seq: 1 }], theirs)).rejects.toMatchObject(overtaken);
    await expect(rows.clear(theirs)).rejects.toMatchObject(overtaken);
    await expect(rows.admitOthers(theirs, { firstSendAt: noon })).rejects.toMatchObject(overtaken);
    await rows.admitOthers(mine);
    await expect(rows.requireMine(mine)).rejects.toMatchObject(overtaken);
    await rows.close();
  });

  test('are not taken for a copy when one came since they were counted', async () => {
    const rows = await emptyRows((store) => store.jobs.create(newJob(), []));
    const taking = rows.refuseOthers(arriving, { found: undefined, now: noon });
    await expect(taking).rejects.toMatchObject({ code: 'store.not_empty' });
    expect(await rows.count(table)).toBe(1);
    await rows.close();
  });
});

test('every table of a store is copied, or belongs to one store', async () => {
  const host = await machine();
  const database = new Sqlite(fileOf(host), { readonly: true });
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  database.close();
  expect(names.toSorted()).toEqual(
    tablesOf('sqlite')
      .map(({ name }) => name)
      .toSorted(),
  );
  const copied: readonly string[] = copiedTables.map(({ name }) => name);
  expect(names.filter((name) => !copied.includes(String(name))).toSorted()).toEqual([
    ...['document_groups', 'identity', 'open_documents', 'timeline', 'workers'],
  ]);
});
