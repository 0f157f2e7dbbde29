import { formatUtc } from '../../domain/utc.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import type { ItemRow, JobRow, Store } from '../../store/store.js';
import type { Context } from '../context.js';
import { findJob } from './find.js';
import { itemsOf } from './items.js';
import { shownItem, shownJob, totalOf } from './shown.js';

/** Everything that is kept of a job: the job, every item with its input and its steps, earlier tries first, a summary. */
export async function exportJob(context: Context, id: string): Promise<Outcome> {
  const store = await context.store();
  return { data: records(store, await findJob(store, id)) };
}

async function* records(store: Store, job: JobRow): AsyncIterable<DataRecord> {
  yield { type: 'job', ...shownJob(job) };
  for await (const item of itemsOf(store, job.id, { states: undefined, limit: undefined })) {
    for (const earlier of await earlierTries(store, item)) yield await itemRecord(store, earlier, true);
    yield await itemRecord(store, item, false);
  }
  const counts = await store.jobs.counts(job.id);
  yield { type: 'summary', jobId: job.id, items: totalOf(counts), counts };
}

async function itemRecord(store: Store, item: ItemRow, replaced: boolean): Promise<DataRecord> {
  const events = await store.items.events(item.id);
  return {
    type: 'item',
    jobId: item.jobId,
    ...shownItem(item),
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
