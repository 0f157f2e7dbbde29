import { closeSync, constants, createReadStream, fstatSync, open, openSync, readSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Text } from '../contract/text.js';
import { parseForeignJson } from '../domain/json-numbers.js';
import { FiscalError } from '../errors/fiscal-error.js';

const openFile = promisify(open);

/**
 * Without waiting: a plain `open` of a named pipe waits for its writer in a thread that no signal ends, not even at the end
 * of the process. Windows has neither flag.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A file that exists and is not read, with the reason for a person. */
class RefusedFile extends Error {
  constructor(readonly reason: Text | 'EISDIR') {
    super(typeof reason === 'string' ? reason : reason.en);
  }
}

export interface ReadingOptions {
  /** Refuses a file that is itself a symbolic link, with `isALink`. Windows cannot tell. */
  readonly isNoLink?: true;
  /** Allows a named pipe, and ends the wait for its writer. Absent: regular files only. */
  readonly pipeUntil?: AbortSignal;
}

/**
 * The descriptor of a regular file, for the caller to close. Folders, devices, sockets and pipes are refused.
 * Throws what `unreadableFile` explains.
 */
export async function openRegularFile(path: string, options: { readonly isNoLink?: true } = {}): Promise<number> {
  return (await openInput(path, options)).descriptor;
}

/** The bytes of a file, which is closed at the end of the iteration. Throws what `unreadableFile` explains. */
export async function* fileBytes(path: string, options: ReadingOptions = {}): AsyncGenerator<Uint8Array> {
  const { descriptor, isPipe } = await openInput(path, options);
  const stream = isPipe ? await pipeStream(descriptor) : createReadStream('', { fd: descriptor });
  const { pipeUntil } = options;
  const stop = (): void => void stream.destroy(new Error('interrupted'));
  try {
    pipeUntil?.addEventListener('abort', stop, { once: true });
    if (pipeUntil?.aborted === true) stop();
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('a byte stream gave something else than bytes');
      yield chunk;
    }
  } catch (error) {
    pipeUntil?.throwIfAborted();
    throw error;
  } finally {
    pipeUntil?.removeEventListener('abort', stop);
  }
}

/** The bytes of a whole file of at most so many bytes. Throws what `unreadableFile` explains. */
export async function readWholeFile(
  path: string,
  { mostBytes, ...options }: ReadingOptions & { readonly mostBytes: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of fileBytes(path, options)) {
    length += chunk.length;
    if (length > mostBytes) throw new RefusedFile(tooLarge(mostBytes));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same at once, for small files that the start of every command reads. Regular files only. */
export function readWholeFileNow(path: string, { mostBytes }: { readonly mostBytes: number }): Buffer {
  const descriptor = openSync(path, FLAGS);
  try {
    const kind = fstatSync(descriptor);
    requireRegular(kind);
    // One byte more than there were: a file that grows meanwhile is read to its end, or is too large.
    const pieces: Buffer[] = [];
    for (let length = 0; ; ) {
      const piece = Buffer.alloc(Math.min(kind.size, mostBytes) + 1);
      const bytesRead = readSync(descriptor, piece);
      if (bytesRead === 0) return Buffer.concat(pieces);
      length += bytesRead;
      if (length > mostBytes) throw new RefusedFile(tooLarge(mostBytes));
      pieces.push(piece.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

const MOST_STATE_BYTES = 64 * 1024;

/**
 * The value in a small JSON file that this program writes for itself. `undefined`: there is none, or it is damaged: no JSON, larger
 * than 64 KiB, or no regular file. Errors: `input.unreadable` for what the system refuses.
 */
export async function readStateJson(path: string): Promise<unknown> {
  try {
    return parseForeignJson((await readWholeFile(path, { mostBytes: MOST_STATE_BYTES })).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || fileFault(error) === 'ENOENT') return undefined;
    if (error instanceof RefusedFile && error.reason !== 'EISDIR') return undefined;
    throw unreadableFile(path, error);
  }
}

/**
 * An error of this module or of the file system as `input.not_found` or `input.unreadable`; any other error as it is. `name`
 * is the file as the user knows it.
 */
export function unreadableFile(name: string, error: unknown): unknown {
  const reason = fileFault(error);
  if (reason === undefined) return error;
  if (reason === 'ENOENT') return new FiscalError('input.not_found', { path: name }, { cause: error });
  return new FiscalError('input.unreadable', { path: name, reason }, { cause: error });
}

/** Why a file is not read: a sentence, or the system's error code. `undefined` for any other error. */
export function fileFault(error: unknown): Text | string | undefined {
  if (error instanceof RefusedFile) return error.reason;
  if (error instanceof FiscalError || !(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the file is a regular one, or else a named pipe. Throws what `unreadableFile` explains for anything else. */
export async function isRegularFile(path: string): Promise<boolean> {
  const kind = await stat(path);
  if (kind.isFIFO()) return false;
  requireRegular(kind);
  return true;
}

async function openInput(
  path: string,
  { pipeUntil, isNoLink }: ReadingOptions,
): Promise<{ readonly descriptor: number; readonly isPipe: boolean }> {
  const descriptor = isNoLink === true ? await openNoLink(path) : await openFile(path, FLAGS);
  try {
    const kind = fstatSync(descriptor);
    const isPipe = kind.isFIFO() && pipeUntil !== undefined;
    if (!isPipe) requireRegular(kind);
    return { descriptor, isPipe };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

async function openNoLink(path: string): Promise<number> {
  try {
    return await openFile(path, FLAGS | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    throw fileFault(error) === 'ELOOP' ? new RefusedFile(isALink) : error;
  }
}

function requireRegular(kind: Stats): void {
  if (kind.isDirectory()) throw new RefusedFile('EISDIR');
  if (!kind.isFile()) throw new RefusedFile(notRegular);
}

/** Waits for the writer with the event loop, as for stdin. */
async function pipeStream(descriptor: number) {
  const { Socket } = await import('node:net');
  return new Socket({ fd: descriptor, readable: true, writable: false });
}

export const isALink: Text = {
  en: 'it is a symbolic link, not the file itself',
  pt: 'é um link simbólico, não o próprio arquivo',
};
export const notRegular: Text = { en: 'it is not a regular file', pt: 'não é um arquivo comum' };

function tooLarge(mostBytes: number): Text {
  const limit = mostBytes < 1024 * 1024 ? `${mostBytes / 1024} KiB` : `${mostBytes / (1024 * 1024)} MiB`;
  return { en: `it is larger than ${limit}`, pt: `é maior que ${limit}` };
}
