import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { archiveFailure } from '../folder/work-folder.js';
import { asidePath } from '../set-aside.js';
import type { Bucket, Condition, Hashes, Retention, Source } from './bucket.js';
import { isUnmet } from './faults.js';

/** Looks at an object that another one writes, or seems to, at the same time. */
const MOST_ROUNDS = 20;
const REST_MS = 50;

export interface Placing {
  readonly path: string;
  readonly source: Source;
  readonly hashes: Hashes;
  /** The SHA-256 of what this replaces knowingly. Other bytes are set aside before. */
  readonly replaces: string | undefined;
  readonly retention: Retention | undefined;
  /** A file on the disk for bytes that are set aside. */
  readonly spool: string;
  /** Called with the path of bytes that were set aside. */
  readonly onSetAside: (path: string) => void;
}

/**
 * Writes an object so that no bytes of anybody are lost: a new one only where none stands, another one only in the place of what
 * was seen there, of which a copy is set aside unless it was expected. The same bytes stay as they are.
 */
export async function place(bucket: Bucket, placing: Placing): Promise<void> {
  const { path } = placing;
  if (await wrote(bucket, placing, { absent: true })) return;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (await settled(bucket, placing)) return;
    await bucket.rest(REST_MS);
  }
  throw new FiscalError('archive.bad_answer', { path: bucket.nameOf(path), reason: neverSettled });
}

/** Whether the bytes stand there after one look and one write. */
async function settled(bucket: Bucket, placing: Placing): Promise<boolean> {
  const { path, hashes, replaces } = placing;
  const standing = await bucket.head(path);
  if (standing === undefined) return await wrote(bucket, placing, { absent: true });
  if (standing.sha256 === hashes.sha256) return true;
  if (standing.sha256 === undefined || standing.sha256 !== replaces) {
    const copy = await fetched(bucket, placing, standing.tag);
    if (copy === undefined) return false;
    if (copy.sha256 === hashes.sha256) return true;
    if (copy.sha256 !== replaces) await setCopyAside(bucket, placing, copy);
    await rm(placing.spool, { force: true });
  }
  return await wrote(bucket, placing, { tag: standing.tag });
}

/**
 * Reads what stands there and writes it again under another name: a server need not keep the conditions of a copy of its own, and
 * would give the name of one version to the bytes of another.
 */
async function setCopyAside(bucket: Bucket, placing: Placing, hashes: Hashes): Promise<void> {
  const { spool, onSetAside } = placing;
  const path = asidePath(placing.path, hashes.sha256);
  const aside = { ...placing, path, source: { file: spool }, hashes, replaces: undefined };
  await place(bucket, { ...aside, spool: `${spool}.aside` });
  onSetAside(path);
}

/** Reads an object into the spool. `undefined`: it is gone, or another one. */
export async function fetched(
  bucket: Bucket,
  { path, spool }: Pick<Placing, 'path' | 'spool'>,
  tag: string,
): Promise<Hashes | undefined> {
  const pieces = await bucket.get(path, tag);
  if (pieces === undefined) return undefined;
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let bytes = 0;
  try {
    const file = await open(spool, 'w', 0o600);
    try {
      for await (const piece of pieces) {
        await file.writeFile(piece);
        sha256.update(piece);
        md5.update(piece);
        bytes += piece.length;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw archiveFailure(spool, error);
  }
  return { bytes, sha256: sha256.digest('hex'), md5: md5.digest('base64') };
}

const neverSettled: Text = {
  en: 'something stands there and cannot be read, or is another one at every look',
  pt: 'há algo ali que não pode ser lido, ou que é outro a cada consulta',
};

async function wrote(bucket: Bucket, placing: Placing, condition: Condition): Promise<boolean> {
  const { path, source, hashes, retention } = placing;
  try {
    await bucket.put(path, { source, hashes, retention, condition });
    return true;
  } catch (error) {
    if (isUnmet(error)) return false;
    throw error;
  }
}

export function hashesOf(bytes: Uint8Array, withMd5: boolean): Hashes {
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(withMd5 && { md5: createHash('md5').update(bytes).digest('base64') }),
  };
}

export async function md5OfFile(path: string): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('base64');
}
