import type { Actor } from '../../domain/actor.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { actorValues } from '../actor-columns.js';
import {
  assignmentsIn,
  byUrgency,
  itemColumns,
  type ItemRecord,
  patched,
  type Place,
  toItem,
} from '../item-columns.js';
import { stepText } from '../item-history.js';
import { type ItemWork, placeOf, statementsAlong, storeAlong } from '../items.js';
import { pacesOf } from '../pace.js';
import { sound } from '../row.js';
import { type Db, get, given, limited, run, serverMs, type Sql, sql, type Step, t, words } from '../sql.js';
import type { Along, Claim, HostPace, ItemRow, ItemRows } from '../store.js';
import type { ServerClock } from './store-clock.js';

const columns = words(itemColumns);

// The name of a table in `FOR UPDATE` is that of the query, so the items have one.
const isFree = (now: number): Sql => sql`replaced = 0 AND (worker_id IS NULL
  OR NOT EXISTS (SELECT 1 FROM ${t.workers} AS w WHERE w.id = i.worker_id AND w.expires_at > ${now}))`;

const wantedStates = (states: Claim['states']): Sql =>
  sql`unnest(CAST(${[...new Set(states)]} AS text[])) AS wanted (wanted_state)`;

/**
 * A worker without a lease claims nothing: others could take its items at once. Rows that another claim is about to take
 * are passed over, so that no worker waits for another one.
 */
export const take = (
  { workerId, jobId, limit, now, states }: Claim,
  { paces }: Pick<Along, 'paces'> = {},
): Sql => sql`WITH found AS MATERIALIZED (
    SELECT seq FROM ${wantedStates(states)} CROSS JOIN LATERAL (
      SELECT seq, state, due_at, ordinal FROM ${t.items} AS i
      WHERE job_id = ${jobId} AND state = wanted_state AND due_at <= ${now} AND ${isFree(now)}
        AND EXISTS (SELECT 1 FROM ${t.workers} WHERE id = ${workerId} AND expires_at > ${now})
        AND EXISTS (SELECT 1 FROM ${t.jobs} WHERE id = ${jobId} AND state <> 'loading')
      ORDER BY due_at, ordinal ${limited(limit)} FOR UPDATE OF i SKIP LOCKED) AS due
    ORDER BY due.state <> 'sending', due.due_at, due.ordinal ${limited(limit)}),
  taken AS (UPDATE ${t.items} SET worker_id = ${workerId}, epoch = epoch + 1, updated_at = ${now}
    WHERE seq IN (SELECT seq FROM found) RETURNING ${columns})
  SELECT taken.*, ${serverMs} AS "serverMs", fiscal.server_history() AS history
    ${given(paces, sql`, ${pacesIn(sql`(SELECT profile FROM ${t.jobs} WHERE id = ${jobId})`)} AS paces`)}
  FROM (SELECT 1) AS always LEFT JOIN taken ON true`;

/** As one value. */
const pacesIn = (profile: Sql): Sql => sql`(SELECT json_agg(p) FROM (${pacesOf(profile)}) AS p)`;

/** `null`: no host has one. */
interface WithPaces {
  readonly paces?: readonly HostPace[] | null;
}

/** One row without an item where none was taken. */
type Claimed = (ItemRecord | { readonly id: null }) &
  WithPaces & { readonly serverMs: number; readonly history: string | null };

export interface Claiming {
  readonly clock: ServerClock;
  /** What errors call the store. */
  readonly path: string;
  /** That of the server when the store was opened. */
  readonly history: string | null;
  readonly actor: Actor;
}

/** A server that does not say which one it is counts as the same. */
function isOther(seen: string | null | undefined, known: string | null): boolean {
  return typeof seen === 'string' && known !== null && seen !== known;
}

function givePaces({ paces }: Pick<Along, 'paces'> = {}, row: WithPaces | undefined): void {
  if (row !== undefined) paces?.((row.paces ?? []).map(sound));
}

/** A statement without an answer may have stored them although the item was held by another worker. */
function* hasCalls({ calls: [first] = [] }: Along): Step<boolean> {
  if (first === undefined) return false;
  const { at, itemId, operation } = first;
  const stored = yield* get(
    sql`SELECT 1 FROM ${t.history} WHERE at = ${at} AND item_id = ${itemId} AND operation = ${operation} LIMIT 1`,
  );
  return stored !== undefined;
}

type Transition = Parameters<ItemRows['transition']>;

/** What the workers claim, and the steps of items. */
export function createItemWork(db: Db, { clock, path, history, actor }: Claiming): ItemWork {
  const { machine, user, ciRun } = actorValues(actor);

  function* change(item: Place, { patch, event, workerId, epoch }: Parameters<ItemWork['change']>[1]): Step<void> {
    const next = patched(item, patch);
    yield* run(
      sql`WITH changed AS (
          UPDATE ${t.items} SET state = ${next.state}, holds_key = ${next.holdsKey}, due_at = ${next.dueAt},
            attempts = ${next.attempts}, resource_id = ${next.resourceId}, location = ${next.location},
            remote_status = ${next.remoteStatus}, request_id = ${next.requestId}, http_status = ${next.httpStatus},
            answered_company = ${next.answeredCompany}, error_code = ${next.errorCode}, reason = ${next.reason},
            lookup = ${next.lookup}, sent_at = ${next.sentAt}, settled_at = ${next.settledAt}, updated_at = ${event.at},
            epoch = ${epoch}, worker_id = ${workerId}
          WHERE seq = ${item.seq})
        INSERT INTO ${t.item_events} (item, at, from_state, to_state, step, machine, os_user, ci_run)
        VALUES (${item.seq}, ${event.at}, ${item.state}, ${patch.state}, ${stepText(event.step)}, ${machine}, ${user}, ${ciRun})`,
    );
  }

  /** One statement, so that a step costs one round trip. */
  const stepOf = ([{ id, workerId, epoch }, patch, event, along = {}]: Transition): Sql => {
    const { calls, known } = statementsAlong(along, actor);
    return sql`WITH held AS MATERIALIZED (
        SELECT seq, state, profile FROM ${t.items} WHERE id = ${id} AND worker_id = ${workerId} AND epoch = ${epoch} FOR UPDATE),
      changed AS (
        UPDATE ${t.items} AS i SET ${assignmentsIn(patch)}state = ${patch.state}, holds_key = ${patch.holdsKey ? 1 : 0}, updated_at = ${event.at},
          worker_id = ${patch.keep ? workerId : null}
        FROM held WHERE i.seq = held.seq)
      ${given(calls, sql`, calls AS (${calls})`)} ${given(known, sql`, seen AS (${known})`)}
      INSERT INTO ${t.item_events} (item, at, from_state, to_state, step, machine, os_user, ci_run)
      SELECT seq, CAST(${event.at} AS bigint), state, ${patch.state}, ${stepText(event.step)}, ${machine}, ${user}, ${ciRun} FROM held
      RETURNING ${along.paces === undefined ? sql`NULL` : pacesIn(sql`(SELECT profile FROM held)`)} AS paces`;
  };

  /** The same step, unless the history of the item has it already, and what goes along with it. */
  function* stepOnce([{ id, workerId, epoch }, patch, event, along = {}]: Transition): Step<boolean> {
    const item = yield* placeOf(id);
    const written = yield* get(
      sql`SELECT 1 FROM ${t.item_events}
        WHERE item = ${item?.seq} AND at = ${event.at} AND to_state = ${patch.state} AND step = ${stepText(event.step)} LIMIT 1`,
    );
    if (written !== undefined) return true;
    yield* storeAlong((yield* hasCalls(along)) ? { ...along, calls: [] } : along, actor);
    if (item === undefined || item.workerId !== workerId || item.epoch !== epoch) return false;
    yield* change(item, { patch, event, epoch, workerId: patch.keep ? workerId : null });
    return true;
  }

  return {
    change,
    async claim(wanted, along) {
      let taken: readonly Claimed[] = [];
      await clock.reading(async () => {
        taken = await db.change<Claimed>(take(wanted, along));
        return taken[0];
      });
      // What looks unsent may have been sent: the next command that opens the store finds out.
      if (isOther(taken[0]?.history, history)) throw new FiscalError('store.replaced', { path }, { retryable: true });
      givePaces(
        along,
        taken.find((row) => row.id !== null),
      );
      return taken
        .filter((row) => row.id !== null)
        .map(({ serverMs: _read, history: _same, paces: _given, ...record }) => record)
        .toSorted(byUrgency)
        .map(toItem);
    },
    /** A statement whose connection is lost may have been carried out: then the history of the item tells. */
    async transition(...asked) {
      try {
        const [written] = await db.change<WithPaces>(stepOf(asked));
        givePaces(asked[3], written);
        return written !== undefined;
      } catch (error) {
        if (!(error instanceof FiscalError) || error.code !== 'store.unreachable') throw error;
        return await db.together(() => stepOnce(asked));
      }
    },
    wake: ({ profile, resourceId }) =>
      db.change<Pick<ItemRow, 'id' | 'jobId'>>(
        sql`UPDATE ${t.items} SET due_at = 0 WHERE profile = ${profile} AND resource_id = ${resourceId}
          AND state = 'pending' AND replaced = 0 RETURNING id, job_id AS "jobId"`,
      ),
    async nextDue(jobId, states, now) {
      const row = await db.get<{ dueAt: number | null }>(
        sql`SELECT min(due.due_at) AS "dueAt" FROM ${wantedStates(states)} CROSS JOIN LATERAL (
          SELECT due_at FROM ${t.items} AS i
          WHERE job_id = ${jobId} AND state = wanted_state AND ${isFree(now)} ORDER BY due_at LIMIT 1) AS due`,
      );
      return row?.dueAt ?? undefined;
    },
  };
}
