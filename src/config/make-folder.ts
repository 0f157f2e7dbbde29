import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, 0700. Not `recursive: true`: on file systems that answer ENOENT to a
 * mkdir in a folder that exists (/proc), Node 20 then tries for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await makeOne(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  // Another process may have been faster.
  if (!(await makeOne(path))) await mkdir(path, { mode: 0o700 });
}

/** False when something above is missing. */
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
