import Sqlite from 'better-sqlite3';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Examined, examine } from '../../../src/store/store-check.js';
import { withFileSnapshot } from '../../../src/store/sqlite/check.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fillForCheck } from '../contract-check.js';
import { newItem, openJob } from '../samples.js';

async function filled(fill = fillForCheck): Promise<string> {
  const path = join(temporaryFolder(), 'state.db');
  const store = await openStore({ path, clock: realClock });
  await fill(store);
  await store.close();
  return path;
}

const look = async (path: string): Promise<Examined> =>
  await withFileSnapshot(path, (snapshot) => examine(snapshot, () => undefined));

function change(path: string, sql: string): void {
  new Sqlite(path).exec(sql).close();
}

test.each([
  ['DROP INDEX items_by_state', 'items', 'the index items_by_state is missing'],
  ['DROP INDEX items_by_state; CREATE INDEX items_by_state ON items (job_id)', 'items', 'the index items_by_state is'],
  [
    'CREATE TRIGGER lost BEFORE INSERT ON items BEGIN SELECT RAISE(IGNORE); END',
    'items',
    'the trigger lost is not part of this schema',
  ],
  ['CREATE UNIQUE INDEX one ON usage (seq)', 'usage', 'the index one is not part of this schema'],
  ['DROP TRIGGER open_document_added', 'documents', 'the trigger open_document_added is missing'],
  ['ALTER TABLE owed DROP COLUMN tries', 'owed', 'the table owed is missing, or is not the one'],
  [
    "PRAGMA foreign_keys = OFF; UPDATE items SET job_id = 'x' WHERE seq = 3",
    'sqlite',
    'row 3 of items refers to no row of jobs',
  ],
  [
    'PRAGMA ignore_check_constraints = ON; UPDATE items SET billed = 7 WHERE seq = 3',
    'items',
    'CHECK constraint failed: billed IN (0, 1)',
  ],
  ['DELETE FROM open_documents WHERE document = 1', 'documents', 'its terms would not be shown'],
  ["INSERT INTO open_documents VALUES ('acme', 'nfe', '', 99)", 'open_documents', 'there is no document'],
  ['UPDATE identity SET lost_rows = 1', 'identity', 'the newest rows were lost'],
  [`UPDATE identity SET copy = '{"step":"arriving","otherId":"o","other":"p","at":1}'`, 'identity', 'is not finished'],
  ["UPDATE identity SET copy = '{}'", 'identity', 'the note of a copy is not one of this program'],
  ["UPDATE identity SET id = ''", 'identity', 'a text is expected'],
  ['UPDATE identity SET first_send_at = 1', 'identity', 'years 2000 to 9999 is expected, not 1'],
  ['UPDATE timeline SET uptime_ms = -1', 'timeline', 'a number from 0 is expected, not -1'],
  ['UPDATE timeline SET store_ms = -1', 'timeline', 'a time or 0 is expected, not -1'],
  ['DELETE FROM identity', 'identity', 'no identity'],
])('finds %s', async (sql, table, reason) => {
  const path = await filled();
  change(path, sql);
  const { findings, total } = await look(path);
  expect(findings).toContainEqual(
    expect.objectContaining({ table, reason: expect.objectContaining({ en: expect.stringContaining(reason) }) }),
  );
  expect(total).toBe(findings.length);
});

test('a table that is gone is not read, and what it holds for others is not claimed', async () => {
  const path = await filled();
  change(path, 'DROP TABLE owed');
  const { notRead, tables } = await look(path);
  expect(notRead).toEqual(['owed', 'relations']);
  expect(tables.map(({ table }) => table)).not.toContain('owed');
});

test('numbers of rows that are read rounded end the reading of their table, which is said', async () => {
  const path = await filled();
  const columns = 'at, profile, operation, billed, outcome';
  change(
    path,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
     INSERT INTO usage (seq, ${columns}) SELECT 4611686018427387904 + i, 0, 'acme', 'product.create', 'engine', 'billed' FROM n`,
  );
  const { findings, notRead } = await look(path);
  expect(notRead).toContain('usage');
  expect(findings.map(({ table }) => table)).toContain('usage');
});

test('where pages are damaged, the rest is read, and the damaged table is named', async () => {
  const items = Array.from({ length: 3_000 }, (_, index) => newItem(index + 1));
  const path = await filled(async (store) => await openJob(store, items));
  const database = new Sqlite(path, { readonly: true });
  const pages = database
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'items' AND pagetype = 'leaf'")
    .pluck()
    .all();
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, ((pages[40] ?? 0) - 1) * size);
  closeSync(file);
  const { findings, notRead, tables } = await look(path);
  expect(notRead).toContain('items');
  expect(findings.find(({ table }) => table === 'sqlite')).toBeDefined();
  expect(tables.find(({ table }) => table === 'jobs')).toEqual({ table: 'jobs', rows: 1 });
});

test('a file of an older or newer program, of another one, or without its journal is not looked at', async () => {
  for (const [version, code] of [
    [-1, 'store.older'],
    [999, 'store.newer'],
    [0, 'store.damaged'],
  ] as const) {
    const path = await filled();
    change(path, `PRAGMA user_version = ${version}`);
    await expect(look(path)).rejects.toMatchObject({ code, exitCode: 2 });
  }
});
