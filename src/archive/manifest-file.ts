import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FiscalError } from '../errors/fiscal-error.js';
import { parseManifestLine, type ManifestEntry } from './manifest.js';
import type { ArchiveWriter, Written } from './write.js';

/** What a file is known by. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

const PIECE = 64 * 1024;

/** Writes lines under a name of the archive, in one step and for good. Errors: `store.unwritable`, `store.full`. */
export async function writeLines(
  writer: ArchiveWriter,
  path: string,
  lines: Iterable<string>,
): Promise<Written> {
  const file = writer.draft();
  try {
    await file.restart();
    for (const piece of pieces(lines)) await file.write(piece);
    return await file.place(path);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * The entries of a manifest, one after another.
 * Errors: `input.not_found`, `input.unreadable`, `inbound.manifest_unreadable` for a line that is no entry.
 */
export async function* readManifest(path: string): AsyncIterable<ManifestEntry> {
  const stream = createReadStream(path, 'utf8');
  // The interface swallows the stream's error, so it is kept and told after the loop.
  let failure: unknown;
  stream.on('error', (error) => (failure = error));
  let line = 0;
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
    line += 1;
    const entry = parseManifestLine(text);
    if (entry === undefined) throw new FiscalError('inbound.manifest_unreadable', { path, line });
    yield entry;
  }
  if (failure !== undefined) throw unreadable(path, failure);
}

/** SHA-256 and size of a file, in flat memory. `undefined`: there is no such file. */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: PIECE })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('a byte stream gave something else than bytes');
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unreadable(path, error);
  }
  return { sha256: hash.digest('hex'), bytes };
}

function* pieces(all: Iterable<string>): Iterable<Buffer> {
  let text = '';
  for (const line of all) {
    text += line;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function unreadable(path: string, error: unknown): unknown {
  const reason = codeOf(error);
  if (reason === undefined) return error;
  if (reason === 'ENOENT') return new FiscalError('input.not_found', { path });
  return new FiscalError('input.unreadable', { path, reason });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
