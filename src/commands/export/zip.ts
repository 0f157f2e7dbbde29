import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { syncFolder } from '../../archive/folder/write.js';
import { putInPlace, unwritable } from '../../io/output-file.js';

export interface ZipEntry {
  readonly name: string;
  /** Its beginning stands in the zip as it is. */
  readonly isStored?: boolean;
  /** Called when it is the turn of the entry. */
  open(): Promise<Readable>;
}

export interface WrittenZip {
  readonly sha256: string;
  readonly bytes: number;
}

/** A whole zip, synced, without its name. */
export interface ZipDraft extends WrittenZip {
  /** Gives it its name, in one step. */
  place(): Promise<void>;
  /** Removes it. Does nothing after `place`. */
  discard(): Promise<void>;
}

interface ZipRequest {
  /** Where the zip is to stand. */
  readonly path: string;
  readonly temporary: string;
  /** `2026-10`: the entries have the noon of its first day, which exists in every time zone. */
  readonly month: string;
  readonly entries: readonly ZipEntry[];
  readonly signal: AbortSignal;
}

const LEVEL = 6;

/**
 * Writes a zip under a temporary name, one entry after another, and syncs it. The bytes
 * follow from the entries alone. Errors: those of `open`, `store.unwritable`, `store.full`.
 */
export async function writeZip(request: ZipRequest): Promise<ZipDraft> {
  const { path, temporary, entries, signal } = request;
  const mtime = new Date(Number(request.month.slice(0, 4)), Number(request.month.slice(5)) - 1, 1, 12);
  const zip = new ZipFile();
  const output = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    output.abort();
  };
  zip.on('error', fail);
  for (const { name, isStored = false, open } of entries) {
    const options = { mtime, forceDosTimestamp: true, mode: 0o100644, compressionLevel: isStored ? 0 : LEVEL };
    zip.addReadStreamLazy(name, options, (give) => {
      open().then((stream) => give(undefined, stream.once('error', fail)), fail);
    });
  }
  zip.end();
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(pieces: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    for await (const given of pieces) {
      const piece = typeof given === 'string' ? Buffer.from(given) : given;
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  try {
    const file = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true });
    const either = AbortSignal.any([signal, output.signal]);
    await pipeline(zip.outputStream, counted, file, { signal: either });
  } catch (error) {
    await rm(temporary, { force: true });
    signal.throwIfAborted();
    throw failure === undefined ? unwritable(path, error) : failure.error;
  }
  return {
    ...{ sha256: hash.digest('hex'), bytes },
    place: () => place(temporary, path),
    discard: () => rm(temporary, { force: true }),
  };
}

async function place(temporary: string, path: string): Promise<void> {
  try {
    await putInPlace(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}
