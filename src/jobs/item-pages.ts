import type { ItemRow, ItemState, Store } from '../store/store.js';

interface Wanted {
  readonly states?: readonly ItemState[] | undefined;
  readonly limit?: number | undefined;
}

const PAGE = 500;

/** The items of a job in the order of its input, page by page, so that memory does not grow with the job. */
export async function* itemPages(
  { items }: Pick<Store, 'items'>,
  jobId: string,
  { states, limit = Number.POSITIVE_INFINITY }: Wanted = {},
): AsyncGenerator<readonly ItemRow[]> {
  let left = limit;
  let afterOrdinal = Number.MIN_SAFE_INTEGER;
  while (left > 0) {
    const size = Math.min(PAGE, left);
    const page = await items.list(jobId, { afterOrdinal, limit: size, ...(states && { states }) });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    left -= page.length;
    afterOrdinal = last.ordinal;
  }
}

export async function* itemsOf(...of: Parameters<typeof itemPages>): AsyncGenerator<ItemRow> {
  for await (const page of itemPages(...of)) yield* page;
}
