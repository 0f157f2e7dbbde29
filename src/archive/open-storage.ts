import { join } from 'node:path';
import type { Environment } from '../domain/world.js';
import { folderStorage } from './folder/folder-storage.js';
import { isBucketAddress, readBucketAddress } from './location.js';
import type { ObjectLock } from './s3/s3-storage.js';
import type { ArchiveStorage } from './storage.js';

export interface StorageOptions {
  readonly followLinks: boolean;
  readonly objectLock?: ObjectLock | undefined;
  readonly env: Environment;
  /** The folder of the state: what waits for an object store is there. */
  readonly state: string;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly unit: () => number;
}

/** The storage of an archive. @param location As `archiveLocation` gives it. */
export async function openStorage(location: string, options: StorageOptions): Promise<ArchiveStorage> {
  if (!isBucketAddress(location)) return folderStorage(location, options.followLinks);
  const { s3Storage } = await import('./s3/s3-storage.js');
  const { env, state, patienceMs, signal, unit, objectLock } = options;
  const address = readBucketAddress(location);
  return s3Storage({ address, env, patienceMs, signal, unit, objectLock, spool: join(state, 'spool') });
}
