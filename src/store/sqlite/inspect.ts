import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type CopyMark, toCopyMark } from '../copy-mark.js';
import type { BlockedHost } from '../store.js';
import { whenFree } from './connection.js';
import type { Text } from '../../contract/text.js';
import { requireRegularFiles, storeFailure } from './failures.js';
import { lostJournal } from './journal.js';
import { schemaVersion } from '../schema.js';
import { schemaOf } from './schema.js';
import { blockedHosts } from '../pace.js';
import { sql, writtenFor } from '../sql.js';
import { sound } from '../row.js';

interface Inspection {
  /** The schema version of the file; `known` is the newest that this program supports. */
  readonly schema: number;
  readonly known: number;
  /** The findings of SQLite's own check; empty when there are none. */
  readonly faults: readonly string[];
  /** Rows were lost with the journal, and nothing was sent since. */
  readonly lostRows: boolean;
  /** It was put back to an earlier state, and no person has let it send again. */
  readonly wentBack: boolean;
  /** Its rows were copied, or were to be. */
  readonly copy?: CopyMark;
}

interface NotedRow {
  readonly lostRows: number;
  readonly wentBack: number;
  readonly copy: string | null;
}

/** Why the journal is no longer whole: then SQLite, which takes what is left for all, is not asked. Errors: those of the store. */
export async function inspectJournal(path: string): Promise<Text | undefined> {
  return await whenFree(
    () => {
      requireRegularFiles(path);
      return lostJournal(path);
    },
    (error) => storeFailure(error, path),
  );
}

/** The hosts of a profile that are blocked at that time. Writes nothing. Throws as `inspectStore` does. */
export async function inspectWaits(path: string, profile: string, now: number): Promise<readonly BlockedHost[]> {
  const explain = (error: unknown) => storeFailure(error, path);
  return await whenFree(() => {
    requireRegularFiles(path);
    if (lostJournal(path) !== undefined) return [];
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      // The commands that open it say what is wrong with another one.
      if (schemaOf(database) !== schemaVersion) return [];
      const { text, values } = writtenFor('sqlite', blockedHosts(profile, sql`${now}`));
      return database.prepare<unknown[], BlockedHost>(text).all(values).map(sound);
    } finally {
      database.close();
    }
  }, explain);
}

/** The schema version of a file, 0 where there is none, and the one that this program knows. Writes nothing. Throws as `inspectStore` does. */
export async function inspectSchema(path: string): Promise<Pick<Inspection, 'schema' | 'known'>> {
  const explain = (error: unknown) => storeFailure(error, path);
  return await whenFree(() => {
    requireRegularFiles(path);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return { schema: 0, known: schemaVersion };
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      return { schema: schemaOf(database), known: schemaVersion };
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
      const schema = schemaOf(database);
      const identity =
        schema === schemaVersion
          ? database
              .prepare<[], NotedRow>(
                'SELECT lost_rows AS lostRows, copy, went_back_to IS NOT NULL AS wentBack FROM identity',
              )
              .get()
          : undefined;
      const copy = toCopyMark(identity?.copy ?? null);
      return {
        schema,
        known: schemaVersion,
        faults: found.filter((line) => line !== 'ok'),
        lostRows: identity?.lostRows === 1,
        wentBack: identity?.wentBack === 1,
        ...(copy && { copy }),
      };
    } finally {
      database.close();
    }
  }, explain);
}
