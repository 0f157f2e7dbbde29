import { createHash } from 'node:crypto';
import { createIntake, type Intake } from '../../archive/intake.js';
import { createLongIntake } from '../../archive/intake-long.js';
import { createIntakeThread } from '../../archive/intake-thread.js';
import { createArchiveWriter, type ArchiveWriter } from '../../archive/write.js';
import { buryTheDead, takeLease, type Lease } from '../../jobs/lease.js';
import { thisMachine } from '../../jobs/machine.js';
import type { Context } from '../context.js';

export interface ArchiveTools {
  readonly writer: ArchiveWriter;
  readonly intake: Intake;
  readonly lease: Lease;
}

export interface ArchiveWork {
  /** The folder, absolute. */
  readonly archive: string;
  /** What is told of a lost lease. */
  readonly name: string;
}

/**
 * Lends a writer of the archive to `use`, under the lease of this process: what dead writers of this store left half
 * written is swept first, and nobody sweeps what a living one has under way. Errors: `store.*`, those of `use`.
 */
export async function withArchive<Result>(
  context: Context,
  { archive, name }: ArchiveWork,
  use: (tools: ArchiveTools) => Promise<Result>,
): Promise<Result> {
  const { program, random, directories } = context;
  const store = await context.store();
  const machine = thisMachine(program.pid);
  await buryTheDead(store, machine);
  const workerId = random.uuid();
  const lease = await takeLease({ store, machine, workerId, jobId: name });
  const storeTag = createHash('sha256')
    .update(`${machine.id} ${directories.state}`)
    .digest('hex')
    .slice(0, 12);
  const parts = { archive, storeTag, workerId };
  const writer = createArchiveWriter(parts);
  const worker = new URL('./intake-worker.js', import.meta.url);
  const intake = createLongIntake(createIntake(writer), () => createIntakeThread(parts, worker));
  try {
    const living = await store.workers.list();
    await writer.sweep(new Set(living.map((worker) => worker.id)));
    return await use({ writer, intake, lease });
  } finally {
    context.progress.stop();
    await intake.close();
    await writer.close();
    await lease.end();
  }
}
