import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FiscalError } from '../errors/fiscal-error.js';
import { fileErrorCode } from './digest.js';
import { parseManifestLine, type ManifestEntry } from './manifest.js';
import type { ArchiveWriter, Draft } from './write.js';

const PIECE = 64 * 1024;

/** Lines before they get their name. The caller places or discards them. Errors: `store.unwritable`, `store.full`. */
export async function draftLines(
  writer: ArchiveWriter,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<Draft> {
  const file = writer.draft();
  try {
    await file.restart();
    for await (const piece of pieces(lines)) await file.write(piece);
    return file;
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

async function* pieces(all: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const line of all) {
    text += line;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function unreadable(path: string, error: unknown): unknown {
  const reason = fileErrorCode(error);
  if (reason === undefined) return error;
  if (reason === 'ENOENT') return new FiscalError('input.not_found', { path });
  return new FiscalError('input.unreadable', { path, reason });
}
