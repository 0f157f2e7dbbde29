import { closeSync, fsync, openSync, open, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createHash, hash } from 'node:crypto';
import { makeFolder } from '../../io/make-folder.js';
import { FolderLinks } from './links.js';
import type { ArchiveWriter, Draft, Written } from '../writer.js';
import { archiveFailure, workPath } from './work-folder.js';

const MAX_KNOWN_FOLDERS = 10_000;

/** The folders of one archive: each is created once, and files of one folder share their `fsync`. */
class Folders {
  readonly #made = new Set<string>();
  readonly #syncing = new Map<string, { readonly running: Promise<void>; next?: Promise<void> }>();

  async make(folder: string): Promise<void> {
    if (this.#made.has(folder)) return;
    const first = makeFolder(folder);
    // A new folder is an entry of its parent, which must be on disk too.
    if (first !== undefined) await this.#syncDownTo(dirname(first), folder);
    if (this.#made.size >= MAX_KNOWN_FOLDERS) this.#made.clear();
    this.#made.add(folder);
  }

  /** For a folder that was removed: the next caller creates it again. */
  forget(folder: string): void {
    this.#made.delete(folder);
  }

  /**
   * Resolves when every name now in the folder is on disk. Calls during a running `fsync` share the next one.
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

/** Where a folder cannot be synced (Windows, some network disks), the file system journals names itself. */
const NO_FOLDER_SYNC: ReadonlySet<unknown> = new Set(['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']);

export async function syncFolder(folder: string): Promise<void> {
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

export interface FolderWriterOptions {
  /** The folder of the archive, absolute. */
  readonly archive: string;
  /** Names the work folder of this process, which `openWorkFolder` opens. */
  readonly workerId: string;
  /** Begins the names of temporary files, so that two writers of one process use different ones. */
  readonly series?: string;
  /** Also writes into folders of the archive that are symbolic links. */
  readonly followLinks?: boolean;
}

/**
 * Writes files into an archive: temporary name on the same disk, sync, rename, sync of the folder. A resolved write survives
 * a power cut. Errors: `store.unwritable`, also for a folder that is a symbolic link; `store.full`.
 */
export function createFolderWriter(options: FolderWriterOptions): ArchiveWriter {
  const { archive, workerId, series = '', followLinks = false } = options;
  const folders = new Folders();
  const links = new FolderLinks(archive, followLinks);
  let count = 0;
  const newContext = (): DraftContext => {
    count += 1;
    return { archive, folders, links, temporary: join(workPath(archive, workerId), `${series}${count}.part`) };
  };
  return { draft: () => new FileDraft(newContext()), write: (path, bytes) => writeWhole(newContext(), path, bytes) };
}

/*
 * Only calls that wait for the disk go through the thread pool: create and sync. Write, close and rename touch the cache of
 * the system, and the trip to another thread would cost several times the call.
 */
const openFile = promisify(open);
const syncFile = promisify(fsync);

interface DraftContext {
  readonly archive: string;
  readonly folders: Folders;
  readonly links: FolderLinks;
  readonly temporary: string;
}

async function create({ folders, temporary }: DraftContext): Promise<number> {
  return await inFolder(folders, dirname(temporary), () => openFile(temporary, 'w', 0o600));
}

/** A known folder may have been removed since. It is created again, once. */
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

/** Moves a synced and closed file from its temporary name to its own. */
async function rename(context: DraftContext, path: string): Promise<void> {
  const { folders, links, temporary } = context;
  const target = targetOf(context, path);
  await links.refuse(path);
  await inFolder(folders, dirname(target), () => renameSync(temporary, target));
  await folders.sync(dirname(target));
}

/** A draft of one piece, without the state that a draft keeps between pieces. */
async function writeWhole(context: DraftContext, path: string, bytes: Uint8Array): Promise<Written> {
  const target = targetOf(context, path);
  try {
    const file = await create(context);
    try {
      writeFileSync(file, bytes);
      await syncFile(file);
    } finally {
      closeSync(file);
    }
    await rename(context, path);
    return { path, sha256: hash('sha256', bytes), bytes: bytes.length };
  } catch (error) {
    await rm(context.temporary, { force: true });
    throw archiveFailure(target, error);
  }
}

function targetOf({ archive }: DraftContext, path: string): string {
  return join(archive, ...path.split('/'));
}

class FileDraft implements Draft {
  #file: number | undefined;
  #hash = createHash('sha256');
  #bytes = 0;

  constructor(private readonly context: DraftContext) {}

  async restart(): Promise<void> {
    await this.#guarded(async () => {
      this.#close();
      this.#file = await create(this.context);
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

  async commit(path: string): Promise<Written> {
    const target = targetOf(this.context, path);
    return await this.#guarded(async () => {
      if (this.#file !== undefined) await syncFile(this.#file);
      this.#close();
      await rename(this.context, path);
      return { path, sha256: this.#hash.digest('hex'), bytes: this.#bytes };
    }, target);
  }

  async discard(): Promise<void> {
    this.#close();
    await rm(this.context.temporary, { force: true });
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }

  async #guarded<Result>(work: () => Result | Promise<Result>, path = this.context.archive): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw archiveFailure(path, error);
    }
  }
}
