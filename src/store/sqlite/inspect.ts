import Sqlite from 'better-sqlite3';
import type { BlockedHost } from '../store.js';
import { whenFree } from './connection.js';
import { requireRegularFiles, storeFailure } from './failures.js';
import { knownSchema, schemaOf } from './migrations.js';
import { blockedHostsQuery } from './pace.js';

interface Inspection {
  /** The schema version of the file; `known` is the newest that this program supports. */
  readonly schema: number;
  readonly known: number;
  /** The findings of SQLite's own check; empty when there are none. */
  readonly faults: readonly string[];
}

/** The hosts of a profile that are blocked at that time. Writes nothing. Throws as `inspectStore` does. */
export async function inspectWaits(
  path: string,
  profile: string,
  now: number,
): Promise<readonly BlockedHost[]> {
  const explain = (error: unknown) => storeFailure(error, path);
  return await whenFree(() => {
    requireRegularFiles(path);
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      // A store of an older or newer program is opened, and migrated, by the commands that write it.
      if (schemaOf(database) !== knownSchema) return [];
      return database.prepare<[string, number], BlockedHost>(blockedHostsQuery).all(profile, now);
    } finally {
      database.close();
    }
  }, explain);
}

/** Checks a store without writing to it. Throws `store.damaged` when it cannot be read. */
export async function inspectStore(path: string): Promise<Inspection> {
  const explain = (error: unknown) => storeFailure(error, path);
  return await whenFree(() => {
    requireRegularFiles(path);
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
