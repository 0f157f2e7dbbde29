import { lstatSync } from 'node:fs';
import { systemCode } from '../domain/system-code.js';

/**
 * Whether a process has a database of SQLite open. One that is removed under it would take the journal of the next one with it
 * when that process ends: SQLite removes journals by their name. What is no database is not in use.
 */
export async function isDatabaseInUse(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 0 });
  try {
    // SQLite leaves the journal of many readers only where nobody else reads.
    database.pragma('journal_mode = DELETE');
    return false;
  } catch (error) {
    return systemCode(error)?.startsWith('SQLITE_BUSY') === true;
  } finally {
    database.close();
  }
}
