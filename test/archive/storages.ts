import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env } from 'node:process';
import { onTestFinished } from 'vitest';
import { createAgents } from '../../src/client/agents.js';
import { openStorage, type StorageOptions } from '../../src/archive/open-storage.js';
import type { ArchiveStorage, ArchiveWork, WorkOwner } from '../../src/archive/storage.js';
import { BUCKET, S3Server, type S3ServerOptions } from '../support/s3-server.js';
import { realClock } from '../support/clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A new archive of each kind: the contract is the same. `TEST_S3_URL` names a server of another make, `TEST_S3_BUCKET` its bucket. */
export const storages: Readonly<Record<string, () => Promise<ArchiveStorage>>> = {
  folder: () => openStorage(join(temporaryFolder(), 'archive'), optionsWith({})),
  s3: () => s3Storage(),
};

/** In a new server of this kind, or under a new prefix of that of `TEST_S3_URL`. */
export async function s3Storage(kind: S3ServerOptions = {}): Promise<ArchiveStorage> {
  if (env['TEST_S3_URL'] === undefined) return await bucketStorage(await s3Server(kind));
  const options = optionsWith({ ...env, AWS_ENDPOINT_URL: env['TEST_S3_URL'] });
  return await openStorage(`s3://${env['TEST_S3_BUCKET'] ?? BUCKET}/${randomUUID()}`, options);
}

export async function s3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = await S3Server.start(options);
  onTestFinished(() => server.stop());
  return server;
}

export async function bucketStorage(server: S3Server, options: Partial<StorageOptions> = {}): Promise<ArchiveStorage> {
  return await openStorage(`s3://${BUCKET}/a`, { ...optionsWith(server.env), ...options });
}

export function optionsWith(environment: StorageOptions['env']): StorageOptions {
  const { signal } = new AbortController();
  const run = { state: temporaryFolder(), patienceMs: 1_000, signal, clock: realClock, unit: () => 0 };
  const times = { connectTimeoutMs: 5_000, readTimeoutMs: 30_000 };
  const connections = () => createAgents({ caCert: undefined, proxy: undefined }, {});
  return { env: environment, followLinks: false, ...run, ...times, connections };
}

/** Of this machine the odd numbers are alive; of others nothing is known. */
const livenessOf = ({ machine, pid }: WorkOwner) => {
  if (machine !== 'here') return 'unknown';
  return pid % 2 === 1 ? 'alive' : 'dead';
};

export async function openWork(
  storage: ArchiveStorage,
  workerId = 'worker',
  pid = 1,
  lockWaitMs = 60_000,
): Promise<ArchiveWork> {
  const owner = { machine: 'here', pid, processStart: '9' };
  const work = await storage.openWork({ workerId, owner, livenessOf, lockWaitMs, clock: realClock });
  onTestFinished(() => work.end());
  return work;
}

export async function textOf(storage: ArchiveStorage, path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of storage.read(path)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
