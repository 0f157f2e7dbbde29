import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobRow } from '../../store/store.js';
import type { Context } from '../context.js';
import { findJob } from './find.js';

/**
 * A job that this run may send for. The keys and hosts of another profile never touch it: `job.other_profile`.
 */
export async function ownJob(context: Context, id: string): Promise<JobRow> {
  const job = await findJob(await context.store(), id);
  const { space } = await context.settings();
  if (job.profile === space) return job;
  throw new FiscalError(
    'job.other_profile',
    { id: job.id, profile: job.profile, space },
    { jobId: job.id, sent: 'no', resume: `fiscal job show ${job.id}` },
  );
}
