import { existsSync, readFileSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { FiscalError } from '../../errors/fiscal-error.js';
import { toCopyMark } from '../copy-mark.js';
import { requireIdentity } from '../row.js';
import { toWentBack, type WentBackRow } from '../seen-sends.js';
import type { StoreIdentity } from '../store.js';
import type { Connection } from './connection.js';
import { beside } from './beside.js';
import { storeFailure } from './failures.js';

interface IdentityRow extends WentBackRow {
  readonly id: string;
  readonly firstSendAt: number | null;
  readonly lostRows: number;
  readonly copy: string | null;
}

/** The content of the marker while a process closes the store: it removes the journal itself, if it is the last one. */
const CLOSING = `${'closing'.padEnd(32)}\n`;

/**
 * Detects a removed journal by a marker file that exists while a process has the store open. SQLite keeps its journal
 * just as long, so a marker without a journal means that the journal, and the last rows with it, were removed.
 */
export function journalWasLost(path: string): boolean {
  const mark = markAt(path);
  if (mark === undefined || mark === CLOSING) return false;
  return existsSync(path) && !existsSync(beside(path, '-wal')) && !isBeingClosed(path, mark);
}

/** Another process may be between closing the store and removing the marker, after a third one has marked it open again. */
function isBeingClosed(path: string, mark: string): boolean {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  return markAt(path) !== mark || existsSync(beside(path, '-wal'));
}

/** The content of the marker; `undefined`: there is none. Another process may remove it at any time. */
function markAt(path: string): string | undefined {
  try {
    return readFileSync(markerOf(path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw storeFailure(error, path);
  }
}

function markerOf(path: string): string {
  return beside(path, '-open');
}

/** What a process says of the store while it has it open. */
export interface OpenMark {
  /** Immediately before the store is closed. */
  closing(): void;
  /** The last process that closes the store removes the marker. */
  closed(): void;
}

export function markOpen(path: string, database: Database): OpenMark {
  const mark = `${String(database.prepare('SELECT hex(randomblob(16))').pluck().get())}\n`;
  writeFileSync(markerOf(path), mark, { mode: 0o600 });
  const isOpen = (): boolean => existsSync(beside(path, '-wal'));
  return {
    closing: () => overwrite(path, CLOSING),
    closed() {
      if (isOpen()) overwrite(path, mark);
      // Meanwhile another process may have been the last one.
      if (!isOpen()) rmSync(markerOf(path), { force: true });
    },
  };
}

/** Does not create it. A folder that is gone does not keep a store from being closed: whoever opens it then waits a moment. */
function overwrite(path: string, mark: string): void {
  try {
    writeFileSync(markerOf(path), mark, { flag: 'r+' });
  } catch {
    // The marker stays as it is.
  }
}

export function createIdentity(
  database: Database,
  connection: Connection,
  { path, lostRows }: { readonly path: string; readonly lostRows: boolean },
): StoreIdentity {
  if (lostRows) database.prepare('UPDATE identity SET lost_rows = 1').run();
  const row = requireIdentity(
    database
      .prepare<[], IdentityRow>(
        `SELECT id, first_send_at AS firstSendAt, lost_rows AS lostRows, copy, went_back_to AS wentBackTo,
         may_lack_until AS mayLackUntil FROM identity`,
      )
      .get(),
  );
  const copy = toCopyMark(row.copy);
  const wentBack = toWentBack(row);
  const file = fileOf(path);
  const note = connection.statement<[number]>(
    'UPDATE identity SET first_send_at = coalesce(first_send_at, ?), lost_rows = 0',
  );
  const admit = connection.statement<[]>('UPDATE identity SET went_back_to = NULL');
  let isUsed = row.firstSendAt !== null && row.lostRows === 0;
  return {
    id: row.id,
    isNew: row.firstSendAt === null,
    lostRows: row.lostRows === 1,
    ...(copy && { copy }),
    ...(wentBack && { wentBack }),
    admit: () => connection.write(() => void admit().run()),
    async sentAt(at) {
      if (isUsed) return;
      await connection.write(() => void note().run(at));
      isUsed = true;
    },
    requirePresent() {
      const now = fileOf(path);
      if (now === undefined || now !== file) throw new FiscalError('store.replaced', { path }, { retryable: true });
    },
  };
}

/** The identity of the file at a path; `undefined` when there is none. */
function fileOf(path: string): string | undefined {
  const found = statAt(path);
  return found === undefined || found.size === 0 ? undefined : `${found.dev}:${found.ino}`;
}

/** A folder that this program may not read is an error of the store. */
function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw storeFailure(error, path);
  }
}
