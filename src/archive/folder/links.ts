import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { systemCode } from '../../domain/system-code.js';

/**
 * Finds the folders of an archive that are symbolic links: whoever places one there could otherwise have files written, or taken
 * for files of the archive, that are elsewhere. Each folder is looked at once. The archive itself may be a link.
 */
export class FolderLinks {
  private readonly known = new Map<string, Promise<string | undefined>>();

  /** `areFollowed`: the user wants them, and none is found. */
  constructor(
    private readonly archive: string,
    readonly areFollowed: boolean,
  ) {}

  /** Error: `store.unwritable` for a path behind a link. */
  async refuse(path: string): Promise<void> {
    if ((await this.onTheWayTo(path)) === undefined) return;
    throw new FiscalError('store.unwritable', { path: join(this.archive, path), reason: behindLink });
  }

  /** The first folder on the way to a file that is a link. Paths are relative to the archive, with `/`. */
  async onTheWayTo(path: string): Promise<string | undefined> {
    const folder = posix.dirname(path);
    if (this.areFollowed || folder === '.') return undefined;
    const known = this.known.get(folder) ?? this.firstLink(folder);
    this.known.set(folder, known);
    return await known;
  }

  private async firstLink(folder: string): Promise<string | undefined> {
    return (await this.onTheWayTo(folder)) ?? ((await isLink(join(this.archive, folder))) ? folder : undefined);
  }
}

const behindLink: Text = {
  en: 'a folder on its path is a symbolic link, which --follow-links allows',
  pt: 'uma pasta do caminho é um link simbólico, o que --follow-links permite',
};

export async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    // What does not exist is reported as missing, and a name that no folder can have when it is used.
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}
