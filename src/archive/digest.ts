import { createHash } from 'node:crypto';
import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import type { XmlFileKind } from '../domain/document-fact.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { fileFault, openRegularFile } from '../io/input-file.js';
import { fileKindOfRoot } from './xml-layouts.js';

/** What identifies the content of a file. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
  /** From the root element. Absent for a file that is not XML of a known layout. */
  readonly xmlKind?: XmlFileKind;
}

const PIECE = 64 * 1024;

const readPiece = promisify(read);
const closeFile = promisify(close);

/**
 * Buffers that are not in use. A stream per file would allocate one each, and a hundred thousand small files would fill
 * the memory before the garbage collector runs.
 */
const free: Buffer[] = [];

/** SHA-256, size in bytes and kind of a file, read once in pieces. `undefined`: the file does not exist. Errors: `input.unreadable`. */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
  try {
    const file = await openRegularFile(path);
    try {
      return await digestInto(file, buffer);
    } finally {
      await closeFile(file);
    }
  } catch (error) {
    const reason = fileFault(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return undefined;
    throw reason === undefined ? error : new FiscalError('input.unreadable', { path, reason });
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

/** The root element follows the declaration, instructions and comments. All supported encodings agree on ASCII. */
function kindByRoot(piece: Buffer): XmlFileKind | undefined {
  let at = piece.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  for (;;) {
    while (isSpace(piece[at])) at += 1;
    const end = skippedUntil(piece, at);
    if (end === undefined) break;
    if (end < 0) return undefined;
    at = end;
  }
  const name = /^<(?:[\w.-]{1,50}:)?([\w.-]{1,50})[\s/>]/.exec(piece.toString('latin1', at, at + 120))?.[1];
  return name === undefined ? undefined : fileKindOfRoot(name);
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const skipped = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** The end of the instruction or comment that begins at `at`; -1 if it is not closed. `undefined`: neither begins there. */
function skippedUntil(piece: Buffer, at: number): number | undefined {
  const found = skipped.find(([begin]) => piece.toString('latin1', at, at + begin.length) === begin);
  if (found === undefined) return undefined;
  const end = piece.indexOf(found[1], at + found[0].length, 'latin1');
  return end < 0 ? end : end + found[1].length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
