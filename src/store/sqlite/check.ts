import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import type { RowFault } from '../row-faults.js';
import { create, schemaOf } from './schema.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Snapshot } from '../store-check.js';
import type { WholeRow } from '../row.js';
import { requireKnown } from '../schema.js';
import { whenFree } from './connection.js';
import { openDocumentRelations } from './document-terms.js';
import { engineFaults } from './engine-faults.js';
import { requireRegularFiles, storeFailure } from './failures.js';
import { lostJournal } from './journal.js';

/** Few, because the rows of a page may have large bodies. */
const MOST_KEPT = 20;

/**
 * An empty store in memory that takes each row and gives it up again: of a file that it may only read, SQLite does not know
 * the CHECK constraints.
 */
class TrialStore {
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

const MOST_FAULTS = 100;

/** The rows of a file at one moment. Throws `store.damaged` where nothing can be read, `store.older` and `store.newer`. */
export async function withFileSnapshot<Result>(
  path: string,
  look: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const explain = (error: unknown) => storeFailure(error, path);
  const database = await whenFree(() => open(path), explain);
  const trial = new TrialStore();
  try {
    const { faults, missing } = await whenFree(() => looked(database, trial), explain);
    return await look({
      engine: 'sqlite',
      schema: '',
      ownRelations: openDocumentRelations,
      faults,
      missing,
      rows: async (sql, values = {}) =>
        await whenFree(() => database.prepare<[WholeRow], WholeRow>(sql).all(values), explain),
      ownFault: (table, row) => trial.faultOf(table, row),
    });
  } finally {
    trial.database.close();
    database.close();
  }
}

const noStore = {
  en: 'it is an empty database, or one of another program',
  pt: 'é um banco de dados vazio ou de outro programa',
};

/** In a transaction that only reads: it sees one moment and keeps nobody from writing. */
function open(path: string): Database {
  requireRegularFiles(path);
  const reason = lostJournal(path);
  if (reason !== undefined) throw new FiscalError('store.damaged', { path, reason }, { sent: 'no' });
  const database = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    database.exec('BEGIN');
    const found = schemaOf(database);
    if (found === 0) throw new FiscalError('store.damaged', { path, reason: noStore }, { sent: 'no' });
    requireKnown(path, found, { sent: 'no' });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function looked(database: Database, trial: TrialStore): Pick<Snapshot, 'faults' | 'missing'> {
  const { faults, missing } = comparedWithNew(database, trial);
  const found = engineFaults(database, MOST_FAULTS).map((reason) => ({
    table: 'sqlite',
    reason: { en: reason, pt: reason },
  }));
  return { faults: [...found, ...faults], missing };
}

interface Part {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** Every table, index and trigger is as in a new store. Another index or trigger changes what a write does. */
function comparedWithNew(database: Database, trial: TrialStore): Pick<Snapshot, 'faults' | 'missing'> {
  const [present, expected] = [partsOf(database), partsOf(trial.database)];
  const found = new Map(present.map((part) => [part.name, part.sql]));
  const known = new Set(expected.map(({ name }) => name));
  const differing = expected.filter(({ name, sql }) => found.get(name) !== sql);
  const added = present.filter(({ type, name }) => /^(?:index|trigger)$/.test(type) && !known.has(name));
  return {
    faults: [
      ...differing.map(({ type, name, table }) => ({ table, reason: notAsWritten(type, name) })),
      ...added.map(({ type, name, table }) => ({ table, reason: notOfSchema(type, name) })),
    ],
    missing: new Set(
      differing.filter(({ type, name }) => type === 'table' && !found.has(name)).map(({ name }) => name),
    ),
  };
}

function partsOf(database: Database): readonly Part[] {
  return database
    .prepare<[], Part>(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`,
    )
    .all();
}

function notAsWritten(type: string, name: string) {
  return {
    en: `the ${type} ${name} is missing, or is not the one of this schema`,
    pt: `o objeto ${name} (${type}) falta, ou não é o deste esquema`,
  };
}

function notOfSchema(type: string, name: string) {
  return {
    en: `the ${type} ${name} is not part of this schema`,
    pt: `o objeto ${name} (${type}) não faz parte deste esquema`,
  };
}
