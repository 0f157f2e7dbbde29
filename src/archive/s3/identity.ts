import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Bucket } from './bucket.js';
import { isConflict } from './faults.js';
import { WORK_FOLDER } from './lock.js';
import { hashesOf } from './place.js';

/** Tells archives apart that have the same address at two servers or in two accounts. */
const PATH = `${WORK_FOLDER}/archive`;
const MOST_BYTES = 200;

/** `undefined`: nothing was written to this archive yet. Error: `archive.bad_answer` for an object with anything else. */
export async function readIdentity(bucket: Bucket): Promise<string | undefined> {
  const pieces = await bucket.get(PATH);
  if (pieces === undefined) return undefined;
  let text = '';
  for await (const piece of pieces) {
    text += Buffer.from(piece).toString('latin1');
    if (text.length > MOST_BYTES) break;
  }
  const [, id] = /^([\w-]{1,64})\n$/.exec(text) ?? [];
  if (id === undefined) throw new FiscalError('archive.bad_answer', { path: bucket.nameOf(PATH), reason: notAnId });
  return id;
}

/** The identity of the archive, which is this one if it has none: the first of several runners gives it. */
export async function takeIdentity(bucket: Bucket, proposed: string): Promise<string> {
  const known = await readIdentity(bucket);
  if (known !== undefined) return known;
  const bytes = Buffer.from(`${proposed}\n`);
  const hashes = hashesOf(bytes, !bucket.knowsSha256);
  try {
    await bucket.put(PATH, { source: { bytes }, hashes, condition: { absent: true } });
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  // Also after a write whose answer was lost: what stands there counts.
  return (await readIdentity(bucket)) ?? proposed;
}

const notAnId: Text = {
  en: 'the object with the identity of the archive has other bytes than this program writes',
  pt: 'o objeto com a identidade da pasta de documentos tem bytes que este programa não grava',
};
