import type { Outcome } from '../../domain/outcome.js';
import type { ItemRow, ItemState, Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import type { LabelOf } from '../../services/scope/scope.js';
import { findJob } from './find.js';
import { labelsOf, shownItem } from './shown.js';

export interface ItemsRequest {
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
