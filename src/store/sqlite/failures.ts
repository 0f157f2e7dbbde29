import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const doctorHint = {
  hint: {
    en: 'run "fiscal doctor" to see what is wrong and what to do',
    pt: 'execute "fiscal doctor" para ver o que há de errado e o que fazer',
  },
};

/** Less than this left on the disk, and a failed write is told as a full disk. */
const scarceBytes = 1_000_000;

/** True when another connection is in the way for the moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code);
}

/** Says what an error of SQLite or of the file system means for the store at `path`; others are returned as they are. */
export function storeFailure(error: unknown, path: string): Error {
  if (error instanceof Sqlite.SqliteError) return sqliteFailure(error, path);
  if (error instanceof Error && 'syscall' in error) return fileFailure(error, path);
  return error instanceof Error ? error : new Error(String(error));
}

export function damaged(path: string, reason: string | Text, cause?: unknown): FiscalError {
  return new FiscalError('store.damaged', { path, reason }, { ...doctorHint, cause });
}

function sqliteFailure(error: InstanceType<typeof Sqlite.SqliteError>, path: string): Error {
  const { code, message } = error;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path, message, error);
  if (isBusy(error)) return new FiscalError('store.busy', { path }, { cause: error, retryable: true });
  if (code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && isDiskFull(path)))
    return full(path, error);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH|IOERR)/.test(code)) {
    return new FiscalError('store.unwritable', { path, reason: message }, { ...doctorHint, cause: error });
  }
  return error;
}

function fileFailure(error: Error, path: string): FiscalError {
  if (/^(ENOSPC|EDQUOT)/.test(error.message)) return full(path, error);
  // The message of the system goes on with the call and the path, which the sentence already names.
  const reason = error.message.split(',', 1).join('');
  return new FiscalError('store.unwritable', { path, reason }, { ...doctorHint, cause: error });
}

function full(path: string, cause: unknown): FiscalError {
  return new FiscalError('store.full', { path }, { cause });
}

function isDiskFull(path: string): boolean {
  try {
    const disk = statfsSync(dirname(path));
    return disk.bavail * disk.bsize < scarceBytes;
  } catch {
    // Where the disk cannot be asked, the failure keeps its own reason.
    return false;
  }
}
