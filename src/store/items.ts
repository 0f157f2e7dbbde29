import { FiscalError } from '../errors/fiscal-error.js';
import {
  isFrom,
  isReplaceable,
  itemColumns,
  itemEventColumns,
  type ItemRecord,
  type Place,
  toItem,
  toItemEvent,
} from './item-columns.js';
import type { Actor } from '../domain/actor.js';
import { addCalls } from './call-records.js';
import { append } from './jobs.js';
import { putKnown } from './known.js';
import {
  all,
  alone,
  among,
  type Db,
  forUpdate,
  get,
  given,
  indexedBy,
  limited,
  listOf,
  Part,
  run,
  type Sql,
  sql,
  type Step,
  t,
  words,
} from './sql.js';
import type { Along, ItemPatch, ItemRow, ItemRows } from './store.js';
import { toWorker, workerColumns } from './workers.js';

const columns = words(itemColumns);
const eventColumns = words(itemEventColumns);

const byHeldKey = indexedBy('items_holding_key');
const byInvoice = indexedBy('invoices_by_resource');
const byNoInvoice = indexedBy('invoices_without_resource');
const byteByByte = new Part('', 'COLLATE "C"');

interface OfKind {
  readonly profile: string;
  readonly kind: string;
}

const ofKind = ({ profile, kind }: OfKind): Sql => sql`profile = ${profile} AND kind = ${kind}`;

export const amongKeys = (
  key: OfKind,
  keys: readonly string[],
): Sql => sql`SELECT ${columns} FROM ${t.items} ${byHeldKey}
  WHERE ${ofKind(key)} AND holds_key = 1 AND dedupe_key ${among(keys)}`;

/** '!' is the character after the blank, so this is a range of the index of keys. */
export const withBeginnings = (key: OfKind, beginnings: readonly string[]): Sql => sql`SELECT ${columns} FROM ${t.items}
  WHERE seq IN (SELECT seq FROM ${listOf(beginnings)} CROSS JOIN ${t.items} ${byHeldKey}
    WHERE ${ofKind(key)} AND holds_key = 1 AND dedupe_key >= wanted || ' ' ${byteByByte} AND dedupe_key < wanted || '!' ${byteByByte})
  ORDER BY seq`;

/** The pattern is that of the indexes, which hold invoices only. */
export const claimantsOf = (
  kind: string,
  resourceIds: readonly string[],
): Sql => sql`SELECT ${columns} FROM ${t.items} ${byInvoice}
    WHERE kind = ${kind} AND kind LIKE '%-issue' AND resource_id ${among(resourceIds)}
  UNION ALL SELECT ${columns} FROM ${t.items} ${byNoInvoice}
    WHERE kind = ${kind} AND kind LIKE '%-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0`;

export const ofResource = (key: OfKind, resourceId: string): Sql => sql`SELECT ${columns} FROM ${t.items} ${byHeldKey}
  WHERE ${ofKind(key)} AND holds_key = 1 AND resource_id = ${resourceId}`;

export const sentBefore = (key: OfKind, dedupeKey: string): Sql => sql`SELECT ${columns} FROM ${t.items}
  WHERE ${ofKind(key)} AND dedupe_key = ${dedupeKey} AND holds_key = 0 AND attempts > 0 ORDER BY seq DESC LIMIT 20`;

/** What an item becomes, and its next step. */
export interface Change {
  readonly patch: ItemPatch;
  readonly event: Parameters<ItemRows['decide']>[3];
  readonly workerId: string | null;
  readonly epoch: number;
}

/** What each engine does in its own way: claims, and the step of an item. */
export interface ItemWork extends Pick<ItemRows, 'claim' | 'nextDue' | 'wake' | 'transition'> {
  /** Writes the item, which `placeOf` has read, and its history. */
  change(item: Place, change: Change): Step<void>;
}

/** The statements that store what a step takes along, by their names. */
export function statementsAlong(
  { calls, known }: Along,
  actor: Actor,
): Readonly<Partial<Record<'calls' | 'known', Sql>>> {
  return {
    ...(calls === undefined || calls.length === 0 ? {} : { calls: addCalls(calls, actor) }),
    ...(known === undefined ? {} : { known: putKnown([known]) }),
  };
}

export function* storeAlong(along: Along, actor: Actor): Step<void> {
  for (const statement of Object.values(statementsAlong(along, actor))) yield* run(statement);
}

/** Nobody else changes the item until the transaction ends. */
export function placeOf(id: string): Step<Place | undefined> {
  return get<Place>(sql`SELECT seq, replaced, ${columns} FROM ${t.items} WHERE id = ${id} ${forUpdate}`);
}

export function createItemRows(db: Db, { change, ...work }: ItemWork): ItemRows {
  const items = (query: Sql): Promise<readonly ItemRow[]> => db.all<ItemRecord, ItemRow>(query, toItem);
  return {
    ...work,
    get: (id) => db.get(sql`SELECT ${columns} FROM ${t.items} WHERE id = ${id}`, toItem),
    // '~' comes after every character of an id.
    startingWith: (beginning, limit) =>
      items(
        sql`SELECT ${columns} FROM ${t.items} WHERE id >= ${beginning} AND id < ${`${beginning}~`} ORDER BY id ${limited(limit)}`,
      ),
    list: (jobId, { afterOrdinal, states, limit }) =>
      items(
        sql`SELECT ${columns} FROM ${t.items} WHERE job_id = ${jobId} AND replaced = 0
            ${given(afterOrdinal, sql`AND ordinal > ${afterOrdinal}`)} ${given(states, sql`AND state ${among(states ?? [])}`)}
          ORDER BY ordinal ${limited(limit)}`,
      ),
    holder: ({ dedupeKey, ...key }) =>
      db.get(
        sql`SELECT ${columns} FROM ${t.items} WHERE ${ofKind(key)} AND dedupe_key = ${dedupeKey} AND holds_key = 1`,
        toItem,
      ),
    holdersAmong: ({ dedupeKeys, ...key }) => items(amongKeys(key, dedupeKeys)),
    holdersOf: ({ beginnings, ...key }) => items(withBeginnings(key, beginnings)),
    sentBefore: ({ dedupeKey, ...key }) => items(sentBefore(key, dedupeKey)),
    claimants: ({ kind, resourceIds }) => items(claimantsOf(kind, resourceIds)),
    ofResource: ({ resourceId, ...key }) => items(ofResource(key, resourceId)),
    holders: (jobId, now) =>
      db.all(
        sql`SELECT ${workerColumns} FROM ${t.workers} AS w WHERE expires_at > ${now}
            AND EXISTS (SELECT 1 FROM ${t.items} AS i WHERE i.worker_id = w.id AND i.job_id = ${jobId})
          ORDER BY id`,
        toWorker,
      ),
    strandedIn: (jobId) =>
      items(
        sql`SELECT ${columns} FROM ${t.items} AS i WHERE job_id = ${jobId} AND replaced = 0 AND state = 'skipped' AND EXISTS (
            SELECT 1 FROM ${t.items} AS other
            WHERE other.id = i.duplicate_of AND other.state = 'failed' AND other.attempts = 0)
          ORDER BY ordinal`,
      ),
    events: (itemId) =>
      db.all(
        sql`SELECT ${eventColumns} FROM ${t.item_events}
          WHERE item = (SELECT seq FROM ${t.items} WHERE id = ${itemId}) ORDER BY seq`,
        toItemEvent,
      ),
    decide: (itemId, from, patch, event) =>
      db.together(function* () {
        const item = yield* placeOf(itemId);
        if (item === undefined || !isFrom(item, from) || item.replaced === 1) return false;
        if (yield* isHeld(item, event.at)) return false;
        if (patch.holdsKey) yield* requireFreeKey(item);
        // The new epoch shuts out a worker that was presumed dead and returns.
        yield* change(item, { patch, event, workerId: null, epoch: item.epoch + 1 });
        return true;
      }),
    replace: (jobId, item, at) =>
      db.together(function* () {
        const previous = yield* placeOf(item.previousId);
        if (previous === undefined || previous.jobId !== jobId)
          throw new FiscalError('job.item_not_found', { id: item.previousId });
        if (previous.replaced === 1 || !isReplaceable(previous)) {
          const state = previous.replaced === 1 ? 'replaced' : previous.state;
          throw new FiscalError('job.item_changed', { label: previous.label, state });
        }
        yield* run(sql`UPDATE ${t.items} SET replaced = 1, holds_key = 0 WHERE seq = ${previous.seq}`);
        yield* append({ jobId, items: [item], at });
        yield* run(
          sql`UPDATE ${t.jobs} SET state = 'open', updated_at = ${at}, finished_at = NULL WHERE id = ${jobId}`,
        );
      }),
  };
}

function* isHeld({ workerId }: Place, now: number): Step<boolean> {
  if (workerId === null) return false;
  const living = yield* get(sql`SELECT 1 FROM ${t.workers} WHERE id = ${workerId} AND expires_at > ${now}`);
  return living !== undefined;
}

function* requireFreeKey({ seq, dedupeKey, label }: Place): Step<void> {
  const [owner] = yield* all<OfKind>(sql`SELECT profile, kind FROM ${t.items} WHERE seq = ${seq}`);
  if (owner === undefined) return;
  yield* alone('keys', owner.profile, owner.kind);
  const other = yield* get<{ readonly id: string }>(
    sql`SELECT id FROM ${t.items} WHERE ${ofKind(owner)} AND dedupe_key = ${dedupeKey} AND holds_key = 1 AND seq <> ${seq}`,
  );
  if (other !== undefined) throw new FiscalError('job.key_held', { label, id: other.id });
}
