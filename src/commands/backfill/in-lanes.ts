import type { Context } from '../../services/context.js';
import { eachOf } from '../../services/lanes.js';

/** Asks about each, so many at once as requests may run; the results stand in the order of the items. */
export async function inLanes<Item, Result>(
  context: Context,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const { concurrency } = await context.settings();
  const results = new Map<number, Result>();
  await eachOf(stream(items.entries()), concurrency, async ([index, item]) => {
    results.set(index, await work(item));
  });
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}

async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
  await Promise.resolve();
}
