import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';

/** Where files are written before they get their names: on the same disk, out of the way of who reads the archive. */
const WORK_FOLDER = '.fiscal';

/** In the folder of each process: who it is, written again and again while it lives. */
const MARKER = 'alive.json';

const RENEW_EVERY_MS = 15_000;
/** Of a process that nobody here can judge, such as one of another machine: it is dead when it was silent for so long. */
const DEAD_AFTER_MS = 15 * 60_000;
/** A lock is held for two small files: one this old has lost its process. */
const LOCK_DEAD_AFTER_MS = 60_000;
const LOOK_AGAIN_MS = 25;

/** The process at work, in words that another one can check. */
export interface WorkOwner {
  readonly machine: string;
  readonly pid: number;
  readonly processStart: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

interface WorkFolderParts {
  /** The archive's folder, absolute. */
  readonly archive: string;
  readonly workerId: string;
  readonly owner: WorkOwner;
  /** `unknown` for what cannot be judged from here: then its silence does. */
  readonly livenessOf: (owner: WorkOwner) => Liveness;
}

/** The part of the work folder that belongs to one process. */
export interface WorkFolder {
  /** Alone among all processes that know this name, of every store and machine. */
  exclusively<Result>(name: string, use: () => Promise<Result>): Promise<Result>;
  /** Leaves nothing behind. */
  end(): Promise<void>;
}

export function workPath(archive: string, workerId: string): string {
  return join(archive, WORK_FOLDER, workerId);
}

/**
 * Makes the folder of this process, and removes those of the dead. A living process keeps its own, whatever store or machine it
 * belongs to: its marker names it, and is written again every few seconds. Times are compared as the disk gave them, never
 * with the clock of this machine. Errors: `store.unwritable`, `store.full`.
 */
export async function openWorkFolder(parts: WorkFolderParts): Promise<WorkFolder> {
  const { archive, workerId } = parts;
  const own = workPath(archive, workerId);
  const shared = join(archive, WORK_FOLDER);
  try {
    await mark(own, parts.owner);
    await sweep(shared, parts);
  } catch (error) {
    throw archiveFailure(archive, error);
  }
  let marking = Promise.resolve();
  const timer = setInterval(() => {
    // What cannot be written now is tried again; a disk that stays away fails the work itself.
    marking = mark(own, parts.owner).catch(() => undefined);
  }, RENEW_EVERY_MS);
  timer.unref();
  return {
    exclusively: (name, use) => withLock(join(shared, `${name}.lock`), parts, use),
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

/** Another process may take the shared folder away in the moment in which it is still empty. */
async function mark(own: string, owner: WorkOwner): Promise<void> {
  await again(async () => {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, MARKER), JSON.stringify(owner), { mode: 0o600 });
  });
}

async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = 5; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isAny(error, ['ENOENT'])) throw error;
    }
  }
}

async function sweep(shared: string, parts: WorkFolderParts): Promise<void> {
  const now = await timeOf(join(shared, parts.workerId, MARKER));
  for (const name of await readdir(shared)) {
    if (name === parts.workerId || now === undefined) continue;
    const path = join(shared, name);
    if (await isLeft(path, now, parts)) await rm(path, { recursive: true, force: true });
  }
}

/** A folder without a marker is one that is being made, until it is old. Loose files are locks, and pieces of older versions. */
async function isLeft(path: string, now: number, { livenessOf }: WorkFolderParts): Promise<boolean> {
  const owner = await ownerIn(join(path, MARKER));
  const liveness = owner === undefined ? 'unknown' : livenessOf(owner);
  if (liveness !== 'unknown') return liveness === 'dead';
  const seenAt = (await timeOf(join(path, MARKER))) ?? (await timeOf(path));
  return seenAt !== undefined && now - seenAt > DEAD_AFTER_MS;
}

async function withLock<Result>(
  path: string,
  parts: WorkFolderParts,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    while (!(await takeLock(path, parts.owner))) {
      if (await isLockLeft(path, parts)) await removeLock(path, parts);
      else await pause(LOOK_AGAIN_MS);
    }
  } catch (error) {
    throw archiveFailure(path, error);
  }
  try {
    return await use();
  } finally {
    await rm(path, { force: true });
  }
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

async function isLockLeft(path: string, { archive, workerId, owner, livenessOf }: WorkFolderParts) {
  const holder = await ownerIn(path);
  if (holder !== undefined && livenessOf(holder) === 'dead') return true;
  const own = workPath(archive, workerId);
  await mark(own, owner);
  const [now, takenAt] = [await timeOf(join(own, MARKER)), await timeOf(path)];
  return now !== undefined && takenAt !== undefined && now - takenAt > LOCK_DEAD_AFTER_MS;
}

/** By a rename, which one process alone can do. */
async function removeLock(path: string, { archive, workerId }: WorkFolderParts): Promise<void> {
  const aside = join(workPath(archive, workerId), 'left.lock');
  await rename(path, aside).catch((error: unknown) => {
    if (!isAny(error, ['ENOENT'])) throw error;
  });
  await rm(aside, { force: true });
}

async function ownerIn(path: string): Promise<WorkOwner | undefined> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
  const [machine, pid, start] = [
    fieldOf(read, 'machine'),
    fieldOf(read, 'pid'),
    fieldOf(read, 'processStart'),
  ];
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

/** A failure of the file system as an error that names the path; anything else as it is. */
export function archiveFailure(path: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || error instanceof FiscalError) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new FiscalError('store.full', { path });
  return new FiscalError('store.unwritable', { path, reason: String(error.code) }, { cause: error });
}
