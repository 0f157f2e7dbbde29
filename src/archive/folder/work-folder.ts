import { open, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import { fieldOf } from '../../domain/record.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { readStateJson } from '../../io/input-file.js';
import { type ArchiveWorker, heldLock, type WorkOwner } from '../storage.js';
import { isLink } from './links.js';

/** Holds files until they get their names: on the same disk, apart from the files that others read. */
export const WORK_FOLDER = '.fiscal';

/** In the folder of each process: identifies it, and is rewritten while it runs. */
const MARKER = 'alive.json';

const RENEW_EVERY_MS = 15_000;
/** For a process that cannot be checked from here, such as one of another machine: it is dead after this silence. */
const DEAD_AFTER_MS = 15 * 60_000;
/** A lock is held while two small files are written: one this old has lost its process. */
const LOCK_DEAD_AFTER_MS = 60_000;
const LOCK_POLL_MS = 25;

interface WorkFolderOptions extends ArchiveWorker {
  /** The folder of the archive, absolute. */
  readonly archive: string;
}

/** The part of the work folder that belongs to one process. */
export interface WorkFolder {
  /** Holds the lock of this name, which excludes processes of every store and machine. */
  exclusively<Result>(name: string, use: () => Promise<Result>): Promise<Result>;
  /** Removes the folder. */
  end(): Promise<void>;
}

export function workPath(archive: string, workerId: string): string {
  return join(archive, WORK_FOLDER, workerId);
}

/**
 * Creates the folder of this process, and removes those of dead processes. A live process of any store or machine keeps its
 * folder: its marker identifies it, and is rewritten every 15 seconds. Times are those of the disk, never of the clock of this
 * machine. Errors: `store.unwritable`, `store.full`.
 */
export async function openWorkFolder(options: WorkFolderOptions): Promise<WorkFolder> {
  const { archive, workerId } = options;
  const own = workPath(archive, workerId);
  const shared = join(archive, WORK_FOLDER);
  try {
    if (await isLink(shared)) throw new FiscalError('store.unwritable', { path: shared, reason: workFolderIsLink });
    await mark(own, options.owner);
    await sweep(shared, options);
  } catch (error) {
    throw archiveFailure(archive, error);
  }
  let marking = Promise.resolve();
  const timer = setInterval(() => {
    // The next interval tries again; a disk that stays away fails the work itself.
    marking = mark(own, options.owner).catch(() => undefined);
  }, RENEW_EVERY_MS);
  timer.unref();
  return {
    exclusively: (name, use) => withLock(join(shared, `${name}.lock`), options, use),
    end: async () => {
      clearInterval(timer);
      await marking;
      try {
        await rm(own, { recursive: true, force: true });
        await rmdir(shared);
      } catch (error) {
        if (!isAny(error, ['ENOENT', 'ENOTEMPTY', 'EEXIST'])) throw archiveFailure(archive, error);
      }
    },
  };
}

/** Another process may remove the shared folder while it is still empty. */
async function mark(own: string, owner: WorkOwner): Promise<void> {
  await retryMissing(async () => {
    makeFolder(own);
    await writeFile(join(own, MARKER), JSON.stringify(owner), { mode: 0o600 });
  });
}

async function retryMissing<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = 5; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isAny(error, ['ENOENT'])) throw error;
    }
  }
}

async function sweep(shared: string, options: WorkFolderOptions): Promise<void> {
  const now = await timeOf(join(shared, options.workerId, MARKER));
  for (const name of await readdir(shared)) {
    if (name === options.workerId || now === undefined) continue;
    const path = join(shared, name);
    if (await isAbandoned(path, now, options)) await rm(path, { recursive: true, force: true });
  }
}

/** A folder without a marker is being created, unless it is old. Loose files are locks, or come from older versions. */
async function isAbandoned(path: string, now: number, { livenessOf }: WorkFolderOptions): Promise<boolean> {
  const owner = await ownerIn(join(path, MARKER));
  const liveness = owner === undefined ? 'unknown' : livenessOf(owner);
  if (liveness !== 'unknown') return liveness === 'dead';
  const seenAt = (await timeOf(join(path, MARKER))) ?? (await timeOf(path));
  return seenAt !== undefined && now - seenAt > DEAD_AFTER_MS;
}

async function withLock<Result>(path: string, options: WorkFolderOptions, use: () => Promise<Result>): Promise<Result> {
  try {
    const { clock, lockWaitMs } = options;
    const until = clock.uptime() + lockWaitMs;
    while (!(await takeLock(path, options.owner))) {
      if ((await isStaleLock(path, options)) && (await removeStaleLock(path, options))) continue;
      if (clock.uptime() >= until) throw new FiscalError('archive.locked', { path });
      await clock.sleep(LOCK_POLL_MS, undefined, heldLock(path));
    }
  } catch (error) {
    throw archiveFailure(path, error);
  }
  try {
    return await use();
  } finally {
    // A process that was suspended may have lost its lock: then it is that of another one.
    if (isSame(await ownerIn(path), options.owner)) await rm(path, { force: true });
  }
}

function isSame(found: WorkOwner | undefined, { machine, pid, processStart }: WorkOwner): boolean {
  return found?.machine === machine && found.pid === pid && found.processStart === processStart;
}

async function takeLock(path: string, owner: WorkOwner): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(owner));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isAny(error, ['EEXIST'])) return false;
    throw error;
  }
}

async function isStaleLock(path: string, { archive, workerId, owner, livenessOf }: WorkFolderOptions) {
  const holder = await ownerIn(path);
  if (holder !== undefined && livenessOf(holder) === 'dead') return true;
  const own = workPath(archive, workerId);
  await mark(own, owner);
  const [now, takenAt] = [await timeOf(join(own, MARKER)), await timeOf(path)];
  return now !== undefined && takenAt !== undefined && now - takenAt > LOCK_DEAD_AFTER_MS;
}

/**
 * One process at a time removes a stale lock, and looks at it again first: what another one removed may already be held anew.
 * False while another process removes it.
 */
async function removeStaleLock(path: string, options: WorkFolderOptions): Promise<boolean> {
  const removal = `${path}.removal`;
  if (!(await takeLock(removal, options.owner))) {
    if (await isStaleLock(removal, options)) await rm(removal, { force: true });
    return false;
  }
  try {
    if (await isStaleLock(path, options)) await rm(path, { force: true });
    return true;
  } finally {
    await rm(removal, { force: true });
  }
}

async function ownerIn(path: string): Promise<WorkOwner | undefined> {
  const read = await readStateJson(path).catch(() => undefined);
  const [machine, pid, start] = [fieldOf(read, 'machine'), fieldOf(read, 'pid'), fieldOf(read, 'processStart')];
  if (typeof machine !== 'string' || typeof pid !== 'number' || typeof start !== 'string') return undefined;
  return Number.isSafeInteger(pid) && pid > 0 ? { machine, pid, processStart: start } : undefined;
}

async function timeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isAny(error, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw error;
  }
}

function isAny(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Turns an error of the file system into one that names the path. Other errors are returned unchanged. */
export function archiveFailure(path: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || error instanceof FiscalError) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new FiscalError('store.full', { path });
  return new FiscalError('store.unwritable', { path, reason: String(error.code) }, { cause: error });
}

/** What looks abandoned in the work folder is removed: behind a link, those would be the files of somebody else. */
const workFolderIsLink: Text = {
  en: 'it is a symbolic link: remove it, it holds only files of running commands',
  pt: 'é um link simbólico: remova-o, ali só há arquivos de comandos em andamento',
};
