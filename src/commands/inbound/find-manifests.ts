import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderLinks } from '../../archive/folder-links.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { unreadableFile } from '../../io/input-file.js';
import { MANIFEST, PROOFS } from './close-proof.js';

export interface FoundManifests {
  /** Absolute, sorted. */
  readonly manifests: readonly string[];
  /** Folders that are symbolic links and were not followed, relative to the archive, with `/`. */
  readonly links: readonly string[];
}

interface Search {
  readonly archive: string;
  readonly followLinks: boolean;
  readonly manifests: string[];
  readonly links: string[];
  /** Folders that were read, so that a link to a folder above ends. */
  readonly read: Set<string>;
}

/** The manifests of an archive. None when it has no proofs. Errors: `input.not_found` for a link to nothing, `input.unreadable`. */
export async function findManifests(
  archive: string,
  { followLinks }: { readonly followLinks: boolean },
): Promise<FoundManifests> {
  const search: Search = { archive, followLinks, manifests: [], links: [], read: new Set() };
  const link = await new FolderLinks(archive, followLinks).onTheWayTo(`${PROOFS}/${MANIFEST}`);
  if (link !== undefined) return { manifests: [], links: [link] };
  try {
    await findIn(PROOFS, search);
  } catch (error) {
    const hasProofs = await lstat(join(archive, PROOFS)).then(
      () => true,
      () => false,
    );
    if (hasProofs || !(error instanceof FiscalError) || error.code !== 'input.not_found') throw error;
  }
  return { manifests: search.manifests.sort(), links: search.links.sort() };
}

async function findIn(folder: string, search: Search): Promise<void> {
  const path = join(search.archive, folder);
  for (const entry of await unreadEntries(path, search.read)) {
    const inside = `${folder}/${entry.name}`;
    const isLinkedFolder = entry.isSymbolicLink() && !(await isFile(join(path, entry.name)));
    if (isLinkedFolder && !search.followLinks) search.links.push(inside);
    else if (isLinkedFolder || entry.isDirectory()) await findIn(inside, search);
    else if (entry.name === MANIFEST) search.manifests.push(join(path, entry.name));
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
