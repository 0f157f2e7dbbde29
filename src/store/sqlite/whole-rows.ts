import { setImmediate as turn } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type CopyMark, requireMark } from '../copy-mark.js';
import type { WholeRow } from '../row.js';
import { copiedColumns, copiedTables, type NamedTable } from '../schema.js';
import { PAGE_ROWS, requireEmpty, type WholeRows } from '../whole-rows.js';
import { engineFaults } from './engine-faults.js';
import { isBusy, storeFailure } from './failures.js';

/** A process that is about to end is waited for. */
const LOCK_TIMEOUT_MS = 1_000;

interface FileOptions {
  /** A profile whose rows are left out: its store is always a file. */
  readonly without: string;
  /** Keeps every other process out of the file until the end. Throws `store.in_use` when one has it open. */
  readonly alone: boolean;
}

/** The whole rows of a file that `openStore` has opened before. */
export function openFileRows(path: string, { without, alone }: FileOptions): WholeRows {
  const explain = <Result>(work: () => Result): Promise<Result> => {
    try {
      return Promise.resolve(work());
    } catch (error) {
      return Promise.reject(storeFailure(error, path));
    }
  };
  const database = new Sqlite(path, { fileMustExist: true, readonly: !alone, timeout: LOCK_TIMEOUT_MS });
  if (alone) keepOthersOut(database, path);
  const rows = new FileRows(database, path, without);
  return {
    page: async (table, after) => {
      // SQLite does not wait: without a turn of the event loop, no signal would end a copy between two files.
      await turn();
      return await explain(() => rows.page(table, after));
    },
    insert: (table, page, mine) => explain(() => rows.insert(table, page, mine)),
    count: (table) => explain(() => rows.count(table)),
    engineFault: () => explain(() => engineFaults(database, 1).at(0)),
    last: (table) => explain(() => rows.last(table)),
    firstSendAt: () => explain(() => rows.firstSendAt()),
    refuseOthers: (mark, before) => explain(() => rows.refuseOthers(mark, before)),
    requireMine: (mine) => explain(() => rows.requireMark(mine)),
    admitOthers: (mine, copied) => explain(() => rows.admitOthers(mine, copied)),
    clear: (mine) => explain(() => rows.clear(mine)),
    close: () => explain(() => void database.close()),
  };
}

function keepOthersOut(database: Database, path: string): void {
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw storeFailure(error, path);
    throw new FiscalError('store.in_use', { path, who: anotherProcess }, { sent: 'no' });
  }
}

const anotherProcess = { en: 'another process', pt: 'outro processo' };

class FileRows {
  constructor(
    private readonly database: Database,
    private readonly path: string,
    private readonly without: string,
  ) {}

  page(table: NamedTable, after: WholeRow | undefined): WholeRow[] {
    const { name, key } = table;
    const marks = key.map(() => '?').join(', ');
    const where = after === undefined ? '' : `AND (${key.join(', ')}) > (${marks})`;
    return this.database
      .prepare<unknown[], WholeRow>(
        `SELECT ${copiedColumns(table).join(', ')} FROM ${name} WHERE ${this.#copied(name)} ${where}
         ORDER BY ${key.join(', ')} LIMIT ${PAGE_ROWS}`,
      )
      .all(this.without, ...key.flatMap((column) => (after === undefined ? [] : [after[column]])));
  }

  insert({ name }: NamedTable, rows: readonly WholeRow[], mine: CopyMark): void {
    this.requireMark(mine);
    const columns = Object.keys(rows[0] ?? {});
    const add = this.database.prepare(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})
       ON CONFLICT DO NOTHING`,
    );
    this.database.transaction(() => rows.forEach((row) => add.run(row)))();
  }

  count({ name }: NamedTable): number {
    const count = `SELECT count(*) FROM ${name} WHERE ${this.#copied(name)}`;
    return Number(this.database.prepare(count).pluck().get(this.without));
  }

  last({ name }: NamedTable): WholeRow | undefined {
    return this.database.prepare<[], WholeRow>(`SELECT seq FROM ${name} ORDER BY seq DESC LIMIT 1`).get();
  }

  firstSendAt(): number | null {
    const at = this.database.prepare('SELECT first_send_at FROM identity').pluck().get();
    return typeof at === 'number' ? at : null;
  }

  /** Nobody else has the file open: the note is enough for whoever opens it later. */
  refuseOthers(mark: CopyMark, { found, now }: { readonly found: CopyMark | undefined; readonly now: number }): void {
    this.requireMark(found);
    const living = this.database.prepare('SELECT pid FROM workers WHERE expires_at > ?').pluck().get(now);
    if (living !== undefined)
      throw new FiscalError('store.in_use', { path: this.path, who: `pid ${String(living)}` }, { sent: 'no' });
    if (mark.step === 'arriving' && found === undefined)
      for (const table of copiedTables) requireEmpty(this.path, table, this.count(table));
    this.database.prepare('UPDATE identity SET copy = ?').run(JSON.stringify(mark));
  }

  /** Between this and what follows no other process writes: the file is locked. */
  requireMark(expected: CopyMark | undefined): void {
    const copy = this.database.prepare<[], string | null>('SELECT copy FROM identity').pluck().get();
    requireMark(this.path, copy ?? null, expected);
  }

  admitOthers(mine: CopyMark, copied?: { readonly firstSendAt: number | null }): void {
    this.requireMark(mine);
    this.database.transaction(() => {
      this.database.prepare('UPDATE identity SET copy = NULL').run();
      if (copied !== undefined) this.database.prepare('UPDATE identity SET first_send_at = ?').run(copied.firstSendAt);
    })();
  }

  clear(mine: CopyMark): void {
    this.requireMark(mine);
    this.database.transaction(() => {
      for (const { name } of copiedTables.toReversed())
        this.database.prepare(`DELETE FROM ${name} WHERE ${this.#copied(name)}`).run(this.without);
    })();
  }

  /** Steps of an item have no profile of their own. */
  #copied(table: string): string {
    return table === 'item_events' ? 'EXISTS (SELECT 1 FROM items WHERE seq = item AND profile <> ?)' : 'profile <> ?';
  }
}
