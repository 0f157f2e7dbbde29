import { join, resolve } from 'node:path';
import { safeName } from '../../archive/layout.js';
import { openStorage } from '../../archive/open-storage.js';
import type { ArchiveStorage, ArchiveWork, Liveness, WorkOwner } from '../../archive/storage.js';
import {
  isProvenDead,
  type Lease,
  type Machine,
  removeDeadWorkers,
  takeLease,
  thisMachine,
} from '../../jobs/lease.js';
import type { Context } from '../../services/context.js';

/** The folder of the archive: the named one, else that of the profile, else that of the last sync, else one under the data folder. */
export async function archiveFolder(context: Context, named: string | undefined): Promise<string> {
  if (named !== undefined) return resolve(context.cwd, named);
  const { storeNamespace, archive } = await context.settings();
  if (archive !== undefined) return resolve(context.cwd, archive);
  const { documents } = await context.store();
  const [row] = await documents.list({ profile: storeNamespace, states: ['archived'], limit: 1 });
  return row?.archive ?? join(context.directories.data, 'archive', safeName(storeNamespace));
}

export interface ArchiveTools {
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly lease: Lease;
}

interface Wanted {
  /** The folder, absolute. */
  readonly archive: string;
  /** The name in the message of a lost lease. */
  readonly name: string;
  /** Also writes and reads behind folders of the archive that are symbolic links. */
  readonly followLinks: boolean;
}

/**
 * Calls `use` with a writer of the archive, under the lease of this process and with its own work folder. Partial files of dead
 * processes are removed first; those of living processes stay, also of another store or machine.
 * Errors: `store.*`, those of `use`.
 */
export async function withArchive<Result>(
  context: Context,
  { archive, name, followLinks }: Wanted,
  use: (tools: ArchiveTools) => Promise<Result>,
): Promise<Result> {
  const { program, random } = context;
  const store = await context.store();
  const machine = thisMachine(program.pid);
  await removeDeadWorkers(store, machine);
  const workerId = random.uuid();
  const lease = await takeLease({ store, machine, workerId, jobId: name });
  try {
    const owner = { machine: machine.id, pid: machine.pid, processStart: machine.processStart(machine.pid) };
    const livenessOf = (other: WorkOwner) => judge(other, machine);
    const storage = await openStorage(archive, { followLinks });
    const work = await storage.openWork({ workerId, owner, livenessOf });
    try {
      return await use({ storage, work, lease });
    } finally {
      context.progress.stop();
      await work.end();
    }
  } finally {
    await lease.end();
  }
}

/** Only processes of this machine are visible; without its start time, a process id may belong to another process. */
function judge(owner: WorkOwner, machine: Machine): Liveness {
  if (owner.machine !== machine.id) return 'unknown';
  if (isProvenDead({ ...owner, id: '', expiresAt: 0 }, machine)) return 'dead';
  return owner.processStart === '' ? 'unknown' : 'alive';
}
