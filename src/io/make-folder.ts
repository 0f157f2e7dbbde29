import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../domain/system-code.js';

/**
 * Creates a folder and its parents, 0700, and gives the first one that it had to create. Not `recursive: true`: on file
 * systems where mkdir in an existing folder returns ENOENT (/proc, an automatic mount without entry), Node would loop for ever.
 */
export function makeFolder(path: string): string | undefined {
  const made = makeOne(path);
  if (made !== 'no parent') return made === 'made' ? path : undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : makeFolder(parent);
  // Another process may have created it first.
  if (makeOne(path) === 'no parent') mkdirSync(path, { mode: 0o700 });
  return first ?? path;
}

function makeOne(path: string): 'made' | 'there' | 'no parent' {
  try {
    mkdirSync(path, { mode: 0o700 });
    return 'made';
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'no parent';
    if (isFolder(path)) return 'there';
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
