import type { Actor } from '../../domain/actor.js';
import { actorValues } from '../actor-columns.js';
import { byUrgency, itemColumns, type ItemRecord, namedIn, patched, type Place, toItem } from '../item-columns.js';
import { stepText } from '../item-history.js';
import { type Change, type ItemWork, storeAlong } from '../items.js';
import { pacesOf } from '../pace.js';
import { sound } from '../row.js';
import { all, type Sql, sql, t } from '../sql.js';
import type { Along, Claim, HostPace, ItemPatch, ItemRow, ItemState } from '../store.js';
import type { Connection } from './connection.js';
import type { FileDb } from './db.js';

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
export function createItemWork(connection: Connection, db: FileDb, actor: Actor): ItemWork {
  const { statement, write } = connection;
  const held = statement<[string, string, number], Held>(
    `SELECT seq, state, profile, holds_key AS holdsKey FROM items WHERE id = ? AND worker_id = ? AND epoch = ?`,
  );
  const reading = createPaceReading(db);
  const step = createStep(connection);
  const log = createLog(connection, actor);
  const change = createChange(connection, actor);
  return {
    ...createClaims(connection, reading),
    *change(item, next) {
      change(item, next);
    },
    transition: ({ id, workerId, epoch }, patch, event, along = {}) =>
      reading(along, (readPaces) =>
        write(() => {
          db.within(storeAlong(along, actor));
          const item = held().get(id, workerId, epoch);
          if (item === undefined) return false;
          step(item, patch, event.at);
          log(item, { patch, event });
          readPaces(sql`${item.profile}`);
          return true;
        }),
      ),
  };
}

type PaceReading = ReturnType<typeof createPaceReading>;

/** The paces are those within the write, and given when it is committed. */
function createPaceReading(db: FileDb) {
  return async <Result>(
    { paces }: Pick<Along, 'paces'>,
    write: (readPaces: (profile: Sql) => void) => Promise<Result>,
  ): Promise<Result> => {
    let rows: readonly HostPace[] | undefined;
    const result = await write((profile) => {
      if (paces !== undefined) rows = db.within(all<HostPace>(pacesOf(profile)));
    });
    if (rows !== undefined) paces?.(rows);
    return result;
  };
}

function createClaims(
  { statement, read, write }: Connection,
  reading: PaceReading,
): Pick<ItemWork, 'claim' | 'nextDue' | 'wake'> {
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
    claim: (claim, along = {}) =>
      reading(along, (readPaces) =>
        write(() => {
          const taken = take(claim);
          if (taken.length > 0) readPaces(sql`(SELECT profile FROM ${t.jobs} WHERE id = ${claim.jobId})`);
          return taken;
        }),
      ),
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

/** What a step needs of the item that its worker holds. */
type Held = Pick<Place, 'seq' | 'state'> & { readonly profile: string; readonly holdsKey: number };

/** Sets only what changes: SQLite writes each index that a column of the statement belongs to, also where its value stays. */
function createStep({ statement }: Connection) {
  const byColumns = new Map<string, ReturnType<typeof statement<unknown[]>>>();
  return ({ seq, state, holdsKey }: Held, patch: ItemPatch, at: number): void => {
    const changes = [...namedIn(patch), ['updated_at', at] as const];
    if (patch.state !== state) changes.push(['state', patch.state]);
    if (Number(patch.holdsKey) !== holdsKey) changes.push(['holds_key', Number(patch.holdsKey)]);
    if (!patch.keep) changes.push(['worker_id', null]);
    const assigned = changes.map(([column]) => `${column} = ?`).join(', ');
    const update = byColumns.get(assigned) ?? statement<unknown[]>(`UPDATE items SET ${assigned} WHERE seq = ?`);
    byColumns.set(assigned, update);
    update().run(...changes.map(([, value]) => value), seq);
  };
}

function createChange(connection: Connection, actor: Actor) {
  const update = connection.statement<[Record<string, unknown>]>(
    `UPDATE items SET state = @state, holds_key = @holdsKey, due_at = @dueAt, attempts = @attempts,
       resource_id = @resourceId, location = @location, remote_status = @remoteStatus, request_id = @requestId,
       http_status = @httpStatus, answered_company = @answeredCompany, error_code = @errorCode,
       reason = @reason, lookup = @lookup, sent_at = @sentAt, settled_at = @settledAt, updated_at = @at,
       epoch = @epoch, worker_id = @workerId
     WHERE seq = @seq`,
  );
  const log = createLog(connection, actor);
  return (item: Place, { patch, event, workerId, epoch }: Change): void => {
    update().run({ ...patched(item, patch), seq: item.seq, at: event.at, workerId, epoch });
    log(item, { patch, event });
  };
}

function createLog({ statement }: Connection, actor: Actor) {
  const { machine, user, ciRun } = actorValues(actor);
  const log = statement<[number, number, ItemState, ItemState, string, ...(string | null)[]]>(
    `INSERT INTO item_events (item, at, from_state, to_state, step, machine, os_user, ci_run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ seq, state }: Pick<Place, 'seq' | 'state'>, { patch, event }: Pick<Change, 'patch' | 'event'>): void => {
    log().run(seq, event.at, state, patch.state, stepText(event.step), machine, user, ciRun);
  };
}
