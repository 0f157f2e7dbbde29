import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import type { RowFault } from '../row-faults.js';
import type { WholeRow } from '../row.js';
import { create } from './schema.js';

/** Few, because the rows of a page may have large bodies. */
const MOST_KEPT = 20;

/**
 * An empty store in memory that takes each row and gives it up again: of a file that it may only read, SQLite does not know
 * the CHECK constraints.
 */
export class TrialStore {
  readonly database: Database = new Sqlite(':memory:');
  readonly #inserts = new Map<string, Statement<[WholeRow]>>();
  #kept = 0;

  constructor() {
    create(this.database);
    this.database.exec('PRAGMA foreign_keys = OFF; DELETE FROM identity; BEGIN');
  }

  /** The constraint that the row breaks. */
  faultOf(table: string, row: WholeRow): RowFault | undefined {
    try {
      this.#insertInto(table, row).run(row);
      return undefined;
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError)) throw error;
      return { reason: { en: error.message, pt: error.message } };
    } finally {
      this.#kept += 1;
      if (this.#kept >= MOST_KEPT) this.#giveUp();
    }
  }

  #insertInto(table: string, row: WholeRow): Statement<[WholeRow]> {
    const known = this.#inserts.get(table);
    if (known !== undefined) return known;
    this.#giveUp();
    const columns = Object.keys(row);
    const values = columns.map((column) => `@${column}`);
    const insert = this.database.prepare<[WholeRow]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`,
    );
    this.#inserts.set(table, insert);
    return insert;
  }

  #giveUp(): void {
    this.#kept = 0;
    this.database.exec('ROLLBACK; BEGIN');
  }
}
