import fs, {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { lostJournal } from '../../../src/store/sqlite/journal.js';
import { openReadOnly, openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const open = (path: string) => openStore({ path, clock: realClock });
const pathOf = () => `${temporaryFolder()}/store.db`;

test('a store is new until something is sent from it, and keeps its identity', async () => {
  const path = pathOf();
  const first = await open(path);
  expect([first.identity.isNew, first.identity.lostRows]).toEqual([true, false]);
  await first.identity.sentAt(first.clock.now());
  await first.close();
  const second = await open(path);
  expect([second.identity.isNew, second.identity.id]).toEqual([false, first.identity.id]);
  await second.close();
  expect(existsSync(`${path}-open`)).toBe(false);
});

test('a store without its row of identity is damaged', async () => {
  const path = pathOf();
  await (await open(path)).close();
  const file = new Sqlite(path);
  file.exec('DELETE FROM identity');
  file.close();
  await expect(open(path)).rejects.toMatchObject({
    code: 'store.damaged',
    message: expect.stringContaining('no identity'),
  });
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
  [
    'replaced by a copy',
    (path: string) => {
      cpSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
])('a store whose file is %s while it is open fails before the next send', async (_name, harm) => {
  const path = pathOf();
  const store = await open(path);
  store.identity.requirePresent();
  harm(path);
  expect(() => store.identity.requirePresent()).toThrow(/was removed, emptied or replaced/);
});

test('a journal that was removed after a crash is noticed by the next process', async () => {
  const path = pathOf();
  const crashed = await open(path);
  await crashed.identity.sentAt(crashed.clock.now());
  // What a killed process leaves: the store, its journal and the marker. The journal is then lost.
  const left = pathOf();
  cpSync(path, left);
  cpSync(`${path}-open`, `${left}-open`);
  const next = await open(left);
  expect(next.identity.lostRows).toBe(true);
  await next.close();
  await crashed.close();
});

/** The files of a store whose process was killed after a send: in this process, so that its locks hold nobody up. */
async function crashedAfter(sends: number): Promise<string> {
  const path = pathOf();
  const crashed = await open(path);
  await crashed.identity.sentAt(crashed.clock.now());
  for (let at = 1; at <= sends; at += 1) await crashed.pace.block({ profile: 'p', host: `h${at}` }, at);
  const left = pathOf();
  for (const ending of ['', '-wal', '-shm', '-open']) cpSync(`${path}${ending}`, `${left}${ending}`);
  await crashed.close();
  return left;
}

const random = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 167 + 13) % 251));

test.each<[string, (journal: Buffer) => Buffer]>([
  ['of random bytes', (journal) => random(journal.length)],
  ['of few bytes', () => random(7)],
  ['that is empty', () => Buffer.alloc(0)],
  ['without its end', (journal) => journal.subarray(0, 32 + (journal.length - 32) / 2)],
  ['without its last byte', (journal) => journal.subarray(0, -1)],
  ['without whole frames at its end', (journal) => journal.subarray(0, -4120)],
  [
    'with one other byte in its middle',
    (journal) => {
      const at = journal.length >> 1;
      journal.writeUInt8(journal.readUInt8(at) ^ 1, at);
      return journal;
    },
  ],
  ['of another store', (journal) => Buffer.concat([journal.subarray(0, 16), random(8), journal.subarray(24)])],
])('a journal %s is noticed by the next process', async (_name, harm) => {
  const path = await crashedAfter(20);
  expect(lostJournal(path)).toBeUndefined();
  writeFileSync(`${path}-wal`, harm(readFileSync(`${path}-wal`)));
  expect(lostJournal(path)?.en).toContain('damaged or cut off');
  const next = await open(path);
  expect(next.identity.lostRows).toBe(true);
  await next.close();
});

test('a journal that is whole, with what a killed process has not committed behind it, loses nothing', async () => {
  const path = await crashedAfter(20);
  appendFileSync(`${path}-wal`, random(2_000));
  const next = await open(path);
  expect([next.identity.lostRows, (await next.pace.blocked('p', 0)).length]).toEqual([false, 20]);
  await next.close();
});

test('a journal that is written, checkpointed and begun again by others causes no false alarm', async () => {
  const path = pathOf();
  const [one, other] = [await open(path), await open(path)];
  for (let at = 1; at <= 1_500; at += 1) {
    await (at % 2 === 0 ? one : other).pace.block({ profile: 'p', host: `h${at % 7}` }, at);
    if (at % 50 === 0) expect(lostJournal(path)).toBeUndefined();
  }
  await one.close();
  await other.close();
  expect(lostJournal(path)).toBeUndefined();
});

test('closing the store in one process causes no false alarm in another', async () => {
  const path = pathOf();
  const one = await open(path);
  const other = await open(path);
  await one.close();
  const third = await open(path);
  expect([other.identity.lostRows, third.identity.lostRows]).toEqual([false, false]);
  await other.close();
  await third.close();
});

test('a process that ends between closing the store and removing its marker causes no false alarm', async () => {
  const path = pathOf();
  const store = await open(path);
  const { rmSync: remove } = fs;
  fs.rmSync = () => undefined;
  syncBuiltinESMExports();
  try {
    await store.close();
  } finally {
    fs.rmSync = remove;
    syncBuiltinESMExports();
  }
  expect([existsSync(`${path}-open`), existsSync(`${path}-wal`)]).toEqual([true, false]);
  const next = await open(path);
  expect(next.identity.lostRows).toBe(false);
  await next.close();
  expect(existsSync(`${path}-open`)).toBe(false);
});

test('a store that another process still has open is marked as open after a close', async () => {
  const path = pathOf();
  const [one, other] = [await open(path), await open(path)];
  await one.close();
  const left = pathOf();
  cpSync(path, left);
  cpSync(`${path}-open`, `${left}-open`);
  const next = await open(left);
  expect(next.identity.lostRows).toBe(true);
  await next.close();
  await other.close();
});

test('a store behind a link has its journal beside the file: nothing is lost while another process has it open', async () => {
  const path = pathOf();
  const link = `${temporaryFolder()}/link.db`;
  symlinkSync(path, link);
  const first = await open(link);
  await first.identity.sentAt(1);
  expect(existsSync(`${path}-open`)).toBe(true);
  const second = await open(link);
  expect(second.identity.lostRows).toBe(false);
  const reader = await openReadOnly({ path: link, clock: realClock }, new FiscalError('store.busy', { path }));
  expect(reader.identity.isNew).toBe(false);
  for (const store of [reader, second, first]) await store.close();
  expect([link, path].map((file) => existsSync(`${file}-open`))).toEqual([false, false]);
});

test('the lost journal of a store behind a link is found', async () => {
  const path = pathOf();
  await (await open(path)).close();
  writeFileSync(`${path}-open`, 'of a process that was killed\n');
  const link = `${temporaryFolder()}/link.db`;
  symlinkSync(path, link);
  expect(lostJournal(link)?.en).toContain('was removed');
});
