import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Text } from '../contract/text.js';
import type { Random } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import { fileBytes, fileFault, notRegular } from './input-file.js';

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

/** Error: `store.unwritable` where something stands that is neither a file nor a link, or where no file can have this name. */
export async function requireReplaceable(path: string): Promise<void> {
  let found: Stats;
  try {
    found = await lstat(path);
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return;
    throw unwritable(path, error);
  }
  if (found.isFile() || found.isSymbolicLink()) return;
  throw new FiscalError(
    'store.unwritable',
    { path, reason: found.isDirectory() ? 'EISDIR' : notRegular },
    { sent: 'no' },
  );
}

/** Something has this name: also a link that leads nowhere. Error: `store.unwritable`. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return false;
    throw unwritable(path, error);
  }
}

/** Replaces a file in one step: a reader sees the old text or the new one. Errors: `store.unwritable`, `store.full`. */
export async function replaceFile(path: string, text: string, random: Random): Promise<void> {
  await replace(path, random, { text, mode: 0o600 });
}

/** The same for a file that another user's program reads, such as the collector of a monitor; no secret goes there. */
export async function publishFile(path: string, text: string, random: Random): Promise<void> {
  await replace(path, random, { text, mode: 0o644 });
}

/** Fails before the work whose result could not be written to `path`. Errors: `store.unwritable`. */
export async function requireFolder(path: string): Promise<void> {
  await requireReplaceable(path);
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function replace(
  path: string,
  random: Random,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const temporary = temporaryBeside(path, random);
  try {
    await writeFile(temporary, text, { mode });
    await putInPlace(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}

/**
 * Writes a file of any size in one step: under its name there is nothing, or the whole of it on the disk. Returns its bytes.
 * Errors: `store.unwritable`, `store.full`.
 */
export async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array>, random: Random): Promise<number> {
  const temporary = temporaryBeside(path, random);
  let written = 0;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for await (const chunk of bytes) {
        await file.writeFile(chunk);
        written += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await putInPlace(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
  return written;
}

/** Reads all that would be written. Returns its bytes. */
export async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}

export const notWritten: Text = { en: 'dry run: no file is written', pt: 'simulação: nenhum arquivo foi gravado' };

/** Opens a new file for writing. Errors: `store.unwritable`, `store.full`. */
export async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A failure of the file system as an error that names the file; anything else as it is. */
export function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FiscalError || !('code' in error)) return error;
  if (error.code === 'ENOSPC') return new FiscalError('store.full', { path });
  return new FiscalError('store.unwritable', { path, reason: String(error.code) });
}

/** The form of a file by the end of its name: `csv` for `.csv`. Error: `usage.invalid_value`. */
export function formOf<Form extends string>(out: string, forms: readonly Form[]): Form {
  const extension = extname(out).toLowerCase();
  const form = forms.find((each) => extension === `.${each}`);
  if (form !== undefined) return form;
  const ends = forms.map((each) => `.${each}`);
  const list = (or: string): string => `${ends.slice(0, -1).join(', ')} ${or} ${ends.at(-1) ?? ''}`;
  const expected = { en: `a file that ends in ${list('or')}`, pt: `um arquivo que termine em ${list('ou')}` };
  throw invalidValue('--out', out, expected);
}

/** The first bytes of a file, and none of a folder or of a link that leads nowhere. `undefined`: nothing is there. Error: `store.unwritable`. */
export async function beginningOf(path: string, most: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of fileBytes(path)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= most) break;
    }
    return Buffer.concat(pieces).subarray(0, most);
  } catch (error) {
    const fault = fileFault(error);
    if (fault === 'ENOENT' || fault === 'ELOOP') return (await isThere(path)) ? Buffer.alloc(0) : undefined;
    if (fault === 'EISDIR') return Buffer.alloc(0);
    if (typeof fault === 'object') throw new FiscalError('store.unwritable', { path, reason: fault }, { sent: 'no' });
    throw unwritable(path, error);
  }
}
