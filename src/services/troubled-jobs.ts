import { DAY_MS } from '../domain/dates.js';
import { itemsOf } from '../jobs/item-pages.js';
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
  const since = context.clock.now() - FAILED_DAYS * DAY_MS;
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
  const own = { open: 0, uncertain: 0, failed: 0 };
  let open = 0;
  for await (const { state, input } of itemsOf(store, job.id, { states: [...ended, ...(job.isLeft ? going : [])] })) {
    const isOpen = going.some((each) => each === state);
    if (isOpen) open += 1;
    if (!ids.has(textField(input, 'companyId') ?? named[0] ?? '')) continue;
    if (isOpen) own.open += 1;
    else if (state === 'uncertain') own.uncertain += 1;
    else own.failed += 1;
  }
  // The rows of a job that was left while it was written may not be there yet.
  const isLeft = job.isLeft && (open === 0 ? named.some((id) => ids.has(id)) : own.open > 0);
  return { ...job, isLeft, uncertain: own.uncertain, failed: own.failed };
}

const going = ['prepared', 'sending', 'pending'] as const;
const ended = ['uncertain', 'failed', 'rejected'] as const;
