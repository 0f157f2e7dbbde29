import Sqlite from 'better-sqlite3';
import { whenFree } from './connection.js';
import { storeFailure } from './failures.js';
import { knownSchema, schemaOf } from './migrations.js';

interface Inspection {
  /** The schema version of the file; `known` is the newest that this program supports. */
  readonly schema: number;
  readonly known: number;
  /** The findings of SQLite's own check; empty when there are none. */
  readonly faults: readonly string[];
}

/** Checks a store without writing to it. Throws `store.damaged` when it cannot be read. */
export async function inspectStore(path: string): Promise<Inspection> {
  const explain = (error: unknown) => storeFailure(error, path);
  return await whenFree(() => {
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      const found = database.prepare<[], string>('PRAGMA quick_check(10)').pluck().all();
      return {
        schema: schemaOf(database),
        known: knownSchema,
        faults: found.filter((line) => line !== 'ok'),
      };
    } finally {
      database.close();
    }
  }, explain);
}
