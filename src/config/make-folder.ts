import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, 0700. Not `recursive: true`: on file systems where mkdir in an existing folder
 * returns ENOENT (/proc), Node 20 would loop for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await makeOne(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  // Another process may have created it first.
  if (!(await makeOne(path))) await mkdir(path, { mode: 0o700 });
}

/** False when a parent is missing. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
