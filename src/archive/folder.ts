import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { archiveFailure } from './write-failure.js';

/** Where files are written before they get their names: on the same disk, out of the way of who reads the archive. */
export const WORK_FOLDER = '.fiscal';

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

/** Removes what killed runs left half written. `isOurs`: by the name, whether its writer is dead. */
export async function sweepWork(archive: string, isLeft: (name: string) => boolean): Promise<void> {
  const folder = join(archive, WORK_FOLDER);
  const names = await readdir(folder).catch((error: unknown) => absentOr(error, archive));
  for (const name of names.filter(isLeft)) await rm(join(folder, name), { force: true });
}

/** Takes the work folder away when nothing stands in it. */
export async function removeWorkFolder(archive: string): Promise<void> {
  await rmdir(join(archive, WORK_FOLDER)).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw archiveFailure(archive, error);
  });
}

function absentOr(error: unknown, archive: string): readonly string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw archiveFailure(archive, error);
}
