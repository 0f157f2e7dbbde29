import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** So many folders are remembered as made. */
const MAX_KNOWN = 10_000;

/** The folders of one archive: made once, and told to the disk together. */
export class Folders {
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
