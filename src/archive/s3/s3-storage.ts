import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Text } from '../../contract/text.js';
import { isInsidePath } from '../../domain/inside-path.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { openWorkFolder, workPath } from '../folder/work-folder.js';
import { createIntake } from '../intake.js';
import { withIdentity } from '../location.js';
import { kindByRoot } from '../root-element.js';
import type { ArchiveStorage, ArchiveWork, ArchiveWorker, Digest, ListedFile } from '../storage.js';
import { Bucket, type BucketOptions, type Condition, type Retention } from './bucket.js';
import { isConflict, isNotImplemented, isUnmet } from './faults.js';
import { readIdentity, takeIdentity } from './identity.js';
import { type Lock, takeLock, WORK_FOLDER } from './lock.js';
import { fetched, hashesOf, place } from './place.js';
import { createBucketWriter } from './s3-writer.js';

const PATH = `${WORK_FOLDER}/probe`;
const OTHER_TAG = '0123456789abcdef0123456789abcdef';
const bytes = Buffer.from('This object shows whether the server keeps the conditions of a write\n');

/**
 * Looks whether the server keeps conditions, and which hashes it knows: four requests with one small object, which stays, and one more where it is new. Without
 * conditions two runners could overwrite each other's files. Error: `archive.unusable`.
 */
async function probe(bucket: Bucket): Promise<void> {
  // The first write of all makes the object; from then on it is refused.
  if ((await holds(bucket, { absent: true })) && (await holds(bucket, { absent: true }))) throw unconditional(bucket);
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

export interface S3Options extends BucketOptions {
  /** The folder on the disk where drafts wait for their request. */
  readonly spool: string;
  readonly objectLock: ObjectLock | undefined;
}

/** Until when the server refuses to change and to delete what is written: counted from the write, by its clock. */
export interface ObjectLock {
  readonly mode: Retention['mode'];
  until(servedAt: number): Date;
}

/** An archive in a bucket of an object store. */
export function s3Storage(options: S3Options): ArchiveStorage {
  const bucket = new Bucket(options);
  const nameOf = (path: string): string => bucket.nameOf(path);
  let id: string | undefined;
  return {
    location: bucket.location,
    identity: async () => {
      id ??= await readIdentity(bucket);
      return withIdentity(bucket.location, id);
    },
    followsLinks: false,
    nameOf,
    digest: (path) => digestOf(bucket, path),
    exists: async (path) => (await bucket.head(path)) !== undefined,
    read: (path) => read(bucket, path),
    filesIn: (folder) => filesIn(bucket, folder),
    files: () => allFiles(bucket),
    find: async (folder, name) => ({ paths: await find(bucket, folder, name), links: [] }),
    // A bucket has none.
    linkOnTheWay: () => Promise.resolve(undefined),
    refuseLink: () => Promise.resolve(),
    openWork: async (worker) => {
      await probe(bucket);
      id = await takeIdentity(bucket, worker.workerId);
      return await openWork(bucket, worker, options);
    },
  };
}

/** Enough for the declaration and comments before the root element. */
const HEAD = 64 * 1024;

async function digestOf(bucket: Bucket, path: string): Promise<Digest | undefined> {
  const pieces = await bucket.get(path);
  if (pieces === undefined) return undefined;
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (head.length < HEAD) head = Buffer.concat([head, piece.subarray(0, HEAD - head.length)]);
    hash.update(piece);
    bytes += piece.length;
  }
  const xmlKind = kindByRoot(head);
  return { sha256: hash.digest('hex'), bytes, ...(xmlKind && { xmlKind }) };
}

async function* read(bucket: Bucket, path: string): AsyncGenerator<Uint8Array> {
  const pieces = await bucket.get(path);
  if (pieces === undefined) throw new FiscalError('input.not_found', { path: bucket.nameOf(path) });
  yield* pieces;
}

async function filesIn(bucket: Bucket, folder: string): Promise<readonly string[]> {
  const begin = folder === '.' ? '' : `${folder}/`;
  const names: string[] = [];
  for await (const path of bucket.list(begin, { flat: true })) {
    // Some programs make an object for the folder itself.
    if (path !== begin) names.push(path.slice(begin.length));
  }
  return names.sort();
}

async function* allFiles(bucket: Bucket): AsyncGenerator<ListedFile> {
  for await (const path of bucket.list('', { flat: false })) {
    // Some programs make an object for a folder.
    if (path.startsWith(`${WORK_FOLDER}/`) || path.endsWith('/') || path === '') continue;
    yield isInsidePath(path) && path !== WORK_FOLDER ? { path } : { path, problem: 'name' };
  }
}

async function find(bucket: Bucket, folder: string, name: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of bucket.list(`${folder}/`, { flat: false }))
    if (posix.basename(path) === name && isInsidePath(path)) paths.push(path);
  return paths.sort();
}

async function openWork(bucket: Bucket, worker: ArchiveWorker, options: S3Options): Promise<ArchiveWork> {
  const { spool, objectLock } = options;
  const folder = await openWorkFolder({ ...worker, archive: spool });
  const retention = objectLock && retentionOf(bucket, objectLock);
  const held = new Set<Lock>();
  const displaced: string[] = [];
  const onSetAside = (path: string): void => void displaced.push(path);
  const own = workPath(spool, worker.workerId);
  let moved = 0;
  const writer = createBucketWriter({
    bucket,
    spool: own,
    retention,
    confirm: async () => {
      for (const lock of held) await lock.confirm();
    },
    onSetAside,
  });
  const intake = createIntake(writer);
  return {
    ...writer,
    intake,
    displaced,
    setAside: async (path, to) => {
      moved += 1;
      await setAside(bucket, { path, to, retention, onSetAside, spool: join(own, `${moved}.moved`) });
    },
    exclusively: async (name, use) => {
      const lock = await takeLock(bucket, name, worker);
      held.add(lock);
      try {
        return await use();
      } finally {
        held.delete(lock);
        await lock.release();
      }
    },
    end: async () => {
      await folder.end();
      bucket.close();
    },
  };
}

/** Error: `archive.bad_answer` for a server that does not say what time it is. */
function retentionOf({ servedAt, location }: Bucket, { mode, until }: ObjectLock): Retention {
  if (Number.isNaN(servedAt)) throw new FiscalError('archive.bad_answer', { path: location, reason: noDate });
  return { mode, until: until(servedAt) };
}

const noDate: Text = {
  en: 'without Date, the end of the retention is unknown',
  pt: 'sem Date, não se sabe o fim da retenção',
};

interface Move {
  readonly path: string;
  readonly to: string;
  readonly spool: string;
  readonly retention: Retention | undefined;
  readonly onSetAside: (path: string) => void;
}

/** What another process has written there meanwhile stays. */
async function setAside(bucket: Bucket, { path, to, ...how }: Move): Promise<void> {
  const tag = (await bucket.head(path))?.tag;
  const hashes = tag === undefined ? undefined : await fetched(bucket, { path, spool: how.spool }, tag);
  if (tag === undefined || hashes === undefined) return;
  const source = { file: how.spool };
  await place(bucket, { ...how, path: to, source, hashes, replaces: undefined, spool: `${how.spool}.aside` });
  await rm(how.spool, { force: true });
  try {
    await bucket.remove(path, tag);
  } catch (error) {
    if (!isUnmet(error)) throw error;
  }
}
