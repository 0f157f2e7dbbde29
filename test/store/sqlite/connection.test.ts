import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeFailure } from '../../../src/store/sqlite/failures.js';
import { WriteQueue } from '../../../src/store/sqlite/connection.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Bench {
  readonly database: Database;
  readonly other: Database;
  readonly queue: WriteQueue;
  /** For each transaction, whether its commit waits for the disk. */
  readonly commits: boolean[];
  insert(text: string): () => void;
  texts(): readonly unknown[];
}

function bench(): Bench {
  const path = join(temporaryFolder(), 'queue.db');
  const commits: boolean[] = [];
  const full = 2;
  let waits = false;
  const verbose = (sql: unknown) => {
    if (sql === 'COMMIT') commits.push(waits);
  };
  const database = new Sqlite(path, { timeout: 10, verbose });
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE lines (text TEXT UNIQUE)');
  const other = new Sqlite(path, { timeout: 0 });
  onTestFinished(() => void [database.close(), other.close()]);
  return {
    database,
    other,
    commits,
    queue: new WriteQueue(database, (error) => storeFailure(error, path)),
    insert: (text) => () => {
      waits = database.pragma('synchronous', { simple: true }) === full;
      database.prepare('INSERT INTO lines VALUES (?)').run(text);
    },
    texts: () => other.prepare('SELECT text FROM lines ORDER BY text').pluck().all(),
  };
}

test('the writes of one turn of the event loop share a transaction, visible to other connections when they resolve', async () => {
  const { queue, insert, commits, texts } = bench();
  const seen = ['a', 'b', 'c'].map(async (text) => {
    await queue.add(insert(text));
    return texts();
  });
  expect(await Promise.all(seen)).toEqual(Array.from({ length: 3 }, () => ['a', 'b', 'c']));
  expect(commits).toEqual([true]);
});

test('many concurrent writes wait a moment for later ones, and no write waits for one without a promise', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { queue, insert, commits, texts } = bench();
  const crowd = Array.from({ length: 32 }, (_, index) => queue.add(insert(`crowd ${index}`)));
  await new Promise((resolve) => setImmediate(resolve));
  const late = queue.add(insert('late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(commits).toEqual([]);
  vi.advanceTimersByTime(3);
  await Promise.all([...crowd, late]);
  expect([texts().length, commits]).toEqual([33, [true]]);
  const free = Array.from({ length: 32 }, (_, index) => queue.add(insert(`free ${index}`), { durable: false }));
  await Promise.all(free);
  expect(texts().length).toBe(65);
});

test('a failing write does not affect the others', async () => {
  const { queue, insert, texts } = bench();
  const writes = ['a', 'b', 'a', 'c'].map((text) => queue.add(insert(text)));
  const results = await Promise.allSettled(writes);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(texts()).toEqual(['a', 'b', 'c']);
});

test('a failed write is rolled back completely', async () => {
  const { queue, insert, texts } = bench();
  const half = queue.add(() => {
    insert('half')();
    throw new Error('no');
  });
  await expect(half).rejects.toThrow('no');
  expect(texts()).toEqual([]);
});

test('only writes without a promise skip the sync to disk', async () => {
  const { queue, insert, commits } = bench();
  await queue.add(insert('a'), { durable: false });
  await Promise.all([queue.add(insert('b'), { durable: false }), queue.add(insert('c'))]);
  await queue.add(insert('d'));
  expect(commits).toEqual([false, true, true]);
});

test('writes wait for another process without blocking the event loop, and then all happen', async () => {
  const { queue, insert, other, texts } = bench();
  other.exec('BEGIN IMMEDIATE');
  const first = queue.add(insert('a'));
  let turns = 0;
  while (turns < 5) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    turns += 1;
  }
  const second = queue.add(insert('b'));
  other.exec('COMMIT');
  await Promise.all([first, second]);
  expect(texts()).toEqual(['a', 'b']);
});

test('many writes are split into several transactions, in order', async () => {
  const { queue, insert, commits, other } = bench();
  await Promise.all(Array.from({ length: 2_500 }, (_, i) => queue.add(insert(`line ${i}`))));
  expect(commits).toHaveLength(3);
  const inOrder = other.prepare('SELECT text FROM lines ORDER BY rowid').pluck().all();
  expect(inOrder).toEqual(Array.from({ length: 2_500 }, (_, i) => `line ${i}`));
});

test('on a full disk a rejected write is absent, a resolved one is present, and the store continues to work', async () => {
  const { queue, database, insert, texts } = bench();
  await queue.add(insert('before'));
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 1}`);
  const big = 'x'.repeat(50_000);
  const results = await Promise.allSettled([queue.add(insert('small')), queue.add(insert(big))]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).not.toEqual([]);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'store.full', exitCode: 5 });
  const kept = results.flatMap((result, i) => (result.status === 'fulfilled' ? [['small', big][i]] : []));
  expect(texts()).toEqual(['before', ...kept]);
  expect(kept).not.toContain(big);
  database.pragma('max_page_count = 1000000');
  await queue.add(insert('zzz'));
  expect(texts()).toContain('zzz');
});
