import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { asidePath } from '../set-aside.js';
import type { Bucket, Condition, Hashes, Retention, Source, Standing } from './bucket.js';
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
  const found = await sha256Of(bucket, path, standing);
  if (found === hashes.sha256) return true;
  if (found === undefined) return false;
  if (found !== replaces) {
    const aside = asidePath(path, found);
    if (!(await isDone(bucket.copy(path, standing.tag, aside, placing.retention)))) return false;
    placing.onSetAside(aside);
  }
  return await wrote(bucket, placing, { tag: standing.tag });
}

const neverSettled: Text = {
  en: 'something stands there and cannot be read, or is another one at every look',
  pt: 'há algo ali que não pode ser lido, ou que é outro a cada consulta',
};

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
