import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

/*
 * What V8 compiled of the program's files in earlier runs, kept where the user's caches are, for the same V8 and the same build.
 * Every failure costs time only: what is absent, foreign, cut or changed is compiled again.
 */

/*
 * The file: the length of the index (u32, little endian), the index as JSON, the code of each file; then all that once more, since
 * V8 does not check the bytes of its code, and ends where they are wrong. To compare is cheaper than any checksum: that of zlib
 * costs a short run two milliseconds for loading it.
 */
const HEAD_BYTES = 4;
const MOST_INDEX_BYTES = 64 * 1024;
/** The code of all files of the program takes about half as much, twice. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of other versions of Node and other builds; the oldest goes first. */
const MOST_FILES = 4;

/** Where the code of one file of the program stands: from the end of the index on, and its length. */
type Place = readonly [offset: number, bytes: number];

/** Code of earlier runs; empty where there is none that can be used. */
export class CompiledCode {
  readonly #path: string;
  readonly #places = new Map<string, Place>();
  #descriptor: number | undefined;
  #half = 0;
  #begin = 0;

  /**
   * @param folder Where the code is kept.
   * @param build The build of the program that it belongs to.
   */
  constructor(
    private readonly folder: string,
    build: string,
  ) {
    this.#path = join(folder, `${process.versions.v8}-${process.arch}-${build}.code`);
    this.#open();
  }

  /** The code of this file of the program, as it was written. */
  of(name: string): Buffer | undefined {
    const [offset, bytes] = this.#places.get(name) ?? [0, 0];
    return this.#read(this.#begin + offset, bytes);
  }

  #open(): void {
    try {
      const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
      this.#descriptor = openSync(this.#path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      const stat = fstatSync(this.#descriptor);
      const uid = process.getuid?.();
      // On Windows the folder is the user's own.
      const isOwn = uid === undefined || (stat.uid === uid && (stat.mode & 0o022) === 0);
      if (!stat.isFile() || !isOwn || stat.size > MOST_BYTES) return;
      this.#half = stat.size / 2;
      const indexBytes = this.#read(0, HEAD_BYTES)?.readUInt32LE() ?? 0;
      const index = indexBytes > MOST_INDEX_BYTES ? undefined : this.#read(HEAD_BYTES, indexBytes);
      if (index === undefined) return;
      this.#begin = HEAD_BYTES + indexBytes;
      for (const [name, place] of JSON.parse(index.toString()) as [string, Place][]) this.#places.set(name, place);
    } catch {
      // There is none.
    }
  }

  /** These bytes, where the file has all of them, twice. */
  #read(position: number, length: number): Buffer | undefined {
    if (this.#descriptor === undefined || length <= 0 || position + length > this.#half) return undefined;
    try {
      const [one, other] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
      readSync(this.#descriptor, one, 0, length, position);
      readSync(this.#descriptor, other, 0, length, this.#half + position);
      return one.equals(other) ? one : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps what `made` says of each file, beside what stood here of others. */
  write(made: ReadonlyMap<string, () => Buffer>): void {
    try {
      const parts = [...made].map(([name, code]) => [name, code()] as const);
      for (const name of this.#places.keys()) {
        const kept = made.has(name) ? undefined : this.of(name);
        if (kept !== undefined) parts.push([name, kept]);
      }
      const half = packed(parts);
      const bytes = Buffer.concat([...half, ...half]);
      if (bytes.length > MOST_BYTES) return;
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      makeFolder(this.folder);
      const temporary = `${this.#path}.${process.pid}`;
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.#path);
      this.#removeOldest();
    } catch {
      // A full disk or a folder that may not be written: the next run compiles again.
    }
  }

  #removeOldest(): void {
    const paths = readdirSync(this.folder).map((name) => join(this.folder, name));
    const times = paths.map((path) => ({ path, time: statSync(path).mtimeMs }));
    times.sort((one, other) => other.time - one.time);
    for (const { path } of times.slice(MOST_FILES)) rmSync(path, { force: true });
  }
}

function packed(parts: readonly (readonly [name: string, code: Buffer])[]): readonly Buffer[] {
  let offset = 0;
  const places = parts.map(([name, code]): [string, Place] => {
    const place: Place = [offset, code.length];
    offset += code.length;
    return [name, place];
  });
  const index = Buffer.from(JSON.stringify(places));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(index.length);
  return [head, index, ...parts.map(([, code]) => code)];
}
