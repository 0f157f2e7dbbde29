import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Text } from '../../contract/text.js';
import { beside } from './beside.js';
import { journalWasLost } from './identity.js';

/*
 * SQLite takes a damaged journal for one that ends there, without an error, and the rows behind that point are gone. How far the
 * journal reached is in its index (`-shm`), which a killed process leaves behind: https://sqlite.org/walformat.html
 */

/**
 * Why the newest rows of a store are lost; `undefined`: its journal is whole, or there is none. Call it before this process opens the
 * store: SQLite writes the index again, and closing one of its files ends the locks that the process has on it.
 */
export function lostJournal(path: string): Text | undefined {
  if (journalWasLost(path)) return isMissing;
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const index = readIndex(beside(path, '-shm'));
    const isWhole = reaches(beside(path, '-wal'), index);
    if (isWhole) return undefined;
    // Another process may have begun the journal again meanwhile.
    if (index?.bytes === readIndex(beside(path, '-shm'))?.bytes || triesLeft === 0) return isDamaged;
  }
}

const isMissing: Text = {
  en: 'the journal (state.db-wal) was removed, and the newest rows with it',
  pt: 'o diário (state.db-wal) foi removido, e com ele as linhas mais novas',
};
const isDamaged: Text = {
  en: 'the journal (state.db-wal) is damaged or cut off, and its newest rows cannot be read',
  pt: 'o diário (state.db-wal) está danificado ou cortado, e as linhas mais novas não podem ser lidas',
};

interface JournalIndex {
  /** To compare two readings. */
  readonly bytes: string;
  /** The number of frames up to the last commit. */
  readonly frames: number;
  readonly salt: string;
}

const INDEX_HEADER = 48;

/** `undefined`: there is no index, or a process is writing its header, of which there are two copies. */
function readIndex(path: string): JournalIndex | undefined {
  const content = Buffer.alloc(2 * INDEX_HEADER);
  const length = withFile(path, (file) => readSync(file, content, 0, content.length, 0));
  const header = content.subarray(0, INDEX_HEADER);
  const isInitialized = length === content.length && header[12] === 1;
  if (!isInitialized || !header.equals(content.subarray(INDEX_HEADER))) return undefined;
  const frames = isLittleEndian ? header.readUInt32LE(16) : header.readUInt32BE(16);
  return { bytes: header.toString('hex'), frames, salt: header.toString('hex', 32, 40) };
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const JOURNAL_HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
/** Read one by one, a thousand frames take several milliseconds of every start beside a process that has the store open. */
const FRAMES_AT_ONCE = 64;

/** Whether the journal has a sound header, and every frame up to the last commit that the index knows. */
function reaches(path: string, index: JournalIndex | undefined): boolean {
  return withFile(path, (file) => isWhole(file, index)) ?? true;
}

function isWhole(file: number, index: JournalIndex | undefined): boolean {
  if (fstatSync(file).size === 0) return (index?.frames ?? 0) === 0;
  const header = Buffer.alloc(JOURNAL_HEADER);
  if (readSync(file, header) < JOURNAL_HEADER || header.readUInt32BE(0) >>> 1 !== MAGIC >>> 1) return false;
  const sum = new Checksum(header.readUInt32BE(0) === MAGIC);
  sum.add(header.subarray(0, 24));
  if (!sum.equals(header.subarray(24))) return false;
  if (index === undefined || index.frames === 0) return true;
  if (header.toString('hex', 16, 24) !== index.salt) return false;
  const frameBytes = FRAME_HEADER + header.readUInt32BE(8);
  const frames = Buffer.allocUnsafe(frameBytes * Math.min(index.frames, FRAMES_AT_ONCE));
  for (let left = index.frames; left > 0; left -= FRAMES_AT_ONCE) {
    const bytes = frameBytes * Math.min(left, FRAMES_AT_ONCE);
    if (readSync(file, frames, 0, bytes, null) < bytes) return false;
    for (let at = 0; at < bytes; at += frameBytes) {
      sum.add(frames.subarray(at, at + 8));
      sum.add(frames.subarray(at + FRAME_HEADER, at + frameBytes));
      if (!sum.equals(frames.subarray(at + 16))) return false;
    }
  }
  return true;
}

/** `undefined`: the file does not exist. Other errors are those of the file system. */
function withFile<Result>(path: string, use: (file: number) => Result): Result | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** The running checksum of a journal. */
class Checksum {
  private one = 0;
  private two = 0;

  constructor(private readonly isLittle: boolean) {}

  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; at += 8) {
      this.one = (this.one + view.getUint32(at, this.isLittle) + this.two) | 0;
      this.two = (this.two + view.getUint32(at + 4, this.isLittle) + this.one) | 0;
    }
  }

  /** The first eight bytes hold a checksum. */
  equals(stored: Buffer): boolean {
    return stored.readInt32BE(0) === this.one && stored.readInt32BE(4) === this.two;
  }
}
