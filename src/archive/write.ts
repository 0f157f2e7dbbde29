import { closeSync, fsync, openSync, open, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createHash, hash } from 'node:crypto';
import { workPath, archiveFailure } from './work-folder.js';

/** So many folders are remembered as made. */
const MAX_KNOWN = 10_000;

/** The folders of one archive: made once, and told to the disk together. */
class Folders {
  readonly #made = new Set<string>();
  readonly #syncing = new Map<string, { readonly running: Promise<void>; next?: Promise<void> }>();

  async make(folder: string): Promise<void> {
    if (this.#made.has(folder)) return;
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    // A new folder is an entry of its parent: that is to stand on the disk, too.
    if (first !== undefined) await this.#syncDownTo(dirname(first), folder);
    if (this.#made.size >= MAX_KNOWN) this.#made.clear();
    this.#made.add(folder);
  }

  /** Somebody took the folder away: the next one who needs it makes it again. */
  forget(folder: string): void {
    this.#made.delete(folder);
  }

  /**
   * Resolves when every name that stands in the folder now is on the disk. Who comes while the disk is at it joins the next
   * round: many files of one folder pay for few of them.
   */
  async sync(folder: string): Promise<void> {
    const current = this.#syncing.get(folder);
    if (current === undefined) return await this.#begin(folder);
    current.next ??= current.running.catch(() => undefined).then(() => this.#begin(folder));
    await current.next;
  }

  async #begin(folder: string): Promise<void> {
    const running = syncFolder(folder);
    const round: { readonly running: Promise<void>; next?: Promise<void> } = { running };
    this.#syncing.set(folder, round);
    try {
      await running;
    } finally {
      if (round.next === undefined && this.#syncing.get(folder) === round) this.#syncing.delete(folder);
    }
  }

  async #syncDownTo(from: string, to: string): Promise<void> {
    for (let folder = dirname(to); folder.length >= from.length; folder = dirname(folder)) {
      await syncFolder(folder);
      if (folder === dirname(folder)) return;
    }
  }
}

/** Where a folder cannot be synced (Windows, some network disks), its file system journals names by itself. */
const NO_FOLDER_SYNC: ReadonlySet<unknown> = new Set(['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']);

async function syncFolder(folder: string): Promise<void> {
  const handle = openFolder(folder);
  if (handle === undefined) return;
  try {
    await promisify(fsync)(handle).catch(withoutSync);
  } finally {
    closeSync(handle);
  }
}

function openFolder(folder: string): number | undefined {
  try {
    return openSync(folder, 'r');
  } catch (error) {
    return withoutSync(error);
  }
}

function withoutSync(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && NO_FOLDER_SYNC.has(error.code)) return undefined;
  throw error;
}

export interface Written {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Where bytes go piece by piece before they get their name; `restart` makes what came so far void. */
export interface Draft {
  restart(): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
  /** On the disk under its name, or nowhere. `path` is relative to the archive. */
  place(path: string): Promise<Written>;
  /** Leaves nothing behind; harmless after `place`. */
  discard(): Promise<void>;
}

export interface ArchiveWriter {
  draft(): Draft;
  /** The bytes under this name, atomically: a reader sees the old file or the new one. */
  write(path: string, bytes: Uint8Array): Promise<Written>;
}

export interface ArchiveWriterParts {
  /** The archive's folder, absolute. */
  readonly archive: string;
  /** Of the process: its part of the work folder has this name, and is opened by `openWorkFolder`. */
  readonly workerId: string;
}

/**
 * Writes into an archive: a temporary name on the same disk, sync, rename, sync of the folder. What is told as written
 * survives a power cut. Errors: `store.unwritable`, `store.full`.
 */
export function createArchiveWriter({ archive, workerId }: ArchiveWriterParts): ArchiveWriter {
  const folders = new Folders();
  let count = 0;
  const newParts = (): DraftParts => {
    count += 1;
    return { archive, folders, temporary: join(workPath(archive, workerId), `${count}.part`) };
  };
  return {
    draft: () => new FileDraft(newParts()),
    write: (path, bytes) => writeWhole(newParts(), path, bytes),
  };
}

/*
 * Only what takes the disk's time goes through the thread pool: to make a file and to sync it. To write a piece, close and
 * rename touch the system's cache, and the way to another thread and back would cost several times the call.
 */
const openFile = promisify(open);
const syncFile = promisify(fsync);

interface DraftParts {
  readonly archive: string;
  readonly folders: Folders;
  readonly temporary: string;
}

async function create({ folders, temporary }: DraftParts): Promise<number> {
  return await inFolder(folders, dirname(temporary), () => openFile(temporary, 'w', 0o600));
}

/** A folder that was made before may be gone: somebody tidied up. It is made again, once. */
async function inFolder<Result>(
  folders: Folders,
  folder: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  await folders.make(folder);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    folders.forget(folder);
    await folders.make(folder);
    return await work();
  }
}

/** From the temporary name, synced and closed, to its own. */
async function rename({ folders, temporary }: DraftParts, target: string): Promise<void> {
  await inFolder(folders, dirname(target), () => renameSync(temporary, target));
  await folders.sync(dirname(target));
}

/** As a draft of one piece, without what a draft keeps between its pieces. */
async function writeWhole(parts: DraftParts, path: string, bytes: Uint8Array): Promise<Written> {
  const target = targetOf(parts, path);
  try {
    const file = await create(parts);
    try {
      writeFileSync(file, bytes);
      await syncFile(file);
    } finally {
      closeSync(file);
    }
    await rename(parts, target);
    return { path, sha256: hash('sha256', bytes), bytes: bytes.length };
  } catch (error) {
    await rm(parts.temporary, { force: true });
    throw archiveFailure(target, error);
  }
}

function targetOf({ archive }: DraftParts, path: string): string {
  return join(archive, ...path.split('/'));
}

/** A file that comes in pieces. */
class FileDraft implements Draft {
  #file: number | undefined;
  #hash = createHash('sha256');
  #bytes = 0;

  constructor(private readonly parts: DraftParts) {}

  async restart(): Promise<void> {
    await this.#guarded(async () => {
      this.#close();
      this.#file = await create(this.parts);
      this.#hash = createHash('sha256');
      this.#bytes = 0;
    });
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#guarded(() => {
      if (this.#file !== undefined) writeFileSync(this.#file, chunk);
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
    });
  }

  async place(path: string): Promise<Written> {
    const target = targetOf(this.parts, path);
    return await this.#guarded(async () => {
      if (this.#file !== undefined) await syncFile(this.#file);
      this.#close();
      await rename(this.parts, target);
      return { path, sha256: this.#hash.digest('hex'), bytes: this.#bytes };
    }, target);
  }

  async discard(): Promise<void> {
    this.#close();
    await rm(this.parts.temporary, { force: true });
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }

  async #guarded<Result>(work: () => Result | Promise<Result>, path = this.parts.archive): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw archiveFailure(path, error);
    }
  }
}
