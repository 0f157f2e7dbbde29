import type { Actor } from '../../domain/actor.js';
import {
  itemColumns,
  itemEventColumns,
  type ItemEventRecord,
  type ItemRecord,
  toItem,
  toItemEvent,
  toOptionalItem,
} from '../item-columns.js';
import type { ItemRows } from '../store.js';
import { toWorker, workerColumns, type WorkerRecord } from '../worker-columns.js';
import { type Claiming, createClaims } from './claims.js';
import type { Connection, Values } from './connection.js';
import { createSteps } from './item-steps.js';

export function createItemRows(
  connection: Connection,
  { actor, ...claiming }: Claiming & { readonly actor: Actor },
): ItemRows {
  const { all, get } = connection;
  const items = async (where: string, values: Values) =>
    (await all<ItemRecord>(`SELECT ${itemColumns} FROM fiscal.items WHERE ${where}`, values)).map(toItem);
  const item = async (where: string, values: Values) =>
    toOptionalItem(await get<ItemRecord>(`SELECT ${itemColumns} FROM fiscal.items WHERE ${where}`, values));
  const ofKey = 'profile = @profile AND kind = @kind AND dedupe_key = @dedupeKey';
  return {
    ...createClaims(connection, claiming),
    ...createSteps(connection, actor),
    get: (id) => item('id = @id', { id }),
    // '~' comes after every character of an id.
    startingWith: (beginning, limit) =>
      items("id >= @beginning AND id < @beginning || '~' ORDER BY id LIMIT @limit", { beginning, limit }),
    list: (jobId, filter) =>
      items(
        `job_id = @jobId AND replaced = 0 AND ordinal > @afterOrdinal
           AND (@states::text[] IS NULL OR state = ANY (@states)) ORDER BY ordinal LIMIT @limit`,
        { jobId, afterOrdinal: Number.MIN_SAFE_INTEGER, ...filter },
      ),
    holder: (key) => item(`${ofKey} AND holds_key = 1`, { ...key }),
    holdersAmong: ({ profile, kind, dedupeKeys }) =>
      items('profile = @profile AND kind = @kind AND holds_key = 1 AND dedupe_key = ANY (@dedupeKeys)', {
        ...{ profile, kind, dedupeKeys },
      }),
    // '!' is the character after the blank, so this is a range of the index of keys.
    holdersOf: ({ profile, kind, beginnings }) =>
      items(
        `seq IN (SELECT seq FROM unnest(@beginnings::text[]) AS wanted JOIN fiscal.items
           ON profile = @profile AND kind = @kind AND holds_key = 1
             AND dedupe_key >= wanted || ' ' COLLATE "C" AND dedupe_key < wanted || '!' COLLATE "C") ORDER BY seq`,
        { profile, kind, beginnings },
      ),
    sentBefore: (key) =>
      items(`${ofKey} AND holds_key = 0 AND attempts > 0 ORDER BY seq DESC LIMIT 20`, { ...key }),
    // The pattern is that of the indexes, which hold invoices only.
    claimants: (key) =>
      items(
        `kind = @kind AND kind LIKE '%-issue' AND (resource_id = ANY (@resourceIds)
           OR resource_id IS NULL AND holds_key = 1 AND attempts > 0)`,
        { ...key },
      ),
    ofResource: (key) =>
      items('profile = @profile AND kind = @kind AND holds_key = 1 AND resource_id = @resourceId', {
        ...key,
      }),
    holders: async (jobId, now) =>
      (
        await all<WorkerRecord>(
          `SELECT ${workerColumns} FROM fiscal.workers WHERE expires_at > @now
             AND EXISTS (SELECT 1 FROM fiscal.items WHERE items.worker_id = workers.id AND items.job_id = @jobId)
           ORDER BY id`,
          { jobId, now },
        )
      ).map(toWorker),
    strandedIn: (jobId) =>
      items(
        `job_id = @jobId AND replaced = 0 AND state = 'skipped' AND EXISTS (
           SELECT 1 FROM fiscal.items AS other
           WHERE other.id = items.duplicate_of AND other.state = 'failed' AND other.attempts = 0) ORDER BY ordinal`,
        { jobId },
      ),
    events: async (itemId) =>
      (
        await all<ItemEventRecord>(
          `SELECT ${itemEventColumns} FROM fiscal.item_events
           WHERE item = (SELECT seq FROM fiscal.items WHERE id = @itemId) ORDER BY seq`,
          { itemId },
        )
      ).map(toItemEvent),
  };
}
