import type { ItemRow, Store } from '../store/store.js';
import type { JobEngine, EngineDependencies } from './engine.js';
import { cancelJob, kindOfJob, learnItem, resolveItem, retryItems, cancelItem, workersOf } from './manage.js';
import { nudgeItems } from './nudge.js';
import { JobRun } from './run.js';
import { startJob } from './start.js';

const PAGE = 500;

export function createEngine(dependencies: EngineDependencies): JobEngine {
  return {
    start: (request) => startJob(dependencies, request),
    run: async (jobId, options) => {
      const kind = options.kind ?? (await kindOfJob(dependencies, jobId));
      return await new JobRun(dependencies, jobId, options).run(kind);
    },
    item: (itemId) => dependencies.store.items.get(itemId),
    items: (jobId) => itemsOf(dependencies.store, jobId),
    retry: (jobId, itemIds) => retryItems(dependencies, jobId, itemIds),
    cancel: (jobId) => cancelJob(dependencies, jobId),
    nudge: (nudge) => nudgeItems(dependencies, nudge),
    workers: (jobId) => workersOf(dependencies, jobId),
    learn: (item, learned) => learnItem(dependencies, item, learned),
    cancelItem: (item, step) => cancelItem(dependencies, item, step),
    resolve: (itemId, verdict) => resolveItem(dependencies, itemId, verdict),
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
