import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { safeName } from '../archive/layout.js';
import { archiveLocation } from '../archive/location.js';
import { openStorage } from '../archive/open-storage.js';
import type { ObjectLock } from '../archive/s3/s3-storage.js';
import type { ArchiveStorage } from '../archive/storage.js';
import type { Context } from './context.js';
import { issuedNamespaces } from './issued/book.js';

/**
 * Where the archive is: the named folder or bucket, else that of the profile, else that of the last sync, else one under the data
 * folder. That of the last sync has its identity, so that another archive at the same address is refused.
 */
export async function archiveFolder(context: Context, named: string | undefined): Promise<string> {
  if (named !== undefined) return archiveLocation(context.cwd, named);
  const { storeNamespace, archive } = await context.settings();
  if (archive !== undefined) return archiveLocation(context.cwd, archive);
  const { documents } = await context.store();
  for (const profile of [storeNamespace, ...issuedNamespaces(storeNamespace)]) {
    const [row] = await documents.list({ profile, states: ['archived'], limit: 1 });
    if (row?.archive !== undefined) return row.archive;
  }
  return join(context.directories.data, 'archive', safeName(storeNamespace));
}

interface ArchiveOptions {
  /** Also reads and writes behind folders that are symbolic links. */
  readonly followLinks?: boolean;
  readonly objectLock?: ObjectLock | undefined;
}

/** The archive at this location, for the environment and the patience of the run. */
export async function openArchive(
  context: Context,
  location: string,
  { followLinks = false, objectLock }: ArchiveOptions = {},
): Promise<ArchiveStorage> {
  const { clock, env, directories, random, interruption } = context;
  const signal = AbortSignal.any([interruption]);
  // Every request listens to it.
  setMaxListeners(0, signal);
  const settings = await context.settings();
  const { maxRetryWaitMs: patienceMs, connectTimeoutMs, readTimeoutMs } = settings;
  const connections = async () => {
    const { createAgents } = await import('../client/agents.js');
    return await createAgents(settings, env);
  };
  const times = { patienceMs, connectTimeoutMs, readTimeoutMs };
  const run = { clock, env, state: directories.state, signal, ...times, connections, unit: () => random.unit() };
  return await openStorage(location, { ...run, followLinks, objectLock });
}
