import { lstat, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Random } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { notRegular } from './input-file.js';

/** Characters of the name: with them and its own end, a temporary name has at most 241 of the 255 bytes that file systems allow. */
const NAME = 50;

/** Where a file is written before it gets its name. */
export function temporaryBeside(path: string, random: Random): string {
  const name = [...basename(path)].slice(0, NAME).join('');
  return join(dirname(path), `${name}.${random.uuid()}.tmp`);
}

/** Gives a complete file its name. A pipe, a socket or a device that stands there stays: somebody uses it. Error: `store.unwritable`. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await requireReplaceable(path);
  await rename(temporary, path);
}

/** Error: `store.unwritable` where something stands that is neither a file, a link nor a folder. */
export async function requireReplaceable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isSymbolicLink() || found.isDirectory()) return;
  throw new FiscalError('store.unwritable', { path, reason: notRegular }, { sent: 'no' });
}
