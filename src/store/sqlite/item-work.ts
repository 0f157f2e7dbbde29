import type { Actor } from '../../domain/actor.js';
import { actorValues } from '../actor-columns.js';
import { byUrgency, itemColumns, type ItemRecord, patched, type Place, toItem } from '../item-columns.js';
import { stepText } from '../item-history.js';
import type { Change, ItemWork } from '../items.js';
import { sound } from '../row.js';
import type { Claim, ItemRow, ItemState } from '../store.js';
import type { Connection } from './connection.js';

// A lookup by key for each item: a list of the living workers would be built anew for each statement.
const isFree = `replaced = 0 AND (worker_id IS NULL
  OR NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = items.worker_id AND expires_at > @now))`;

/**
 * In the order of an index, so that claiming from a job of any size needs no sorting. The plus: an index of pending items alone
 * makes SQLite look at a bare state when it plans, and so at each run.
 */
export const dueItems = `SELECT seq, ${itemColumns} FROM items
  WHERE job_id = @jobId AND state = +@state AND due_at <= @now AND ${isFree}
  ORDER BY due_at, ordinal LIMIT +@limit`;

/**
 * What the workers claim, and the steps of items: statements of SQLite itself, each made once, because every item takes about
 * three, and with a dozen others the least work counts.
 */
export function createItemWork(connection: Connection, actor: Actor): ItemWork {
  const { statement, write } = connection;
  const place = statement<[string], Place>(`SELECT seq, replaced, ${itemColumns} FROM items WHERE id = ?`);
  const change = createChange(connection, actor);
  return {
    ...createClaims(connection),
    *change(item, next) {
      change(item, next);
    },
    transition: ({ id, workerId, epoch }, patch, event) =>
      write(() => {
        const item = place().get(id);
        if (item === undefined || item.workerId !== workerId || item.epoch !== epoch) return false;
        change(item, { patch, event, epoch, workerId: patch.keep ? workerId : null });
        return true;
      }),
  };
}

function createClaims({ statement, read, write }: Connection): Pick<ItemWork, 'claim' | 'nextDue' | 'wake'> {
  // A worker without a lease claims nothing: others could take its items at once.
  const mayClaim = statement<[Omit<Claim, 'states'>]>(
    `SELECT 1 FROM workers WHERE id = @workerId AND expires_at > @now
       AND EXISTS (SELECT 1 FROM jobs WHERE id = @jobId AND state <> 'loading')`,
  );
  const due = statement<[Omit<Claim, 'states'> & { readonly state: ItemState }], ItemRecord & { readonly seq: number }>(
    dueItems,
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
  const about = "profile = @profile AND resource_id = @resourceId AND state = 'pending' AND replaced = 0";
  const anyAbout = statement<[Record<string, unknown>]>(`SELECT 1 FROM items WHERE ${about} LIMIT 1`);
  const hasten = statement<[Record<string, unknown>], Pick<ItemRow, 'id' | 'jobId'>>(
    `UPDATE items SET due_at = 0 WHERE ${about} RETURNING id, job_id AS jobId`,
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
        return toItem(sound({ ...record, workerId, epoch: record.epoch + 1, updatedAt: now }));
      });
  }

  return {
    claim: (claim) => write(() => take(claim)),
    async wake(resource) {
      // A change would wait for the other writers.
      if ((await read(() => anyAbout().get({ ...resource }))) === undefined) return [];
      return await write(() => hasten().all({ ...resource }));
    },
    nextDue: (jobId, states, now) =>
      read(() => {
        const row = earliest().get({ jobId, states: JSON.stringify(states), now });
        return (row && sound(row).dueAt) ?? undefined;
      }),
  };
}

function createChange({ statement }: Connection, actor: Actor) {
  const { machine, user, ciRun } = actorValues(actor);
  const update = statement<[Record<string, unknown>]>(
    `UPDATE items SET state = @state, holds_key = @holdsKey, due_at = @dueAt, attempts = @attempts,
       resource_id = @resourceId, location = @location, remote_status = @remoteStatus, request_id = @requestId,
       http_status = @httpStatus, answered_company = @answeredCompany, error_code = @errorCode,
       reason = @reason, lookup = @lookup, sent_at = @sentAt, settled_at = @settledAt, updated_at = @at,
       epoch = @epoch, worker_id = @workerId
     WHERE seq = @seq`,
  );
  const log = statement<[number, number, ItemState, ItemState, string, ...(string | null)[]]>(
    `INSERT INTO item_events (item, at, from_state, to_state, step, machine, os_user, ci_run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (item: Place, { patch, event, workerId, epoch }: Change): void => {
    update().run({ ...patched(item, patch), seq: item.seq, at: event.at, workerId, epoch });
    log().run(item.seq, event.at, item.state, patch.state, stepText(event.step), machine, user, ciRun);
  };
}
