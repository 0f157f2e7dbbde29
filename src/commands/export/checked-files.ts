import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ArchiveStorage, notFollowed } from '../../archive/storage.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileFault, isALink } from '../../io/input-file.js';
import { mapConcurrent } from '../../jobs/concurrency.js';

/** A file with what it must be. */
export interface ExpectedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `changed`: it has other bytes · `missing`: it does not exist · `unreadable` · `link`: it is behind a symbolic link, or is one. */
export type DifferenceKind = 'changed' | 'missing' | 'unreadable' | 'link';

/** A file of the archive that is not what it must be. */
export class FileDifference extends Error {
  constructor(
    readonly kind: DifferenceKind,
    readonly path: string,
    readonly facts: Readonly<Record<string, string>> = {},
  ) {
    super(`${kind}: ${path}`);
  }
}

/** The bytes of a file. Throws `FileDifference` before its end is given, when it is not the expected one. */
export async function* checkedBytes(
  storage: ArchiveStorage,
  { path, sha256, bytes }: ExpectedFile,
): AsyncGenerator<Uint8Array> {
  if ((await storage.linkOnTheWay(path)) !== undefined)
    throw new FileDifference('link', path, { reason: notFollowed });
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const piece of storage.read(path)) {
      hash.update(piece);
      read += piece.length;
      if (read > bytes) break;
      yield piece;
    }
  } catch (error) {
    throw differenceOf(path, error) ?? error;
  }
  const found = hash.digest('hex');
  if (read > bytes) throw new FileDifference('changed', path, { expected: sha256 });
  if (found !== sha256) throw new FileDifference('changed', path, { expected: sha256, found });
}

function differenceOf(path: string, error: unknown): FileDifference | undefined {
  if (!(error instanceof FiscalError)) return undefined;
  if (error.code === 'input.not_found') return new FileDifference('missing', path);
  if (error.code !== 'input.unreadable') return undefined;
  const fault = fileFault(error.facts.cause) ?? '';
  const reason = typeof fault === 'string' ? fault : fault.en;
  return new FileDifference(fault === isALink ? 'link' : 'unreadable', path, { reason });
}

/** Files that are read at the same time, so that a bucket answers several requests at once. */
const AT_ONCE = 8;
/** Larger files are read when it is their turn. */
const SMALL = 1024 * 1024;

/** Reads files in their order, the small ones ahead. */
export class CheckedFiles {
  readonly #ahead = new Map<number, Promise<Uint8Array>>();
  #next = 0;

  constructor(
    private readonly storage: ArchiveStorage,
    private readonly files: readonly ExpectedFile[],
  ) {}

  /** The bytes of the file at this place; each place once, in order. */
  async open(index: number): Promise<Readable> {
    for (; this.#next < Math.min(index + AT_ONCE, this.files.length); this.#next += 1)
      this.#begin(this.#next);
    const begun = this.#ahead.get(index);
    const file = this.files[index];
    if (file === undefined) throw new RangeError(`no file ${index}`);
    if (begun === undefined) return Readable.from(checkedBytes(this.storage, file), { objectMode: false });
    this.#ahead.delete(index);
    return Readable.from([await begun], { objectMode: false });
  }

  #begin(index: number): void {
    const file = this.files[index];
    if (file === undefined || file.bytes > SMALL) return;
    const read = wholeOf(checkedBytes(this.storage, file));
    // A failure is told when it is the file's turn.
    read.catch(() => undefined);
    this.#ahead.set(index, read);
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Reads every file again, and gives those that are not what they must be, by path. */
export async function differencesIn(
  storage: ArchiveStorage,
  files: readonly ExpectedFile[],
  signal: AbortSignal,
): Promise<readonly FileDifference[]> {
  const found = await mapConcurrent(files, AT_ONCE, async (file) => {
    signal.throwIfAborted();
    try {
      for await (const _piece of checkedBytes(storage, file));
      return undefined;
    } catch (error) {
      if (error instanceof FileDifference) return error;
      throw error;
    }
  });
  return found.filter((difference) => difference !== undefined);
}
