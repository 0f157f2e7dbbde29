import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { makeFolder } from '../../io/make-folder.js';
import type { Actor } from '../../domain/actor.js';
import type { Clock } from '../../domain/world.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import { createRows, forget } from '../rows.js';
import { requireKnown } from '../schema.js';
import type { SeenBefore } from '../seen-sends.js';
import type { Store, StoreClock, StoreIdentity } from '../store.js';
import { beside } from './beside.js';
import { createConnection, whenFree, type Connection } from './connection.js';
import { createDb } from './db.js';
import { createDocumentList } from './document-list.js';
import { createOpenDocuments } from './document-terms.js';
import { damaged, requireRegularFiles, storeFailure } from './failures.js';
import { createIdentity, markOpen, type OpenMark } from './identity.js';
import { createItemWork } from './item-work.js';
import { lostJournal } from './journal.js';
import { create, schemaOf } from './schema.js';
import { openStoreClock } from './store-clock.js';
import { noteWentBack } from './went-back.js';

/**
 * How long a call waits for another process in SQLite itself; after that it is retried without blocking the event loop.
 */
const lockTimeoutMs = 10;

/** A worker that disappeared is deleted a day after its lease expired. */
const dayMs = 86_400_000;

const noDatabase = { en: 'it is not a database', pt: 'não é um banco de dados' };
const foreignDatabase = { en: 'it is a database of another program', pt: 'é um banco de dados de outro programa' };
const noTables = { en: 'its tables are missing', pt: 'faltam as tabelas' };

const fileHeader = 'SQLite format 3\0';

export interface StoreOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Name and boot of this machine, whose uptime the store's clock uses. */
  readonly machine?: string;
  /** Who opens it: named in rows of jobs, calls and costs. */
  readonly actor?: Actor;
  /** What this machine has seen of its stores. */
  readonly seen?: SeenBefore;
  /** Gets the version of the schema that was found, 0 where there were no tables. */
  readonly found?: (from: number) => void;
}

/**
 * Opens the store at `path`, creates missing folders (0700) and the file (0600), and its tables. Errors:
 * `store.damaged`, `store.newer`, `store.older`, `store.unwritable`, `store.full`, `store.busy`; an unusable file is left unchanged.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { path, clock, machine = '', actor = {}, seen } = options;
  const explain = (error: unknown) => storeFailure(error, path);
  await whenFree(() => requireRegularFiles(path), explain);
  const lostRows = (await whenFree(() => lostJournal(path), explain)) !== undefined;
  await whenFree(() => makeFolder(dirname(path)), explain);
  const database = await whenFree(() => openFile(path), explain);
  try {
    const found = await whenFree(() => prepare(database, path), explain);
    options.found?.(found);
    const connection = createConnection(database, path);
    const openClock = () => openStoreClock(database, connection, { clock, machine });
    const storeClock = await whenFree(openClock, explain);
    await forgetOldWorkers(connection, storeClock.now() - dayMs);
    if (seen !== undefined) await whenFree(() => noteWentBack(database, seen, storeClock.now()), explain);
    const identity = await whenFree(() => createIdentity(database, connection, { path, lostRows }), explain);
    const mark = await whenFree(() => markOpen(path, database), explain);
    return createStore(database, connection, { place: path, clock: storeClock, identity, mark, actor });
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a copy in memory of a store that cannot be written. Everything can be read; request rate and history are kept
 * until the end of the run; anything that a later run would need is refused with `refusal`. No file is touched.
 */
export async function openReadOnly(
  { path, clock, machine = '', actor = {} }: StoreOptions,
  refusal: FiscalError,
): Promise<Store> {
  const explain = (error: unknown) => storeFailure(error, path);
  const database = await whenFree(() => copyInMemory(path), explain);
  await whenFree(() => prepare(database, path), explain);
  const connection = createConnection(database, path);
  const openClock = () => openStoreClock(database, connection, { clock, machine });
  const storeClock = await whenFree(openClock, explain);
  const identity = await whenFree(() => createIdentity(database, connection, { path, lostRows: false }), explain);
  const store = createStore(database, connection, {
    place: path,
    clock: storeClock,
    ...{ identity, actor },
    kept: { ...connection, write: () => Promise.reject(refusal) },
  });
  return { ...store, readOnly: refusal };
}

function copyInMemory(path: string): Database {
  requireRegularFiles(path);
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.size === 0) return new Sqlite(':memory:');
  if (!startsLikeSqlite(path)) throw damaged(path, noDatabase);
  const bytes = existsSync(beside(path, '-wal')) ? withJournal(path) : readFileSync(path);
  // A database in memory has no journal: the header is changed accordingly.
  bytes.fill(1, 18, 20);
  return new Sqlite(bytes);
}

/** The rows of the file and its journal, read from a copy when SQLite cannot create its journal index next to them. */
function withJournal(path: string): Buffer {
  try {
    return serialized(path, { readonly: true });
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-state-'));
    try {
      const copy = join(folder, 'state.db');
      copyFileSync(path, copy);
      copyFileSync(beside(path, '-wal'), beside(copy, '-wal'));
      return serialized(copy, {});
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function serialized(path: string, options: Sqlite.Options): Buffer {
  const database = new Sqlite(path, { ...options, timeout: lockTimeoutMs });
  try {
    return database.serialize();
  } finally {
    database.close();
  }
}

function openFile(path: string): Database {
  // SQLite copies this file's mode to its own files (-wal, -shm).
  closeSync(openSync(path, 'a', 0o600));
  const { mode, size } = statSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, 0o600);
  if (size > 0 && !startsLikeSqlite(path)) throw damaged(path, noDatabase);
  return new Sqlite(path, { timeout: lockTimeoutMs });
}

/** SQLite takes a very short file for an empty database and would overwrite it. */
function startsLikeSqlite(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(fileHeader.length);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === fileHeader;
  } finally {
    closeSync(file);
  }
}

/** Checks before writing: a damaged, foreign or newer file is not touched. Returns the version of the schema that was found. */
function prepare(database: Database, path: string): number {
  const { schema, tables } = contentOf(database);
  requireKnown(path, schema);
  if (schema === 0 && tables > 0) throw damaged(path, foreignDatabase);
  if (schema !== 0 && tables === 0) throw damaged(path, noTables);
  database.pragma('journal_mode = WAL');
  database.pragma('journal_size_limit = 16777216');
  database.pragma('synchronous = FULL');
  // Instead of 16 MB: the operating system caches repeated reads as well.
  database.pragma('cache_size = -4000');
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  return create(database);
}

/** In one transaction: another process may be creating the tables. */
function contentOf(database: Database): { readonly schema: number; readonly tables: number } {
  const count = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck();
  return database.transaction(() => ({ schema: schemaOf(database), tables: count.get() ?? 0 }))();
}

async function forgetOldWorkers({ statement, read, write }: Connection, before: number): Promise<void> {
  const old = statement<[number]>('SELECT 1 FROM workers WHERE expires_at < ? LIMIT 1');
  const remove = statement<[number]>('DELETE FROM workers WHERE expires_at < ?');
  const found = await read(() => old().get(before));
  if (found !== undefined) await write(() => void remove().run(before), { durable: false });
}

interface StoreDependencies {
  readonly place: string;
  readonly clock: StoreClock;
  readonly identity: StoreIdentity;
  /** For rows that a later run must find again. */
  readonly kept?: Connection;
  readonly mark?: OpenMark;
  readonly actor: Actor;
}

function createStore(
  database: Database,
  connection: Connection,
  { place, clock, identity, kept = connection, mark, actor }: StoreDependencies,
): Store {
  const passing = createDb(database, connection);
  const db = kept === connection ? passing : createDb(database, kept);
  return {
    place,
    clock,
    identity,
    ...createRows(db, actor, {
      ...{ ...createDocumentList(db), ...createOpenDocuments(db) },
      work: createItemWork(kept, db, actor),
      passing,
    }),
    forget: (profile) => forget(db, profile),
    close: async () => {
      await connection.close(mark?.closing);
      mark?.closed();
    },
  };
}
