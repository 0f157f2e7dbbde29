import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FiscalError } from '../../errors/fiscal-error.js';
import { unreadableFile } from '../../io/input-file.js';
import type { FoundFiles } from '../storage.js';
import { FolderLinks } from './links.js';

interface Wanted {
  readonly folder: string;
  readonly name: string;
  readonly followsLinks: boolean;
}

interface Search extends Pick<Wanted, 'name' | 'followsLinks'> {
  readonly archive: string;
  readonly paths: string[];
  readonly links: string[];
  /** Folders that were read, so that a link to a folder above ends. */
  readonly read: Set<string>;
}

/**
 * The files of one name in a folder of the archive, and below. None when there is no such folder. Errors: `input.not_found` for a
 * link to nothing, `input.unreadable`.
 */
export async function findFiles(
  archive: string,
  { folder, name, followsLinks }: Wanted,
): Promise<FoundFiles> {
  const search: Search = { archive, name, followsLinks, paths: [], links: [], read: new Set() };
  const link = await new FolderLinks(archive, followsLinks).onTheWayTo(`${folder}/${name}`);
  if (link !== undefined) return { paths: [], links: [link] };
  try {
    await findIn(folder, search);
  } catch (error) {
    const stands = await lstat(join(archive, folder)).then(
      () => true,
      () => false,
    );
    if (stands || !(error instanceof FiscalError) || error.code !== 'input.not_found') throw error;
  }
  return { paths: search.paths.sort(), links: search.links.sort() };
}

async function findIn(folder: string, search: Search): Promise<void> {
  const path = join(search.archive, folder);
  for (const entry of await unreadEntries(path, search.read)) {
    const inside = `${folder}/${entry.name}`;
    const isLinkedFolder = entry.isSymbolicLink() && !(await isFile(join(path, entry.name)));
    if (isLinkedFolder && !search.followsLinks) search.links.push(inside);
    else if (isLinkedFolder || entry.isDirectory()) await findIn(inside, search);
    else if (entry.name === search.name) search.paths.push(inside);
  }
}

/** What a folder holds, the first time that it is read. */
async function unreadEntries(path: string, read: Set<string>): Promise<readonly Dirent[]> {
  try {
    const real = await realpath(path);
    if (read.has(real)) return [];
    read.add(real);
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/** A link to nothing may be a folder of a disk that is not there. */
async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
