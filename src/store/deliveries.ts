import { present } from '../domain/record.js';
import { failuresIn, type TargetReason } from './item-history.js';
import { fromJson, wholeMs } from './row.js';
import {
  all,
  alone,
  among,
  type Db,
  get,
  given,
  indexedBy,
  limited,
  Part,
  run,
  type Sql,
  sql,
  type Step,
  t,
  words,
} from './sql.js';

/**
 * `received`: waits to be forwarded · `forwarding`: a process holds it · `delivered`: accepted by every target ·
 * `dead`: given up, left for a person · `kept`: genuine, but of a type that nobody asked for.
 */
export type DeliveryState = 'received' | 'forwarding' | 'delivered' | 'dead' | 'kept';

/** A genuine webhook event that was received and stored, without its body. */
export interface DeliveryRow {
  /** The order in which events were acknowledged. */
  readonly seq: number;
  readonly id: string;
  readonly profile: string;
  readonly receivedAt: number;
  readonly scheme: string;
  /** The sender's id for the delivery or the subscription; empty when missing. */
  readonly hookId: string;
  /** The name of the event, unchanged; empty when missing. */
  readonly event: string;
  /**
   * The resource of the event; events of one resource are forwarded one after another. Empty when unknown; then in no
   * order.
   */
  readonly resource: string;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly bytes: number;
  readonly state: DeliveryState;
  /** Attempts since it was stored or last resent. */
  readonly attempts: number;
  /** How often the same delivery arrived, including the first time. */
  readonly copies: number;
  /** Not before this time. Absent: finished, or behind an earlier event of the resource. */
  readonly dueAt?: number;
  /** Why targets did not take it at the last attempt. */
  readonly failures?: readonly TargetReason[];
  /** The targets that have already accepted it. */
  readonly doneBy: readonly string[];
  readonly settledAt?: number;
}

export interface HeldDelivery extends DeliveryRow {
  /** The exact bytes that were signed. */
  readonly body: Uint8Array;
}

export interface NewDelivery {
  readonly id: string;
  readonly profile: string;
  readonly at: number;
  readonly scheme: string;
  readonly hookId: string;
  /** The id, where the signature covers it. */
  readonly signedId: string;
  readonly event: string;
  readonly resource: string;
  readonly body: Uint8Array;
  readonly digest: string;
  /** False: stored as `kept`. */
  readonly wanted: boolean;
}

/** The result of one attempt. `received` is tried again at `dueAt`. */
export type DeliveryPatch = {
  readonly attempts: number;
  readonly doneBy: readonly string[];
  readonly failures?: readonly TargetReason[];
  readonly at: number;
} & ({ readonly state: 'delivered' | 'dead' } | { readonly state: 'received'; readonly dueAt: number });

export interface DeliveryFilter {
  readonly profile: string;
  readonly states?: readonly DeliveryState[];
  readonly event?: string;
  readonly resource?: string;
  /** Received at this time or later. */
  readonly since?: number;
  /** Older than this `seq`: where the previous page ended. */
  readonly before?: number;
  readonly limit: number;
}

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

export interface DeliveryRows {
  /**
   * Stores an event. When the same one (signed id and digest of the body) is already stored, only its copies are counted.
   * Durable when resolved: only then may it be acknowledged.
   */
  add(delivery: NewDelivery): Promise<{ readonly isNew: boolean; readonly id: string }>;
  get(profile: string, id: string): Promise<HeldDelivery | undefined>;
  /** When the newest event about a resource was received. Fast for any number of events. */
  lastAt(profile: string, resource: string): Promise<number | undefined>;
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly DeliveryRow[]>;
  counts(profile: string): Promise<DeliveryCounts>;
  /**
   * Claims up to `limit` due events that no living worker holds, oldest first, and of each resource only the first
   * unfinished one. Returns nothing for a worker without a lease.
   */
  claim(claim: {
    readonly workerId: string;
    readonly profile: string;
    readonly limit: number;
    readonly now: number;
  }): Promise<readonly HeldDelivery[]>;
  /**
   * Stores the result of one attempt. False, and nothing written, when the worker no longer holds the event. A finished
   * event releases the next one of its resource.
   */
  conclude(held: { readonly id: string; readonly workerId: string }, patch: DeliveryPatch): Promise<boolean>;
  /** Returns the events of a worker that ends to the queue, unchanged. */
  release(workerId: string): Promise<void>;
  /** The earliest time at which an unclaimed event is due; `undefined` when there is none. */
  nextDue(profile: string, now: number): Promise<number | undefined>;
  /**
   * Puts finished events (by id, or with these states since a time) back into the queue, with no attempts and no
   * targets done. Returns their number.
   */
  again(
    which: { readonly profile: string; readonly at: number } & (
      | { readonly id: string }
      | { readonly since: number; readonly states: readonly DeliveryState[] }
    ),
  ): Promise<number>;
  /**
   * Deletes events of all profiles that were delivered, or received as `kept`, before this time; a later copy counts as
   * new.
   */
  prune(before: number): Promise<number>;
  /** How many events `prune` would delete. */
  prunable(before: number): Promise<number>;
}
const columns =
  words(`seq, id, profile, received_at AS "receivedAt", scheme, hook_id AS "hookId", event, resource, digest,
  length(body) AS bytes, state, attempts, copies, due_at AS "dueAt", failures, done_by AS "doneBy",
  settled_at AS "settledAt"`);

interface DeliveryRecord extends Omit<DeliveryRow, 'doneBy' | 'dueAt' | 'failures' | 'settledAt'> {
  readonly doneBy: string;
  readonly dueAt: number | null;
  readonly failures: string | null;
  readonly settledAt: number | null;
}

type HeldRecord = DeliveryRecord & { readonly body: Buffer };

function toDelivery(record: DeliveryRecord): DeliveryRow {
  const { doneBy, failures, ...row } = record;
  return { ...present({ ...row, failures: failuresIn(failures) }), doneBy: names(doneBy) };
}

function toHeld({ body, ...record }: HeldRecord): HeldDelivery {
  return { ...toDelivery(record), body };
}

function names(json: string): readonly string[] {
  const value = fromJson(json);
  return Array.isArray(value) ? value.map(String) : [];
}

const none: DeliveryCounts = { received: 0, forwarding: 0, delivered: 0, dead: 0, kept: 0 };

function sumOf(rows: readonly { readonly state: DeliveryState; readonly count: number }[]): DeliveryCounts {
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** The order of work. */
function byOrder(left: { dueAt?: number; seq: number }, right: { dueAt?: number; seq: number }): number {
  return (left.dueAt ?? 0) - (right.dueAt ?? 0) || left.seq - right.seq;
}

const open = words("state IN ('received', 'forwarding')");
const waiting = indexedBy('webhook_events_waiting');
const skipLocked = new Part('', 'FOR UPDATE OF e SKIP LOCKED');

const isFree = (now: number): Sql => sql`(worker_id IS NULL OR NOT EXISTS
  (SELECT 1 FROM ${t.workers} AS w WHERE w.id = e.worker_id AND w.expires_at > ${now}))`;

const hasEnded = (before: number): Sql =>
  sql`state IN ('delivered', 'kept') AND coalesce(settled_at, received_at) < ${before}`;

/** Events per transaction, so that removing many does not block a listener for long. */
const PAGE = 1_000;

/** The webhook events. */
export function createDeliveryRows(db: Db): DeliveryRows {
  return {
    get: (profile, id) =>
      db.get(sql`SELECT ${columns}, body FROM ${t.webhook_events} WHERE profile = ${profile} AND id = ${id}`, toHeld),
    lastAt: (profile, resource) =>
      db.get(
        sql`SELECT received_at AS "receivedAt" FROM ${t.webhook_events}
          WHERE profile = ${profile} AND resource = ${resource} ORDER BY seq DESC LIMIT 1`,
        ({ receivedAt }: { receivedAt: number }) => receivedAt,
      ),
    list: ({ profile, states, event, resource, since, before, limit }) =>
      db.all(
        sql`SELECT ${columns} FROM ${t.webhook_events} WHERE profile = ${profile}
            ${given(before, sql`AND seq < ${before}`)} ${given(since, sql`AND received_at >= ${since}`)}
            ${given(event, sql`AND event = ${event}`)} ${given(resource, sql`AND resource = ${resource}`)}
            ${given(states, sql`AND state ${among(states ?? [])}`)}
          ORDER BY seq DESC ${limited(limit)}`,
        toDelivery,
      ),
    counts: async (profile) =>
      sumOf(
        await db.all<{ state: DeliveryState; count: number }>(
          sql`SELECT state, count(*) AS count FROM ${t.webhook_events} WHERE profile = ${profile} GROUP BY state`,
        ),
      ),
    add: ({ wanted, id, profile, at, scheme, hookId, signedId, event, resource, body, digest }) =>
      db.together(function* () {
        yield* aloneWith(profile, resource);
        const isBehind = sql`${resource} <> '' AND EXISTS (SELECT 1 FROM ${t.webhook_events} ${waiting}
          WHERE profile = ${profile} AND resource = ${resource} AND ${open})`;
        const dueAt = wanted ? sql`CASE WHEN ${isBehind} THEN NULL ELSE CAST(${at} AS bigint) END` : sql`NULL`;
        const added = yield* run(
          sql`INSERT INTO ${t.webhook_events} (id, profile, received_at, scheme, hook_id, signed_id, event, resource, body, digest,
              state, due_at)
            VALUES (${id}, ${profile}, ${at}, ${scheme}, ${hookId}, ${signedId}, ${event}, ${resource}, ${body}, ${digest},
              ${wanted ? 'received' : 'kept'}, ${dueAt})
            ON CONFLICT (profile, digest, signed_id) DO NOTHING`,
        );
        if (added === 1) return { isNew: true, id };
        const copy = yield* get<{ id: string }>(
          sql`UPDATE ${t.webhook_events} SET copies = copies + 1
            WHERE profile = ${profile} AND digest = ${digest} AND signed_id = ${signedId} RETURNING id`,
        );
        return { isNew: false, id: copy?.id ?? id };
      }),
    again: (which) =>
      db.together(function* () {
        const { profile, at } = which;
        const chosen =
          'id' in which ? sql`id = ${which.id}` : sql`received_at >= ${which.since} AND state ${among(which.states)}`;
        const rows = yield* all<{ resource: string }>(
          sql`UPDATE ${t.webhook_events} SET state = 'received', attempts = 0, done_by = '[]', settled_at = NULL,
              worker_id = NULL, due_at = CASE WHEN resource = '' THEN CAST(${at} AS bigint) END
            WHERE profile = ${profile} AND NOT (${open}) AND ${chosen} RETURNING resource`,
        );
        for (const resource of [...new Set(rows.map((row) => row.resource))].filter(Boolean).toSorted()) {
          yield* aloneWith(profile, resource);
          const active = yield* get(
            sql`SELECT 1 FROM ${t.webhook_events} ${waiting}
              WHERE profile = ${profile} AND resource = ${resource} AND ${open} AND due_at IS NOT NULL`,
          );
          if (active === undefined) yield* letNextGo(profile, resource, at);
        }
        return rows.length;
      }),
    // A claim promises nothing: one lost with the machine counts as a dead worker's.
    claim: async ({ workerId, profile, limit, now }) =>
      (
        await db.change(
          sql`UPDATE ${t.webhook_events} SET worker_id = ${workerId}, state = 'forwarding'
            WHERE seq IN (SELECT seq FROM ${t.webhook_events} AS e
              WHERE profile = ${profile} AND due_at IS NOT NULL AND due_at <= ${now} AND ${isFree(now)}
                AND EXISTS (SELECT 1 FROM ${t.workers} WHERE id = ${workerId} AND expires_at > ${now})
              ORDER BY due_at, seq ${limited(limit)} ${skipLocked})
            RETURNING ${columns}, body`,
          toHeld,
          { durable: false },
        )
      ).toSorted(byOrder),
    conclude: ({ id, workerId }, patch) =>
      db.together(
        function* () {
          const found = yield* get<{ profile: string; resource: string }>(
            sql`SELECT profile, resource FROM ${t.webhook_events} WHERE id = ${id}`,
          );
          if (found === undefined) return false;
          const { profile, resource } = found;
          yield* aloneWith(profile, resource);
          const { state, attempts, failures, doneBy, at } = patch;
          const dueAt = state === 'received' ? wholeMs(patch.dueAt) : null;
          const settledAt = state === 'received' ? null : wholeMs(at);
          const changes = yield* run(
            sql`UPDATE ${t.webhook_events} SET state = ${state}, attempts = ${attempts}, due_at = ${dueAt},
                failures = ${failures && JSON.stringify(failures)}, done_by = ${JSON.stringify(doneBy)}, settled_at = ${settledAt}, worker_id = NULL
              WHERE id = ${id} AND worker_id = ${workerId} AND state = 'forwarding'`,
          );
          if (changes === 0) return false;
          if (state !== 'received' && resource !== '') yield* letNextGo(profile, resource, at);
          return true;
        },
        { durable: patch.state === 'dead' },
      ),
    release: async (workerId) =>
      void (await db.run(
        sql`UPDATE ${t.webhook_events} SET worker_id = NULL, state = 'received'
          WHERE worker_id = ${workerId} AND state = 'forwarding'`,
      )),
    nextDue: (profile, now) =>
      db.get(
        sql`SELECT due_at AS "dueAt" FROM ${t.webhook_events} AS e
          WHERE profile = ${profile} AND due_at IS NOT NULL AND ${isFree(now)} ORDER BY due_at LIMIT 1`,
        ({ dueAt }: { dueAt: number }) => dueAt,
      ),
    async prunable(before) {
      const row = await db.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${t.webhook_events} WHERE ${hasEnded(before)}`,
      );
      return row?.count ?? 0;
    },
    /** Those waiting, also for a person, stay. */
    async prune(before) {
      let removed = 0;
      for (let after = 0; ; ) {
        const page = await db.change<{ seq: number }>(
          sql`DELETE FROM ${t.webhook_events} WHERE seq IN (SELECT seq FROM ${t.webhook_events}
            WHERE seq > ${after} AND ${hasEnded(before)} ORDER BY seq ${limited(PAGE)}) RETURNING seq`,
        );
        if (page.length === 0) return removed;
        removed += page.length;
        after = Math.max(...page.map(({ seq }) => seq));
      }
    },
  };
}

/** Who changes which event of a resource is first waits for the others that do. */
function* aloneWith(profile: string, resource: string): Step<void> {
  if (resource !== '') yield* alone('deliveries', profile, resource);
}

/** Makes the oldest unfinished event of the resource due, unless one already is. */
function* letNextGo(profile: string, resource: string, at: number): Step<void> {
  yield* run(
    sql`UPDATE ${t.webhook_events} SET due_at = ${wholeMs(at)} WHERE due_at IS NULL AND seq =
      (SELECT seq FROM ${t.webhook_events} ${waiting} WHERE profile = ${profile} AND resource = ${resource} AND ${open}
        ORDER BY seq LIMIT 1)`,
  );
}
