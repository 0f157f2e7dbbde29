import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsidePath } from '../../domain/inside-path.js';
import { unreadableFile } from '../../io/input-file.js';
import type { ListedFile } from '../storage.js';
import { WORK_FOLDER } from './work-folder.js';

/** Every file of an archive, folder by folder. A link to a folder is not followed. Errors: `input.not_found`, `input.unreadable`. */
export async function* allFiles(archive: string, folder = ''): AsyncGenerator<ListedFile> {
  for (const entry of await entriesOf(join(archive, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path === WORK_FOLDER) continue;
    if (entry.isDirectory()) yield* allFiles(archive, path);
    else if (!isInsidePath(path)) yield { path, problem: 'name' };
    else yield entry.isSymbolicLink() ? { path, problem: 'link' } : { path };
  }
}

async function entriesOf(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw unreadableFile(path, error);
  }
}
