import { fiscalLine, type CommandParts } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { JobRow, Store } from '../../store/store.js';

/** How many of several matching ids an error names. */
const shownIds = 5;

/** The job with this id, or the only one whose id begins so. Errors: `job.not_found`, `job.ambiguous`. */
export async function findJob(store: Store, id: string): Promise<JobRow> {
  const exact = await store.jobs.get(id);
  if (exact !== undefined) return exact;
  const start = id.toLowerCase();
  const found = start === '' ? [] : (await store.jobs.list({})).filter((job) => job.id.startsWith(start));
  const [only, ...others] = found;
  if (only === undefined) throw new FiscalError('job.not_found', { id }, { hint: listHint });
  if (others.length === 0) return only;
  const shown = found.slice(0, shownIds).map((job) => job.id);
  const ids = found.length > shownIds ? [...shown, '…'] : shown;
  throw new FiscalError('job.ambiguous', { id, count: found.length, ids: ids.join(', ') });
}

const listHint = {
  en: 'run "fiscal job list --all" to see every job of this machine',
  pt: 'execute "fiscal job list --all" para ver todos os trabalhos desta máquina',
};

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
