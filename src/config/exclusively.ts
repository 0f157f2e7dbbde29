import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { systemCode } from '../domain/system-code.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { makeFolder } from '../io/make-folder.js';

const ATTEMPTS = 1_500;
const PAUSE_MS = 10;

/**
 * Lets one process at a time change a file, and what depends on it. The lock is SQLite's, on an empty file beside it: the
 * operating system removes it when its process ends, however that ends. Errors: `store.busy` after 15 seconds,
 * `store.unwritable`, `store.full`.
 */
export async function exclusively<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
  const lock = await writable(path, async () => {
    makeFolder(dirname(path));
    const { default: Sqlite } = await import('better-sqlite3');
    return new Sqlite(`${path}.lock`, { timeout: 0 });
  });
  try {
    await writable(path, () => take(lock, path));
    return await change();
  } finally {
    lock.close();
  }
}

async function take(lock: Database, path: string): Promise<void> {
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (systemCode(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
    }
    await pause(PAUSE_MS);
  }
  throw new FiscalError('store.busy', { path }, { sent: 'no', retryable: true });
}

/** Names the file in what the file system refuses. */
export async function writable<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof FiscalError) throw error;
    const code = systemCode(error) ?? 'EIO';
    if (code === 'ENOSPC') throw new FiscalError('store.full', { path }, { sent: 'no' });
    throw new FiscalError('store.unwritable', { path, reason: code }, { sent: 'no' });
  }
}
