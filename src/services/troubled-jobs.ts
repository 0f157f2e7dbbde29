import { textField } from '../jobs/kinds/answer-fields.js';
import type { TroubledJob } from '../store/overview.js';
import type { Store } from '../store/store.js';
import type { Context } from './context.js';

/** Failed items of a job that ended longer ago need nobody, unless the job has uncertain ones as well. */
export const FAILED_DAYS = 7;

/**
 * The jobs of the profile that need a person: with uncertain items, unfinished and without a process, or ended within
 * `FAILED_DAYS` with failed items. `companies`: only with the items of these ids. From the store alone.
 */
export async function troubledJobs(
  context: Pick<Context, 'settings' | 'store' | 'clock'>,
  companies: readonly string[] | undefined,
): Promise<readonly TroubledJob[]> {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  const since = context.clock.now() - FAILED_DAYS * 86_400_000;
  const all = await store.overview.troubledJobs(storeNamespace, { since, now: store.clock.now() });
  if (companies === undefined) return all;
  const ids = new Set(companies);
  const own = await Promise.all(all.map((job) => ofCompanies(store, job, ids)));
  return own.filter((job) => job.isLeft || job.failed + job.uncertain > 0);
}

/** Of a job that names no company, the items that name one of these; of a job that names another one, nothing. */
async function ofCompanies(store: Store, job: TroubledJob, ids: ReadonlySet<string>): Promise<TroubledJob> {
  const named = (job.scope['companyId'] ?? '').split(',').filter((id) => id !== '');
  if (named.length > 0 && named.every((id) => ids.has(id))) return job;
  const items = await store.items.list(job.id, { states: ['uncertain', 'failed', 'rejected'] });
  const mine = items.filter(({ input }) => ids.has(textField(input, 'companyId') ?? named[0] ?? ''));
  const uncertain = mine.filter(({ state }) => state === 'uncertain').length;
  return { ...job, isLeft: job.isLeft && mine.length > 0, uncertain, failed: mine.length - uncertain };
}
