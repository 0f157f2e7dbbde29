import { FiscalError } from '../errors/fiscal-error.js';
import type { JobRow, Store } from '../store/store.js';

/** How many of several matching ids an error names. */
const shownIds = 5;

/** The job with this id, or the only one whose id starts with it. Errors: `job.not_found`, `job.ambiguous`. */
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
  pt: 'execute "fiscal job list --all" para ver todos os lotes desta máquina',
};
