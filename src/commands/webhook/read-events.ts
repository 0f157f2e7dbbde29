import type { DeliveryFilter, DeliveryRow } from '../../store/deliveries.js';
import type { Store } from '../../store/store.js';

const page = 500;

/** The stored events of a filter, newest first, page by page: memory stays flat. */
export async function* storedEvents(
  store: Store,
  filter: Omit<DeliveryFilter, 'limit' | 'before'>,
): AsyncGenerator<DeliveryRow> {
  let before: number | undefined;
  for (;;) {
    const rows = await store.deliveries.list({
      ...filter,
      limit: page,
      ...(before === undefined ? {} : { before }),
    });
    yield* rows;
    before = rows.at(-1)?.seq;
    if (rows.length < page || before === undefined) return;
  }
}
