import type { DeliveryRows } from '../deliveries.js';
import type { Connection } from './connection.js';

/** Events in one transaction, so that the removal of many does not hold a listener for long. */
const pageSize = 1_000;

const ended = "state IN ('delivered', 'kept') AND COALESCE(settled_at, received_at) < @before";

/** How settled events leave the store; what waits, or waits for a person, stays. */
export function createDeliveryPrune(connection: Connection): Pick<DeliveryRows, 'prune' | 'prunable'> {
  const { statement, read, write } = connection;
  const counted = statement<[{ before: number }], { count: number }>(
    `SELECT count(*) AS count FROM webhook_events WHERE ${ended}`,
  );
  const page = statement<[{ before: number; after: number }], { seq: number }>(
    `SELECT seq FROM webhook_events WHERE seq > @after AND ${ended} ORDER BY seq LIMIT ${pageSize}`,
  );
  const remove = statement<[{ before: number; after: number; last: number }]>(
    `DELETE FROM webhook_events WHERE seq > @after AND seq <= @last AND ${ended}`,
  );
  return {
    prunable: (before) => read(() => counted().get({ before })?.count ?? 0),
    async prune(before) {
      let removed = 0;
      for (let after = 0; ; ) {
        const last = (await read(() => page().all({ before, after }))).at(-1)?.seq;
        if (last === undefined) return removed;
        const range = { before, after, last };
        removed += await write(() => remove().run(range).changes);
        after = last;
      }
    },
  };
}
