import { createHash } from 'node:crypto';
import { closeSync, fsync, open, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Folders, removeWorkFolder, sweepWork, WORK_FOLDER } from './folder.js';
import { archiveFailure } from './write-failure.js';

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
  /** Removes what dead writers of this machine left half written. */
  sweep(living: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

export interface ArchiveWriterParts {
  /** The archive's folder, absolute. */
  readonly archive: string;
  /** Tells the writers of one store from those of another that share the archive. No dots. */
  readonly storeTag: string;
  readonly workerId: string;
  /** Tells the writers of one process apart. No dots. */
  readonly series?: string;
}

/**
 * Writes into an archive: a temporary name on the same disk, sync, rename, sync of the folder. What is told as written
 * survives a power cut. Errors: `store.unwritable`, `store.full`.
 */
export function createArchiveWriter({
  archive,
  storeTag,
  workerId,
  series = '',
}: ArchiveWriterParts): ArchiveWriter {
  const folders = new Folders();
  let count = 0;
  const draft = (): Draft => {
    count += 1;
    return new FileDraft({ archive, folders, name: `${storeTag}.${workerId}.${series}${count}.part` });
  };
  return {
    draft,
    async write(path, bytes) {
      const file = draft();
      try {
        await file.restart();
        await file.write(bytes);
        return await file.place(path);
      } catch (error) {
        await file.discard();
        throw error;
      }
    },
    sweep: (living) =>
      sweepWork(archive, (name) => {
        const [tag, worker, , ending] = name.split('.');
        return tag === storeTag && ending === 'part' && worker !== undefined && !living.has(worker);
      }),
    close: () => removeWorkFolder(archive),
  };
}

const openFile = promisify(open);
const syncFile = promisify(fsync);

interface DraftParts {
  readonly archive: string;
  readonly folders: Folders;
  readonly name: string;
}

/**
 * Only what takes the disk's time goes through the thread pool: to make a file and to sync it. To write a piece, close and
 * rename touch the system's cache, and the way to another thread and back would cost several times the call.
 */
class FileDraft implements Draft {
  readonly #temporary: string;
  #file: number | undefined;
  #hash = createHash('sha256');
  #bytes = 0;

  constructor(private readonly parts: DraftParts) {
    this.#temporary = join(parts.archive, WORK_FOLDER, parts.name);
  }

  async restart(): Promise<void> {
    await this.#guarded(async () => {
      this.#close();
      await this.parts.folders.make(dirname(this.#temporary));
      this.#file = await openFile(this.#temporary, 'w', 0o600);
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
    const target = join(this.parts.archive, ...path.split('/'));
    return await this.#guarded(async () => {
      if (this.#file !== undefined) await syncFile(this.#file);
      this.#close();
      await this.parts.folders.make(dirname(target));
      renameSync(this.#temporary, target);
      await this.parts.folders.sync(dirname(target));
      return { path, sha256: this.#hash.digest('hex'), bytes: this.#bytes };
    }, target);
  }

  async discard(): Promise<void> {
    this.#close();
    await rm(this.#temporary, { force: true });
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
