import type { Outcome, DataRecord } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import type { LabelOf } from '../../services/scope/scope.js';
import type { ItemRow, ItemState, Store, JobRow } from '../../store/store.js';
import { findJob } from './find-job.js';
import { labelsOf, shownItem, shownJob, totalOf } from './list.js';

interface ItemsRequest {
  readonly id: string;
  readonly states: readonly ItemState[] | undefined;
  readonly limit: number | undefined;
}

/** The items of a job in the order of the input, as a stream: a job may have any number of them. */
export async function listItems(context: Context, request: ItemsRequest): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, request.id);
  const label = await labelsOf(context, job);
  return { data: shown(itemsOf(store, job.id, request), label) };
}

async function* shown(items: AsyncIterable<ItemRow>, label: LabelOf) {
  for await (const item of items) yield { type: 'item', ...shownItem(item, label) };
}

const pageSize = 500;

/** Page by page, so that memory does not grow with the job. */
export async function* itemsOf(
  store: Store,
  jobId: string,
  { states, limit }: Pick<ItemsRequest, 'states' | 'limit'>,
): AsyncIterable<ItemRow> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let afterOrdinal = Number.MIN_SAFE_INTEGER;
  while (left > 0) {
    const page = await store.items.list(jobId, {
      afterOrdinal,
      limit: Math.min(pageSize, left),
      ...(states === undefined ? {} : { states }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    left -= page.length;
    afterOrdinal = last.ordinal;
  }
}

/** Everything that is kept of a job: the job, every item with its input and its steps, earlier tries first, a summary. */
export async function exportJob(context: Context, id: string): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, id);
  return { data: records(store, job, await labelsOf(context, job)) };
}

async function* records(store: Store, job: JobRow, label: LabelOf): AsyncIterable<DataRecord> {
  yield { type: 'job', ...shownJob(job, label) };
  for await (const item of itemsOf(store, job.id, { states: undefined, limit: undefined })) {
    for (const earlier of await earlierTries(store, item))
      yield await itemRecord(store, { item: earlier, replaced: true, label });
    yield await itemRecord(store, { item, replaced: false, label });
  }
  const counts = await store.jobs.counts(job.id);
  yield { type: 'summary', jobId: job.id, items: totalOf(counts), counts };
}

interface Exported {
  readonly item: ItemRow;
  readonly replaced: boolean;
  readonly label: LabelOf;
}

async function itemRecord(store: Store, { item, replaced, label }: Exported): Promise<DataRecord> {
  const events = await store.items.events(item.id);
  return {
    type: 'item',
    jobId: item.jobId,
    ...shownItem(item, label),
    replaced,
    input: item.input,
    events: events.map(({ at, from, to, note }) => ({ at: formatUtc(at), from, to, note })),
  };
}

/** The items that this one replaces, the first try first. */
async function earlierTries(store: Store, item: ItemRow): Promise<readonly ItemRow[]> {
  const tries: ItemRow[] = [];
  let previousId = item.previousId;
  while (previousId !== undefined) {
    const previous = await store.items.get(previousId);
    if (previous !== undefined) tries.unshift(previous);
    previousId = previous?.previousId;
  }
  return tries;
}
