import type { ItemRow, Store } from '../store/store.js';
import type { JobEngine, EngineDependencies } from './engine.js';
import { cancelJob, kindOfJob, learnItem, resolveItem, retryItems, cancelItem, workersOf } from './manage.js';
import { nudgeItems } from './nudge.js';
import { JobRun } from './run.js';
import { startJob } from './start.js';

const PAGE = 500;

export function createEngine(parts: EngineDependencies): JobEngine {
  return {
    start: (request) => startJob(parts, request),
    run: async (jobId, options) => {
      const kind = options.kind ?? (await kindOfJob(parts, jobId));
      return await new JobRun(parts, jobId, options).run(kind);
    },
    item: (itemId) => parts.store.items.get(itemId),
    items: (jobId) => itemsOf(parts.store, jobId),
    retry: (jobId, itemIds) => retryItems(parts, jobId, itemIds),
    cancel: (jobId) => cancelJob(parts, jobId),
    nudge: (nudge) => nudgeItems(parts, nudge),
    workers: (jobId) => workersOf(parts, jobId),
    learn: (item, learned) => learnItem(parts, item, learned),
    cancelItem: (item, note) => cancelItem(parts, item, note),
    resolve: (itemId, verdict) => resolveItem(parts, itemId, verdict),
  };
}

async function* itemsOf(store: Store, jobId: string): AsyncIterable<ItemRow> {
  let afterOrdinal = 0;
  for (;;) {
    const page = await store.items.list(jobId, { limit: PAGE, afterOrdinal });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    afterOrdinal = last.ordinal;
  }
}
