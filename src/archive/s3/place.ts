import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { asidePath } from '../set-aside.js';
import type { Bucket, Condition, Hashes, Retention, Source, Standing } from './bucket.js';
import { isUnmet } from './faults.js';

export interface Placing {
  readonly path: string;
  readonly source: Source;
  readonly hashes: Hashes;
  /** The SHA-256 of what this replaces knowingly. Other bytes are set aside before. */
  readonly replaces: string | undefined;
  readonly retention: Retention | undefined;
  /** Called with the path of bytes that were set aside. */
  readonly onSetAside: (path: string) => void;
}

/**
 * Writes an object so that no bytes of anybody are lost: a new one only where none stands, another one only in the place of what
 * was seen there, of which a copy is set aside unless it was expected. The same bytes stay as they are.
 */
export async function place(bucket: Bucket, placing: Placing): Promise<void> {
  const { path, hashes, replaces } = placing;
  if (await wrote(bucket, placing, { absent: true })) return;
  for (;;) {
    const standing = await bucket.head(path);
    if (standing === undefined) {
      if (await wrote(bucket, placing, { absent: true })) return;
      continue;
    }
    const found = await sha256Of(bucket, path, standing);
    if (found === hashes.sha256) return;
    if (found === undefined) continue;
    if (found !== replaces) {
      const aside = asidePath(path, found);
      if (!(await isDone(bucket.copy(path, standing.tag, aside, placing.retention)))) continue;
      placing.onSetAside(aside);
    }
    if (await wrote(bucket, placing, { tag: standing.tag })) return;
  }
}

async function wrote(bucket: Bucket, placing: Placing, condition: Condition): Promise<boolean> {
  const { path, source, hashes, retention } = placing;
  return await isDone(bucket.put(path, { source, hashes, retention, condition }));
}

async function isDone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isUnmet(error)) return false;
    throw error;
  }
}

/** From the server, else from the bytes. `undefined`: the object is gone. */
async function sha256Of(bucket: Bucket, path: string, { sha256 }: Standing): Promise<string | undefined> {
  if (sha256 !== undefined) return sha256;
  const bytes = await bucket.get(path);
  if (bytes === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
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
