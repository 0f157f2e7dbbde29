import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { DamagedRow } from '../row.js';
import { beside } from './beside.js';

const doctorHint = {
  hint: {
    en: 'run "fiscal doctor" to see what is wrong and what to do',
    pt: 'execute "fiscal doctor" para ver o que há de errado e o que fazer',
  },
};

/** With less free space than this, a failed write is reported as a full disk. */
const scarceBytes = 1_000_000;

/** True while another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code);
}

/** Maps an error of SQLite or the file system to one of the store at `path`; returns any other error unchanged. */
export function storeFailure(error: unknown, path: string): Error {
  if (error instanceof Sqlite.SqliteError) return sqliteFailure(error, path);
  if (error instanceof DamagedRow)
    return new FiscalError('store.damaged', { path, reason: error.text }, { hint: afterDamage, cause: error });
  if (error instanceof Error && 'syscall' in error) return fileFailure(error, path);
  return error instanceof Error ? error : new Error(String(error));
}

/** A file that SQLite takes for whole: `doctor` finds nothing in it, and `store check` names the rows. */
const afterDamage: Text = {
  en: 'to see every damaged row: fiscal store check; restore the file from a backup, or move it away, and check with the service what was sent before you send again',
  pt: 'para ver cada linha danificada: fiscal store check; restaure o arquivo de um backup, ou mova-o, e confira com o serviço o que já foi enviado antes de enviar de novo',
};

/** The file says that it has a format or a schema that it does not have, or a row holds what this program does not write. */
const otherSchema =
  /malformed JSON|unsupported file format|already exists|duplicate column|no such (?:table|column|index)|has no column/;

export function damaged(path: string, reason: string | Text, cause?: unknown): FiscalError {
  return new FiscalError('store.damaged', { path, reason }, { ...doctorHint, cause });
}

/** The files that SQLite keeps beside a store, and the marker. */
const endings = ['-wal', '-shm', '-journal', '-open'] as const;

const notRegular = { en: 'it is not a regular file', pt: 'não é um arquivo comum' };

/**
 * Refuses pipes, devices and sockets before they are opened: a pipe would wait for its writer inside SQLite, where no signal
 * is handled. A folder fails by itself. Throws `store.damaged`, and errors of the file system.
 */
export function requireRegularFiles(path: string): void {
  for (const file of [path, ...endings.map((ending) => beside(path, ending))]) {
    const kind = statSync(file, { throwIfNoEntry: false });
    if (kind !== undefined && !kind.isFile() && !kind.isDirectory()) throw damaged(file, notRegular);
  }
}

function sqliteFailure(error: InstanceType<typeof Sqlite.SqliteError>, path: string): Error {
  const { code, message } = error;
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code) || (code === 'SQLITE_ERROR' && otherSchema.test(message)))
    return damaged(path, message, error);
  if (isBusy(error)) return new FiscalError('store.busy', { path }, { cause: error, retryable: true });
  if (code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && isDiskFull(path))) return full(path, error);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH|IOERR)/.test(code)) {
    return new FiscalError('store.unwritable', { path, reason: message }, { ...doctorHint, cause: error });
  }
  return error;
}

function fileFailure(error: Error, path: string): FiscalError {
  if (/^(ENOSPC|EDQUOT)/.test(error.message)) return full(path, error);
  // The rest of the system's message repeats the call and the path.
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
    // When the free space cannot be read, the error keeps its own reason.
    return false;
  }
}
