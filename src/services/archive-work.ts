import type { ObjectLock } from '../archive/s3/s3-storage.js';
import type { ArchiveStorage, ArchiveWork, Liveness, WorkOwner } from '../archive/storage.js';
import type { Text } from '../contract/text.js';
import { counted } from '../domain/counted.js';
import { isProvenDead, type Lease, type Machine, removeDeadWorkers, takeLease, thisMachine } from '../jobs/lease.js';
import { openArchive } from './archive.js';
import type { Context } from './context.js';

export interface ArchiveTools {
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly lease: Lease;
}

interface Wanted {
  /** As `archiveFolder` gives it. */
  readonly archive: string;
  /** The name in the message of a lost lease. */
  readonly name: string;
  /** Also writes and reads behind folders of the archive that are symbolic links. */
  readonly followLinks: boolean;
  readonly objectLock?: ObjectLock | undefined;
  /** How long a lock of another process is waited for; only `close` takes one. */
  readonly lockWaitMs?: number;
}

/**
 * Calls `use` with a writer of the archive, under the lease of this process and with its own work folder. Partial files of dead
 * processes are removed first; those of living processes stay, also of another store or machine.
 * Errors: `store.*`, those of `use`.
 */
export async function withArchive<Result>(
  context: Context,
  { archive, name, followLinks, objectLock, lockWaitMs = 0 }: Wanted,
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
    const storage = await openArchive(context, archive, { followLinks, objectLock });
    const work = await storage.openWork({ workerId, owner, livenessOf, lockWaitMs, clock: context.clock });
    try {
      return await use({ storage, work, lease });
    } finally {
      context.progress.stop();
      await work.end();
      if (work.displaced.length > 0) await context.notice(displacedNotice(work.displaced));
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

function displacedNotice(paths: readonly string[]): Text {
  const [first = ''] = paths;
  return counted(paths.length, {
    en: [
      `# object of the archive had other bytes than this machine knew, and is kept as ${first}`,
      `# objects of the archive had other bytes than this machine knew, and are kept in set-aside/, the first as ${first}`,
    ],
    pt: [
      `# objeto da pasta de documentos tinha bytes que esta máquina não conhecia e foi mantido em ${first}`,
      `# objetos da pasta de documentos tinham bytes que esta máquina não conhecia e foram mantidos em set-aside/, o primeiro em ${first}`,
    ],
  });
}
