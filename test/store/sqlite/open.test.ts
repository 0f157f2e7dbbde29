import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open.js';
import { schemaVersion } from '../../../src/store/schema.js';
import { create } from '../../../src/store/sqlite/schema.js';
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
      create(other);
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

test.each([
  [7, 'store.newer', `schema ${schemaVersion + 7}; this one knows ${schemaVersion}`],
  [-2, 'store.older', `schema ${schemaVersion - 2}; this one reads ${schemaVersion}): use the version that wrote it`],
])('a store of another version (%i) is reported with both schemas and not changed', async (by, code, text) => {
  const folder = temporaryFolder();
  const path = join(folder, 'store.db');
  await (await openStore({ path, clock: realClock })).close();
  const database = new Sqlite(path);
  database.pragma('journal_mode = DELETE');
  database.pragma(`user_version = ${schemaVersion + by}`);
  database.close();
  const before = contentsOf(folder);
  const opening = openStore({ path, clock: realClock });
  await expect(opening).rejects.toMatchObject({ code, exitCode: 2, text: { en: expect.stringContaining(text) } });
  expect(contentsOf(folder)).toEqual(before);
});

test('a time of the store itself that no date has is reported as damaged', async () => {
  const path = join(temporaryFolder(), 'store.db');
  await (await openStore({ path, clock: realClock })).close();
  new Sqlite(path).exec('UPDATE timeline SET store_ms = 1e15').close();
  await expect(openStore({ path, clock: realClock })).rejects.toMatchObject({
    code: 'store.damaged',
    message: expect.stringContaining('a row contains 1000000'),
  });
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
