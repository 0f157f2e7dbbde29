import { createHash } from 'node:crypto';
import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import type { XmlFileKind } from '../../domain/document-fact.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileFault, isALink, openRegularFile } from '../../io/input-file.js';
import { kindByRoot } from '../root-element.js';
import type { Digest } from '../storage.js';

const PIECE = 64 * 1024;

const readPiece = promisify(read);
const closeFile = promisify(close);

/**
 * Buffers that are not in use. A stream per file would allocate one each, and a hundred thousand small files would fill
 * the memory before the garbage collector runs.
 */
const free: Buffer[] = [];

/**
 * SHA-256, size in bytes and kind of a file, read once in pieces. `undefined`: it does not exist, or is a link to another one.
 * Errors: `input.unreadable`.
 */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
  try {
    const file = await openRegularFile(path, { isNoLink: true });
    try {
      return await digestInto(file, buffer);
    } finally {
      await closeFile(file);
    }
  } catch (error) {
    const reason = fileFault(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR' || reason === isALink) return undefined;
    throw reason === undefined
      ? error
      : new FiscalError('input.unreadable', { path, reason }, { cause: error });
  } finally {
    free.push(buffer);
  }
}

async function digestInto(file: number, buffer: Buffer): Promise<Digest> {
  const hash = createHash('sha256');
  let xmlKind: XmlFileKind | undefined;
  for (let bytes = 0; ; ) {
    const { bytesRead } = await readPiece(file, buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes, ...(xmlKind && { xmlKind }) };
    const piece = buffer.subarray(0, bytesRead);
    if (bytes === 0) xmlKind = kindByRoot(piece);
    hash.update(piece);
    bytes += bytesRead;
  }
}
