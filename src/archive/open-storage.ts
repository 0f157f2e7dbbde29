import { folderStorage } from './folder/folder-storage.js';
import type { ArchiveStorage } from './storage.js';

/** The storage of an archive. @param location An absolute folder, as the store remembers it. */
export async function openStorage(
  location: string,
  { followLinks }: { readonly followLinks: boolean },
): Promise<ArchiveStorage> {
  return await Promise.resolve(folderStorage(location, followLinks));
}
