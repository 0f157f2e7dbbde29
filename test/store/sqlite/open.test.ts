import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { dayIndex } from '../../../src/store/sqlite/document-terms.js';
import { sightIndex } from '../../../src/store/sqlite/overview.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { knownSchema, migrate } from '../../../src/store/sqlite/migrations.js';
import { realClock } from '../../support/clock.js';
import { newJob, newWorker, noon } from '../samples.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Name and bytes of every file of a folder. */
const contentsOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);

test('a store is created with its folder, readable by its owner only', async () => {
  const folder = join(temporaryFolder(), 'state', 'fiscal');
  const path = join(folder, 'store.db');
  const store = await openStore({ path, clock: realClock });
  await store.jobs.create(newJob(), []);
  expect([mode(join(folder, '..')), mode(folder)]).toEqual(['700', '700']);
  expect(readdirSync(folder).map((name) => [name, mode(join(folder, name))])).toEqual([
    ['store.db', '600'],
    ['store.db-open', '600'],
    ['store.db-shm', '600'],
    ['store.db-wal', '600'],
  ]);
  await store.close();
  expect(readdirSync(folder)).toEqual(['store.db']);
});

test('a store that others can read is made private', async () => {
  const path = join(temporaryFolder(), 'store.db');
  writeFileSync(path, '', { mode: 0o644 });
  await (await openStore({ path, clock: realClock })).close();
  expect(mode(path)).toBe('600');
});

test('a store whose tables another process is creating is not taken for a foreign database', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const pragma = vi.spyOn(Sqlite.prototype, 'pragma');
  pragma.mockImplementationOnce(function (this: Sqlite.Database, ...read: Parameters<typeof this.pragma>) {
    const found: unknown = this.pragma(...read);
    const other = new Sqlite(path, { timeout: 0 });
    try {
      migrate(other);
    } catch (error) {
      // It waits until the first process has finished reading.
      expect(error).toMatchObject({ code: 'SQLITE_BUSY' });
    }
    other.close();
    return found;
  });
  await (await openStore({ path, clock: realClock })).close();
  expect(pragma.mock.calls[0]).toEqual(['user_version', { simple: true }]);
  pragma.mockRestore();
});

test('a file that is not a database is reported as damaged and not changed', async () => {
  for (const bytes of ['x', 'not a database '.repeat(1_000), '\0'.repeat(8_192)]) {
    const folder = temporaryFolder();
    const path = join(folder, 'store.db');
    writeFileSync(path, bytes, { mode: 0o600 });
    await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({ code: 'store.damaged' });
    expect(contentsOf(folder)).toEqual([['store.db', Buffer.from(bytes).toString('base64')]]);
  }
});

test('the database of another program is reported and not changed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'store.db');
  new Sqlite(path).exec('CREATE TABLE bookmarks (url TEXT)').close();
  const before = contentsOf(folder);
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.damaged',
    text: { en: expect.stringContaining('it is a database of another program') },
  });
  expect(contentsOf(folder)).toEqual(before);
});

test('an overwritten page is reported as damaged when it is read', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = await openStore({ path, clock: realClock });
  await store.jobs.create(newJob(), []);
  await store.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4_096);
  writeFileSync(path, bytes);
  const work = async () => {
    const again = await openStore({ path, clock: realClock });
    try {
      return await again.jobs.get('job-1');
    } finally {
      await again.close();
    }
  };
  await expect(work()).rejects.toMatchObject({ code: 'store.damaged', exitCode: 2 });
});

test('a store of a newer program is reported with both schemas and not changed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'store.db');
  await (await openStore({ path, clock: realClock })).close();
  const database = new Sqlite(path);
  database.pragma('journal_mode = DELETE');
  database.pragma(`user_version = ${knownSchema + 7}`);
  database.close();
  const before = contentsOf(folder);
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.newer',
    text: { en: expect.stringContaining(`schema ${knownSchema + 7}; this one knows ${knownSchema}`) },
  });
  expect(contentsOf(folder)).toEqual(before);
});

test.each(Array.from({ length: knownSchema - 1 }, (_, index) => index + 1))(
  'a store that says that it has schema %i, but has the newest, is reported as damaged',
  async (schema) => {
    const path = join(temporaryFolder(), 'store.db');
    await (await openStore({ path, clock: realClock })).close();
    new Sqlite(path).exec(`PRAGMA user_version = ${schema}`).close();
    await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({ code: 'store.damaged' });
  },
);

test('a time of the store itself that no date has is reported as damaged', async () => {
  const path = join(temporaryFolder(), 'store.db');
  await (await openStore({ path, clock: realClock })).close();
  new Sqlite(path).exec('UPDATE timeline SET store_ms = 1e15').close();
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.damaged',
    message: expect.stringContaining('a row contains 1000000'),
  });
});

const dropOpenDocuments = `DROP TABLE open_documents; DROP TRIGGER open_document_added; DROP TRIGGER open_document_dated;
  DROP TRIGGER open_document_removed; DROP TRIGGER open_document_settled; DROP TRIGGER open_document_settled_later;
  DROP TRIGGER open_document_reopened;`;

const dropFacts = [
  ...['xml_facts', 'term_day'].map((column) => `ALTER TABLE documents DROP COLUMN ${column};`),
  ...[
    'code',
    'sequence',
    'answer_code',
    'answer_text',
    'protocol',
    'author',
    'substitute_key',
    'registered',
  ].map((column) => `ALTER TABLE document_events DROP COLUMN ${column};`),
].join('');

const dropActors = ['jobs', 'usage', 'history', 'item_events']
  .flatMap((table) =>
    ['machine', 'os_user', 'ci_run'].map((column) => `ALTER TABLE ${table} DROP COLUMN ${column};`),
  )
  .join('');

const dropLearned = ['accepted', 'refused_at', 'accepted_then', 'agreeing', 'limit_per_ms']
  .map((column) => `ALTER TABLE pace DROP COLUMN ${column};`)
  .join('');

test('an older store learns which documents are open', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const at = (family: 'nfe' | 'cte') => ({ profile: 'acme', companyId: 'c-1', family });
  const store = await openStore({ path, clock: realClock });
  const days = [{ from: '2026-05-01', to: '2026-05-31' }];
  const openOf = async ({ documents }: typeof store) =>
    (await documents.open({ profile: 'acme', families: ['nfe', 'cte'], days })).map(({ id }) => id);
  const document = (id: string, issuedOn = '2026-05-05') => ({ id, issuedOn, data: {} });
  await store.documents.see(at('nfe'), [document('settled'), document('open'), document('no-day', '')], 1);
  await store.documents.see(at('cte'), [document('freight')], 1);
  await store.events.see(
    at('nfe'),
    [
      { eventKey: 'e-1', documentId: 'settled', type: '210240' },
      { eventKey: 'e-2', documentId: 'open', type: '210210' },
    ],
    1,
  );
  await store.close();
  const database = new Sqlite(path);
  database.exec(
    `DROP INDEX usage_of_company; ${dropOpenDocuments}${dropFacts} DROP INDEX documents_by_sight;${sightIndex}${dayIndex} ALTER TABLE identity DROP COLUMN copy; ALTER TABLE identity DROP COLUMN went_back_to; ALTER TABLE identity DROP COLUMN may_lack_until;${dropActors}${dropLearned}`,
  );
  database.pragma('user_version = 20');
  database.close();
  const again = await openStore({ path, clock: realClock });
  expect(await openOf(again)).toEqual(['open', 'no-day']);
  await again.events.see(
    at('nfe'),
    [{ eventKey: 'e-3', documentId: 'open', facts: { code: 210200, sequence: 1 } }],
    2,
  );
  expect(await openOf(again)).toEqual(['no-day']);
  await again.close();
});

test('an older store without the kind of XML gets it where it is certain', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = await openStore({ path, clock: realClock });
  const at = (family: 'nfe' | 'cte') => ({ profile: 'acme', companyId: 'c-1', family });
  const file = { path: 'a.xml', sha256: 'ab'.repeat(32), bytes: 1 };
  const rows = [
    ['nfe', 'signed', 'valid'],
    ['nfe', 'unsigned', 'absent'],
    ['cte', 'never-a-summary', 'absent'],
  ] as const;
  for (const [family, id, signature] of rows) {
    await store.documents.see(at(family), [{ id, data: {} }], 1);
    const row = await store.documents.get(at(family), id);
    const patch = { state: 'archived', due: false, archive: '/a', file, signature } as const;
    await store.documents.finish([{ row: row ?? { id, seq: 0, version: 0 }, patch, at: 1 }]);
  }
  await store.close();
  const database = new Sqlite(path);
  database.exec(
    `DROP INDEX documents_not_full; ALTER TABLE documents DROP COLUMN xml_kind; DROP INDEX known_by_label;
     ALTER TABLE items DROP COLUMN answered_company; DROP TABLE timeline; DROP TABLE identity;
     DROP INDEX items_sent_before; DROP INDEX invoices_by_resource; DROP INDEX invoices_without_resource; ALTER TABLE workers DROP COLUMN job_id; DROP TABLE owed;
     ALTER TABLE items DROP COLUMN lookup; ALTER TABLE history DROP COLUMN deprecation;
     ALTER TABLE pace DROP COLUMN asked_ms; DROP INDEX documents_by_sight; ${dropOpenDocuments}${dropFacts}${dropActors}${dropLearned}`,
  );
  database.pragma('user_version = 5');
  database.close();
  const again = await openStore({ path, clock: realClock });
  const kinds = await Promise.all(
    rows.map(async ([family, id]) => (await again.documents.get(at(family), id))?.xmlKind),
  );
  await again.close();
  expect(kinds).toEqual(['full', undefined, 'full']);
});

test('a folder that cannot be created is reported with path and reason', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const path = join(file, 'state', 'store.db');
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.unwritable',
    message: `cannot write ${path}: ENOTDIR: not a directory`,
  });
});

test('a folder in place of the file is reported with path and reason', async () => {
  const path = temporaryFolder();
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.unwritable',
    message: `cannot write ${path}: EISDIR: illegal operation on a directory`,
  });
});

test('opening a new store many times concurrently succeeds with one schema', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ path, clock: realClock })));
  await Promise.all(stores.map((store, i) => store.jobs.create(newJob({ id: `job-${i}` }), [])));
  expect(await stores[0]?.jobs.list({})).toHaveLength(8);
  await Promise.all(stores.map((store) => store.close()));
});

test('a worker whose lease expired more than a day ago is removed, a newer one is kept', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const day = 86_400_000;
  const clock = { ...realClock, now: () => noon };
  const first = await openStore({ path, clock });
  await first.workers.register(newWorker({ id: 'old', expiresAt: noon - day - 1 }));
  await first.workers.register(newWorker({ id: 'young', expiresAt: noon - day + 60_000 }));
  await first.close();
  const second = await openStore({ path, clock });
  expect((await second.workers.list()).map((worker) => worker.id)).toEqual(['young']);
  await second.close();
});
