import { createHash } from 'node:crypto';
import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { FiscalError } from '../errors/fiscal-error.js';

/** What a file is known by. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

const PIECE = 64 * 1024;

const openFile = promisify(open);
const readPiece = promisify(read);
const closeFile = promisify(close);

/**
 * Buffers that nobody reads into at the moment. A stream for every file would ask for one each, and a hundred thousand
 * small files would fill the memory before the collector comes by.
 */
const free: Buffer[] = [];

/** SHA-256 and size of a file, in flat memory. `undefined`: there is no such file. Errors: `input.unreadable`. */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
  try {
    const file = await openFile(path, 'r');
    try {
      return await digestInto(file, buffer);
    } finally {
      await closeFile(file);
    }
  } catch (error) {
    const reason = fileErrorCode(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return undefined;
    throw reason === undefined ? error : new FiscalError('input.unreadable', { path, reason });
  } finally {
    free.push(buffer);
  }
}

async function digestInto(file: number, buffer: Buffer): Promise<Digest> {
  const hash = createHash('sha256');
  for (let bytes = 0; ; ) {
    const { bytesRead } = await readPiece(file, buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** The system's own word, such as `ENOENT`; `undefined` for what is no error of the file system. */
export function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
