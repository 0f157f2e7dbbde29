import type { ItemRows, ItemState } from '../store.js';
import type { Connection } from './connection.js';
import { createClaims } from './claims.js';
import { itemColumns, toItem, type ItemRecord } from './item-columns.js';
import { createSteps } from './steps.js';
import { toWorker, workerColumns, type WorkerRecord } from './workers.js';

function statements({ statement }: Connection) {
  const byId = statement<[string], ItemRecord>(`SELECT ${itemColumns} FROM items WHERE id = ?`);
  const inOrder = statement<[Record<string, unknown>], ItemRecord>(
    `SELECT ${itemColumns} FROM items
     WHERE job_id = @jobId AND replaced = 0 AND ordinal > @afterOrdinal
       AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY ordinal LIMIT @limit`,
  );
  const byKey = statement<[string, string, string], ItemRecord>(
    `SELECT ${itemColumns} FROM items WHERE profile = ? AND kind = ? AND dedupe_key = ? AND holds_key = 1`,
  );
  const holding = statement<[number, string], WorkerRecord>(
    `SELECT ${workerColumns} FROM workers WHERE expires_at > ?
       AND EXISTS (SELECT 1 FROM items WHERE items.worker_id = workers.id AND items.job_id = ?)
     ORDER BY id`,
  );
  const eventsOf = statement<[string], { at: number; from: ItemState; to: ItemState; note: string }>(
    `SELECT at, from_state AS "from", to_state AS "to", note FROM item_events
     WHERE item = (SELECT seq FROM items WHERE id = ?) ORDER BY seq`,
  );
  const stranded = statement<[string], ItemRecord>(
    `SELECT ${itemColumns} FROM items
     WHERE job_id = ? AND replaced = 0 AND state = 'skipped' AND EXISTS (
       SELECT 1 FROM items AS other WHERE other.id = items.duplicate_of AND other.state = 'failed' AND other.attempts = 0)
     ORDER BY ordinal`,
  );
  return { byId, inOrder, byKey, holding, eventsOf, stranded };
}

export function createItemRows(connection: Connection): ItemRows {
  const { read } = connection;
  const { byId, inOrder, byKey, holding, eventsOf, stranded } = statements(connection);
  return {
    ...createClaims(connection),
    ...createSteps(connection),
    get: (itemId) => read(() => optional(byId().get(itemId))),
    list: (jobId, filter) =>
      read(() =>
        inOrder()
          .all({
            jobId,
            afterOrdinal: filter.afterOrdinal ?? Number.MIN_SAFE_INTEGER,
            states: filter.states === undefined ? null : JSON.stringify(filter.states),
            limit: filter.limit ?? -1,
          })
          .map(toItem),
      ),
    holder: ({ profile, kind, dedupeKey }) => read(() => optional(byKey().get(profile, kind, dedupeKey))),
    holders: (jobId, now) => read(() => holding().all(now, jobId).map(toWorker)),
    strandedIn: (jobId) => read(() => stranded().all(jobId).map(toItem)),
    events: (itemId) => read(() => eventsOf().all(itemId)),
  };
}

function optional(record: ItemRecord | undefined) {
  return record === undefined ? undefined : toItem(record);
}
