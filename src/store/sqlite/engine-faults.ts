import Sqlite, { type Database } from 'better-sqlite3';

/** What SQLite finds damaged in pages, indexes, types and constraints, and rows that refer to none; at most that many. */
export function engineFaults(database: Database, most: number): readonly string[] {
  const found: string[] = [];
  try {
    for (const line of database.prepare<[], string>(`PRAGMA integrity_check(${most})`).pluck().iterate())
      if (line !== 'ok') found.push(line);
    const lost = database.prepare<[], LostRow>('PRAGMA foreign_key_check').all();
    found.push(
      ...lost.map(({ table, rowid, parent }) => `row ${rowid ?? '?'} of ${table} refers to no row of ${parent}`),
    );
  } catch (error) {
    // The check itself ends where a page is not one of its kind.
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_CORRUPT')) throw error;
    found.push(error.message);
  }
  return found.slice(0, most);
}

interface LostRow {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}
