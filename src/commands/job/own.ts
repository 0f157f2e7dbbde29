import { fiscalLine, type CommandParts } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
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
    { jobId: job.id, sent: 'no', resume: jobLine(job, 'show') },
  );
}

/** What is kept by runs without a profile has this name in its place. */
const noProfile = 'environment';

/** A command about a job, in the profile that the job belongs to: only there it may go on. */
export function jobLine({ id, profile }: JobRow, verb: string, flags: CommandParts['flags'] = []): string {
  const named = profile === noProfile ? undefined : profile;
  return fiscalLine({ command: `job ${verb}`, positionals: [id], flags, profile: named });
}
