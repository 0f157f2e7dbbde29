import type { Actor } from '../../domain/actor.js';
import { actorValues } from '../actor-columns.js';
import {
  byUrgency,
  isFrom,
  isReplaceable,
  itemColumns,
  itemEventColumns,
  type ItemEventRecord,
  type ItemRecord,
  patched,
  type Place,
  toItem,
  toItemEvent,
  toOptionalItem,
} from '../item-columns.js';
import { stepText, type TimedStep } from '../item-history.js';
import type { Claim, ItemPatch, ItemRow, ItemRows, ItemState } from '../store.js';
import type { Connection } from './connection.js';
import { presentColumns } from '../row.js';
import { toWorker, workerColumns, type WorkerRecord } from '../worker-columns.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { createAppend } from './jobs.js';

function statements({ statement }: Connection) {
  const byId = statement<[string], ItemRecord>(`SELECT ${itemColumns} FROM items WHERE id = ?`);
  const inOrder = statement<[Record<string, unknown>], ItemRecord>(
    `SELECT ${itemColumns} FROM items
     WHERE job_id = @jobId AND replaced = 0 AND ordinal > @afterOrdinal
       AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY ordinal LIMIT +@limit`,
  );
  const byKey = statement<[string, string, string], ItemRecord>(
    `SELECT ${itemColumns} FROM items WHERE profile = ? AND kind = ? AND dedupe_key = ? AND holds_key = 1`,
  );
  const amongKeys = statement<[Record<string, unknown>], ItemRecord>(
    `SELECT ${itemColumns} FROM (SELECT value AS wanted FROM json_each(@dedupeKeys)) CROSS JOIN items INDEXED BY items_holding_key
     WHERE profile = @profile AND kind = @kind AND holds_key = 1 AND dedupe_key = wanted`,
  );
  // '!' is the character after the blank, so this is a range of the index of keys.
  const byBeginning = statement<[Record<string, unknown>], ItemRecord>(
    `SELECT ${itemColumns} FROM (SELECT value AS wanted FROM json_each(@beginnings)) CROSS JOIN items INDEXED BY items_holding_key
     WHERE profile = @profile AND kind = @kind AND holds_key = 1
       AND dedupe_key >= wanted || ' ' AND dedupe_key < wanted || '!'`,
  );
  // '~' comes after every character of an id.
  const byStart = statement<[string, string, number], ItemRecord>(
    `SELECT ${itemColumns} FROM items WHERE id >= ? AND id < ? || '~' ORDER BY id LIMIT +?`,
  );
  const holding = statement<[number, string], WorkerRecord>(
    `SELECT ${workerColumns} FROM workers WHERE expires_at > ?
       AND EXISTS (SELECT 1 FROM items WHERE items.worker_id = workers.id AND items.job_id = ?)
     ORDER BY id`,
  );
  const eventsOf = statement<[string], ItemEventRecord>(
    `SELECT ${itemEventColumns} FROM item_events
     WHERE item = (SELECT seq FROM items WHERE id = ?) ORDER BY seq`,
  );
  const sentBefore = statement<[string, string, string], ItemRecord>(
    `SELECT ${itemColumns} FROM items
     WHERE profile = ? AND kind = ? AND dedupe_key = ? AND holds_key = 0 AND attempts > 0 ORDER BY seq DESC LIMIT 20`,
  );
  // The pattern is that of the indexes, which hold invoices only.
  const named = statement<[Record<string, unknown>], ItemRecord>(
    `SELECT ${itemColumns} FROM items INDEXED BY invoices_by_resource
     WHERE kind = @kind AND kind GLOB '*-issue' AND resource_id IN (SELECT value FROM json_each(@resourceIds))
     UNION ALL SELECT ${itemColumns} FROM items INDEXED BY invoices_without_resource
     WHERE kind = @kind AND kind GLOB '*-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0`,
  );
  const ofResource = statement<[string, string, string], ItemRecord>(
    `SELECT ${itemColumns} FROM items INDEXED BY items_holding_key
     WHERE profile = ? AND kind = ? AND holds_key = 1 AND resource_id = ?`,
  );
  const stranded = statement<[string], ItemRecord>(
    `SELECT ${itemColumns} FROM items
     WHERE job_id = ? AND replaced = 0 AND state = 'skipped' AND EXISTS (
       SELECT 1 FROM items AS other WHERE other.id = items.duplicate_of AND other.state = 'failed' AND other.attempts = 0)
     ORDER BY ordinal`,
  );
  return {
    byId,
    byStart,
    inOrder,
    byKey,
    amongKeys,
    byBeginning,
    holding,
    eventsOf,
    sentBefore,
    named,
    ofResource,
    stranded,
  };
}

export function createItemRows(connection: Connection, actor: Actor): ItemRows {
  const { read } = connection;
  const {
    byId,
    byStart,
    inOrder,
    byKey,
    amongKeys,
    byBeginning,
    holding,
    eventsOf,
    sentBefore,
    named,
    ofResource,
    stranded,
  } = statements(connection);
  return {
    ...createClaims(connection),
    ...createSteps(connection, actor),
    get: (itemId) => read(() => toOptionalItem(byId().get(itemId))),
    startingWith: (beginning, limit) => read(() => byStart().all(beginning, beginning, limit).map(toItem)),
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
    holder: ({ profile, kind, dedupeKey }) =>
      read(() => toOptionalItem(byKey().get(profile, kind, dedupeKey))),
    holdersAmong: ({ profile, kind, dedupeKeys }) =>
      read(() =>
        amongKeys()
          .all({ profile, kind, dedupeKeys: JSON.stringify(dedupeKeys) })
          .map(toItem),
      ),
    holdersOf: ({ profile, kind, beginnings }) =>
      read(() =>
        byBeginning()
          .all({ profile, kind, beginnings: JSON.stringify(beginnings) })
          .map(toItem),
      ),
    sentBefore: ({ profile, kind, dedupeKey }) =>
      read(() => sentBefore().all(profile, kind, dedupeKey).map(toItem)),
    claimants: ({ kind, resourceIds }) =>
      read(() =>
        named()
          .all({ kind, resourceIds: JSON.stringify(resourceIds) })
          .map(toItem),
      ),
    ofResource: ({ profile, kind, resourceId }) =>
      read(() => ofResource().all(profile, kind, resourceId).map(toItem)),
    holders: (jobId, now) => read(() => holding().all(now, jobId).map(toWorker)),
    strandedIn: (jobId) => read(() => stranded().all(jobId).map(toItem)),
    events: (itemId) => read(() => eventsOf().all(itemId).map(toItemEvent)),
  };
}

// A lookup by key for each item: a list of the living workers would be built anew for each statement.
const isFree = `replaced = 0 AND (worker_id IS NULL
  OR NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = items.worker_id AND expires_at > @now))`;

/** What the workers claim, and when something is due. */
function createClaims({ statement, read, write }: Connection): Pick<ItemRows, 'claim' | 'nextDue' | 'wake'> {
  // A worker without a lease claims nothing: others could take its items at once.
  const mayClaim = statement<[Omit<Claim, 'states'>]>(
    `SELECT 1 FROM workers WHERE id = @workerId AND expires_at > @now
       AND EXISTS (SELECT 1 FROM jobs WHERE id = @jobId AND state <> 'loading')`,
  );
  // In the order of an index, so that claiming from a job of any size needs no sorting.
  // The plus: an index of pending items alone makes SQLite look at a bare `@state` when it plans, and so at each run.
  const due = statement<
    [Omit<Claim, 'states'> & { readonly state: ItemState }],
    ItemRecord & { readonly seq: number }
  >(
    `SELECT seq, ${itemColumns} FROM items
     WHERE job_id = @jobId AND state = +@state AND due_at <= @now AND ${isFree}
     ORDER BY due_at, ordinal LIMIT +@limit`,
  );
  const hold = statement<[string, number, number]>(
    'UPDATE items SET worker_id = ?, epoch = epoch + 1, updated_at = ? WHERE seq = ?',
  );
  // One statement for all states: each of them alone would take and release the locks of the file.
  const earliest = statement<[{ jobId: string; states: string; now: number }], { dueAt: number | null }>(
    `SELECT min(due) AS dueAt FROM (
       SELECT (SELECT due_at FROM items WHERE job_id = @jobId AND state = wanted.value AND ${isFree}
               ORDER BY due_at LIMIT 1) AS due FROM json_each(@states) AS wanted)`,
  );

  function take({ states, ...claim }: Claim): readonly ItemRow[] {
    if (mayClaim().get(claim) === undefined) return [];
    const { workerId, now, limit } = claim;
    return [...new Set(states)]
      .flatMap((state) => due().all({ ...claim, state }))
      .sort(byUrgency)
      .slice(0, limit)
      .map(({ seq, ...record }) => {
        hold().run(workerId, now, seq);
        return toItem({ ...record, workerId, epoch: record.epoch + 1, updatedAt: now });
      });
  }

  return {
    claim: (claim) => write(() => take(claim)),
    wake: createWake({ statement, read, write }),
    nextDue: (jobId, states, now) =>
      read(() => {
        const row = earliest().get({ jobId, states: JSON.stringify(states), now });
        return row && presentColumns(row).dueAt;
      }),
  };
}

function createWake({
  statement,
  read,
  write,
}: Pick<Connection, 'statement' | 'read' | 'write'>): ItemRows['wake'] {
  const about = "profile = @profile AND resource_id = @resourceId AND state = 'pending' AND replaced = 0";
  const anyAbout = statement<[Record<string, unknown>]>(`SELECT 1 FROM items WHERE ${about} LIMIT 1`);
  const hasten = statement<[Record<string, unknown>], Pick<ItemRow, 'id' | 'jobId'>>(
    `UPDATE items SET due_at = 0 WHERE ${about} RETURNING id, job_id AS jobId`,
  );
  return async (resource) => {
    if ((await read(() => anyAbout().get({ ...resource }))) === undefined) return [];
    return await write(() => hasten().all({ ...resource }));
  };
}

/** The changes of an item's state; each also writes the item's history. */
function createSteps(
  connection: Connection,
  actor: Actor,
): Pick<ItemRows, 'transition' | 'decide' | 'replace'> {
  const { write } = connection;
  const place = createPlace(connection);
  const change = createChange(connection, actor);
  return {
    transition: ({ id, workerId, epoch }, patch, event) =>
      write(() => {
        const item = place().get(id);
        if (item === undefined || item.workerId !== workerId || item.epoch !== epoch) return false;
        change(item, patch, { ...event, workerId: patch.keep ? workerId : null, epoch });
        return true;
      }),
    decide: createDecide(connection, actor),
    replace: createReplace(connection),
  };
}

function createDecide(connection: Connection, actor: Actor): ItemRows['decide'] {
  const { statement, write } = connection;
  const place = createPlace(connection);
  const change = createChange(connection, actor);
  const living = statement<[string, number], { id: string }>(
    'SELECT id FROM workers WHERE id = ? AND expires_at > ?',
  );
  const rival = statement<[number], { id: string }>(
    `SELECT other.id FROM items AS this JOIN items AS other
       ON other.profile = this.profile AND other.kind = this.kind AND other.dedupe_key = this.dedupe_key
       AND other.holds_key = 1 AND other.seq <> this.seq
     WHERE this.seq = ?`,
  );

  return (itemId, from, patch, event) =>
    write(() => {
      const item = place().get(itemId);
      if (item === undefined || !isFrom(item, from) || item.replaced === 1) return false;
      if (item.workerId !== null && living().get(item.workerId, event.at) !== undefined) return false;
      const other = patch.holdsKey ? rival().get(item.seq) : undefined;
      if (other !== undefined) throw new FiscalError('job.key_held', { label: item.label, id: other.id });
      // The new epoch shuts out a worker that was presumed dead and returns.
      change(item, patch, { ...event, workerId: null, epoch: item.epoch + 1 });
      return true;
    });
}

function createReplace(connection: Connection): ItemRows['replace'] {
  const { statement, write } = connection;
  const place = createPlace(connection);
  const append = createAppend(connection);
  const retire = statement<[number]>('UPDATE items SET replaced = 1, holds_key = 0 WHERE seq = ?');
  const reopen = statement<[number, string]>(
    `UPDATE jobs SET state = 'open', updated_at = ?, finished_at = NULL WHERE id = ?`,
  );
  return (jobId, item, at) =>
    write(() => {
      const previous = place().get(item.previousId);
      if (previous === undefined || previous.jobId !== jobId) {
        throw new FiscalError('job.item_not_found', { id: item.previousId });
      }
      if (previous.replaced === 1 || !isReplaceable(previous)) {
        const state = previous.replaced === 1 ? 'replaced' : previous.state;
        throw new FiscalError('job.item_changed', { label: previous.label, state });
      }
      retire().run(previous.seq);
      append(jobId, [item], at);
      reopen().run(at, jobId);
    });
}

function createPlace({ statement }: Connection) {
  return statement<[string], Place>(`SELECT seq, replaced, ${itemColumns} FROM items WHERE id = ?`);
}

function createChange({ statement }: Connection, actor: Actor) {
  const { machine, user, ciRun } = actorValues(actor);
  const update = statement<[Record<string, unknown>]>(
    `UPDATE items SET state = @state, holds_key = @holdsKey, due_at = @dueAt, attempts = @attempts,
       resource_id = @resourceId, location = @location, remote_status = @remoteStatus, request_id = @requestId,
       http_status = @httpStatus, answered_company = @answeredCompany, error_code = @errorCode, error_message = @errorMessage, lookup = @lookup, sent_at = @sentAt,
       settled_at = @settledAt, updated_at = @at, epoch = @epoch, worker_id = @workerId
     WHERE seq = @seq`,
  );
  const log = statement<[number, number, ItemState, ItemState, string, ...(string | null)[]]>(
    `INSERT INTO item_events (item, at, from_state, to_state, step, machine, os_user, ci_run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (
    item: Place,
    patch: ItemPatch,
    event: TimedStep & { readonly workerId: string | null; readonly epoch: number },
  ): void => {
    update().run({
      seq: item.seq,
      ...patched(item, patch),
      at: event.at,
      workerId: event.workerId,
      epoch: event.epoch,
    });
    log().run(item.seq, event.at, item.state, patch.state, stepText(event.step), machine, user, ciRun);
  };
}
