import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileErrorCode } from './digest.js';

/** Finds the folders of an archive that are symbolic links. Each folder is looked at once. The archive itself may be one. */
export class FolderLinks {
  private readonly known = new Map<string, Promise<string | undefined>>();

  constructor(private readonly archive: string) {}

  /** The first folder on the way to a file that is a link. Paths are relative to the archive, with `/`. */
  async onTheWayTo(path: string): Promise<string | undefined> {
    const folder = posix.dirname(path);
    if (folder === '.') return undefined;
    const known = this.known.get(folder) ?? this.firstLink(folder);
    this.known.set(folder, known);
    return await known;
  }

  private async firstLink(folder: string): Promise<string | undefined> {
    return (
      (await this.onTheWayTo(folder)) ?? ((await isLink(join(this.archive, folder))) ? folder : undefined)
    );
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    // What does not exist is reported as missing.
    if (['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error) ?? '')) return false;
    throw error;
  }
}
