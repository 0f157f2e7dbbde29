import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { schemaVersion, type TableName, tables } from './schema.js';

export type SandboxDatabase = Database.Database;

const busyTries = 400;
const busyPauseMs = 25;

/**
 * Opens the file of the service, or `:memory:`. Several processes may open it at once. Writes are not synced: a power
 * cut may lose sandbox data. Throws if another version wrote the file.
 */
export function openDatabase(path: string): SandboxDatabase {
  if (path !== ':memory:') createPrivateFile(path);
  const database = new Database(path, { timeout: 10_000 });
  try {
    enterWal(database);
    database.pragma('synchronous = OFF');
    database.pragma('temp_store = MEMORY');
    database.transaction(() => createTables(database, path)).immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite ignores its timeout here and fails at once if another process opens the file at the same time. */
function enterWal(database: SandboxDatabase): void {
  for (let tries = 0; ; tries += 1) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || tries === busyTries) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function createPrivateFile(path: string): void {
  const folder = dirname(path);
  // Only this one: what Node offers for its parents never ends below /proc.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  for (const file of ['', '-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`)) {
    // To open a named pipe waits for its writer, and no signal ends that.
    const isRegular = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
    if (!isRegular) throw new Error(`${file} is not a regular file`);
  }
  closeSync(openSync(path, 'a', 0o600));
}

function createTables(database: SandboxDatabase, path: string): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found === schemaVersion) return;
  if (found !== 0) {
    throw new Error(`${path} was written by another version of the sandbox (schema ${found}, not ${schemaVersion})`);
  }
  for (const table of Object.values(tables)) database.exec(table);
  database.pragma(`user_version = ${schemaVersion}`);
}

/** An INSERT of a whole record: all columns but the number of the row, each with the field of its name. */
export function insertInto(database: SandboxDatabase, table: TableName): string {
  const columns = columnsOf(database, table);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`;
}

export function columnsOf(database: SandboxDatabase, table: TableName): readonly string[] {
  return database
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?) WHERE pk = 0')
    .all(table)
    .map(({ name }) => name);
}

/** Small named values of the service. */
export interface Meta {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Increments a counter and returns it; the first value is 1. */
  next(name: string): number;
  clear(names: readonly string[]): void;
  /** Forgets every value but these. */
  clearOthers(kept: readonly string[]): void;
}

export function openMeta(database: SandboxDatabase): Meta {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?');
  const write = database.prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  const next = database.prepare<[string], { value: string }>(
    `INSERT INTO meta (name, value) VALUES (?, '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
  );
  const remove = database.prepare<[string]>('DELETE FROM meta WHERE name = ?');
  const removeOthers = database.prepare<[string]>(
    'DELETE FROM meta WHERE name NOT IN (SELECT value FROM json_each(?))',
  );
  const get = (name: string) => read.get(name)?.value;
  const set = (name: string, value: string) => void write.run(name, value);
  return {
    get,
    set,
    next: (name) => Number(next.get(name)?.value),
    clear(names) {
      for (const name of names) remove.run(name);
    },
    clearOthers: (kept) => void removeOthers.run(JSON.stringify(kept)),
  };
}
