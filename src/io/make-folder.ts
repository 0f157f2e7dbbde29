import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../domain/system-code.js';

/**
 * Creates a folder and its parents, 0700, and gives the first one that it had to create. Not `recursive: true`: on file
 * systems where mkdir in an existing folder returns ENOENT (/proc, an automatic mount without entry), Node would loop for ever.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const made = await makeOne(path);
  if (made !== 'no parent') return made === 'made' ? path : undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : await makeFolder(parent);
  // Another process may have created it first.
  if ((await makeOne(path)) === 'no parent') await mkdir(path, { mode: 0o700 });
  return first ?? path;
}

async function makeOne(path: string): Promise<'made' | 'there' | 'no parent'> {
  try {
    await mkdir(path, { mode: 0o700 });
    return 'made';
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'no parent';
    if (await isFolder(path)) return 'there';
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
