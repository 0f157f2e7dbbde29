import Sqlite from 'better-sqlite3';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownSchema } from '../../../src/store/sqlite/migrations.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { seed } from '../seed.js';

const fileOf = (host: TestHost) => join(host.root, 'state', 'state.db');

async function migrate(host: TestHost, ...words: string[]) {
  const { exitCode, stdout } = await runFiscal(['store', 'migrate', '-o', 'json', ...words], host);
  return { exitCode, data: stdout === '' ? undefined : JSON.parse(stdout) };
}

test('a new store goes from no schema to the newest, and then has nothing to do', async () => {
  const host = testHost();
  const path = fileOf(host);
  const plan = { type: 'migration', path, from: 0, to: knownSchema, dryRun: true };
  expect(await migrate(host, '--dry-run')).toEqual({ exitCode: 0, data: plan });
  // A dry run creates nothing.
  expect(await migrate(host, '--dry-run')).toEqual({ exitCode: 0, data: plan });
  const { dryRun: _dryRun, ...done } = plan;
  expect(await migrate(host)).toEqual({ exitCode: 0, data: done });
  expect(await migrate(host)).toEqual({ exitCode: 0, data: { ...done, from: knownSchema } });
});

const factsOfEvents = [
  ...['code', 'sequence', 'answer_code', 'answer_text', 'protocol', 'author', 'substitute_key', 'registered'],
];

function namesOf(database: Sqlite.Database, type: string): readonly string[] {
  return database
    .prepare<[string], string>('SELECT name FROM sqlite_master WHERE type = ?')
    .pluck()
    .all(type);
}

test('an older store keeps its rows', async () => {
  const host = testHost();
  await seed(host, (store) => store.pace.block({ profile: 'p', host: 'h' }, 1));
  const database = new Sqlite(fileOf(host));
  for (const table of ['jobs', 'usage', 'history', 'item_events'])
    for (const column of ['machine', 'os_user', 'ci_run'])
      database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  for (const column of ['accepted', 'refused_at', 'accepted_then', 'agreeing', 'limit_per_ms'])
    database.exec(`ALTER TABLE pace DROP COLUMN ${column}`);
  for (const name of namesOf(database, 'trigger')) database.exec(`DROP TRIGGER ${name}`);
  for (const name of ['added', 'dated', 'removed', 'settled'])
    database.exec(`CREATE TRIGGER open_document_${name} AFTER INSERT ON documents BEGIN SELECT 1; END`);
  for (const column of ['xml_facts', 'term_day'])
    database.exec(`ALTER TABLE documents DROP COLUMN ${column}`);
  for (const column of factsOfEvents) database.exec(`ALTER TABLE document_events DROP COLUMN ${column}`);
  for (const column of ['copy', 'went_back_to', 'may_lack_until'])
    database.exec(`ALTER TABLE identity DROP COLUMN ${column}`);
  database.exec('DROP INDEX usage_of_company; PRAGMA user_version = 21');
  database.close();
  expect((await migrate(host, '--dry-run')).data).toMatchObject({ from: 21, to: knownSchema });
  expect((await migrate(host)).data).toMatchObject({ from: 21, to: knownSchema });
  await seed(host, async (store) => {
    expect(await store.pace.get({ profile: 'p', host: 'h' })).toMatchObject({ blockedUntil: 1 });
  });
});

test.each([['--dry-run'], ['--quiet']])(
  'what is no store, or is newer, is left alone (%s): exit 2',
  async (word) => {
    const host = testHost();
    mkdirSync(join(host.root, 'state'));
    writeFileSync(fileOf(host), 'garbage '.repeat(2_000));
    const { exitCode, stderr } = await runFiscal(['store', 'migrate', word], host);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"code":"store.damaged"')]);
    const newer = testHost();
    await seed(newer, () => Promise.resolve());
    const database = new Sqlite(fileOf(newer));
    database.pragma('user_version = 999');
    database.close();
    const ended = await runFiscal(['store', 'migrate', word], newer);
    expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('"code":"store.newer"')]);
  },
);
