import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Bucket, Condition } from './bucket.js';
import { isConflict, isNotImplemented } from './faults.js';
import { WORK_FOLDER } from './lock.js';
import { hashesOf } from './place.js';

const PATH = `${WORK_FOLDER}/probe`;
const OTHER_TAG = '0123456789abcdef0123456789abcdef';
const bytes = Buffer.from('This object shows whether the server keeps the conditions of a write\n');

/**
 * Looks whether the server keeps conditions, and which hashes it knows: four requests with one small object, which stays, and one more where it is new. Without
 * conditions two runners could overwrite each other's files. Error: `archive.unusable`.
 */
export async function probe(bucket: Bucket): Promise<void> {
  // The first write of all makes the object; from then on it is refused.
  if ((await holds(bucket, { absent: true })) && (await holds(bucket, { absent: true })))
    throw unconditional(bucket);
  if (await holds(bucket, { tag: `"${OTHER_TAG}"` })) throw unconditional(bucket);
  bucket.comparesBareTags = !(await holds(bucket, { tag: OTHER_TAG }));
  bucket.knowsSha256 = (await bucket.head(PATH))?.sha256 !== undefined;
}

/** Whether the server wrote the object. */
async function holds(bucket: Bucket, condition: Condition): Promise<boolean> {
  try {
    await bucket.put(PATH, { source: { bytes }, hashes: hashesOf(bytes, true), condition });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    if (isNotImplemented(error)) throw unconditional(bucket);
    throw error;
  }
}

function unconditional({ location }: Bucket): FiscalError {
  return new FiscalError('archive.unusable', { path: location, reason: noConditions }, { sent: 'no' });
}

const noConditions: Text = {
  en: 'the server does not keep If-None-Match and If-Match on writes, without which two runners could overwrite each other',
  pt: 'o servidor não respeita If-None-Match e If-Match nas gravações, e sem isso duas execuções poderiam sobrescrever uma à outra',
};
