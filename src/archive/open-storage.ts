import { join } from 'node:path';
import type { Clock, Environment } from '../domain/world.js';
import { folderStorage } from './folder/folder-storage.js';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isBucketAddress, readBucketAddress, withoutIdentity } from './location.js';
import type { Connections } from './s3/bucket.js';
import type { ObjectLock } from './s3/s3-storage.js';
import type { ArchiveStorage } from './storage.js';

export interface StorageOptions {
  readonly followLinks: boolean;
  readonly objectLock?: ObjectLock | undefined;
  readonly env: Environment;
  /** The folder of the state: what waits for an object store is there. */
  readonly state: string;
  readonly patienceMs: number;
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly unit: () => number;
  /** The connections to a bucket, with the proxy and the authorities of the run. */
  readonly connections: () => Promise<Connections>;
}

/**
 * The storage of an archive. @param location As `archiveLocation` gives it, or as a row of the store names it: then another archive
 * at the same address is refused. Error: `archive.unusable`.
 */
export async function openStorage(location: string, options: StorageOptions): Promise<ArchiveStorage> {
  if (!isBucketAddress(location)) return folderStorage(location, options.followLinks);
  const { s3Storage } = await import('./s3/s3-storage.js');
  const path = withoutIdentity(location);
  const { state, objectLock } = options;
  const spool = join(state, 'spool');
  const connections = await options.connections();
  const storage = s3Storage({ ...options, connections, address: readBucketAddress(path), objectLock, spool });
  if (path !== location && (await storage.identity()) !== location)
    throw new FiscalError('archive.unusable', { path, reason: another }, { sent: 'no' });
  return storage;
}

const another: Text = {
  en: 'it is not the archive of this address that has the documents of the store (is AWS_ENDPOINT_URL another server, or the login of another account?); a sync that names it with --archive fetches them into this one',
  pt: 'não é a pasta deste endereço que tem os documentos do banco do estado (AWS_ENDPOINT_URL é de outro servidor, ou o acesso é de outra conta?); uma sincronização que a indica com --archive os baixa para esta',
};
