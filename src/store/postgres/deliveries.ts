import {
  byOrder,
  deliveryColumns,
  type DeliveryRecord,
  type HeldRecord,
  sumOf,
  toDelivery,
  toHeld,
} from '../delivery-columns.js';
import type { DeliveryPatch, DeliveryRows, DeliveryState } from '../deliveries.js';
import { wholeMs } from '../row.js';
import { alone, type Connection, type Queries } from './connection.js';

const open = "state IN ('received', 'forwarding')";

/** The webhook events. */
export function createDeliveryRows(connection: Connection): DeliveryRows {
  const { all, get } = connection;
  return {
    ...createStoring(connection),
    ...createDeliveryQueue(connection),
    ...createDeliveryPrune(connection),
    async get(profile, id) {
      const row = await get<HeldRecord>(
        `SELECT ${deliveryColumns}, body FROM fiscal.webhook_events WHERE profile = @profile AND id = @id`,
        { profile, id },
      );
      return row === undefined ? undefined : toHeld(row);
    },
    async lastAt(profile, resource) {
      const row = await get<{ receivedAt: number }>(
        `SELECT received_at AS "receivedAt" FROM fiscal.webhook_events
         WHERE profile = @profile AND resource = @resource ORDER BY seq DESC LIMIT 1`,
        { profile, resource },
      );
      return row?.receivedAt;
    },
    list: async (filter) =>
      (
        await all<DeliveryRecord>(
          `SELECT ${deliveryColumns} FROM fiscal.webhook_events
           WHERE profile = @profile AND seq < @before AND received_at >= @since
             AND (@event::text IS NULL OR event = @event) AND (@resource::text IS NULL OR resource = @resource)
             AND (@states::text[] IS NULL OR state = ANY (@states))
           ORDER BY seq DESC LIMIT @limit`,
          { before: Number.MAX_SAFE_INTEGER, since: Number.MIN_SAFE_INTEGER, ...filter },
        )
      ).map(toDelivery),
    counts: async (profile) =>
      sumOf(
        await all<{ state: DeliveryState; count: number }>(
          'SELECT state, count(*) AS count FROM fiscal.webhook_events WHERE profile = @profile GROUP BY state',
          { profile },
        ),
      ),
  };
}

/** Who changes which event of a resource is first waits for the others that do. */
async function aloneWith(queries: Queries, profile: string, resource: string): Promise<void> {
  if (resource !== '') await alone(queries, 'deliveries', profile, resource);
}

function createStoring({ together }: Connection): Pick<DeliveryRows, 'add' | 'again'> {
  return {
    add: ({ wanted, ...delivery }) =>
      together(async (queries) => {
        await aloneWith(queries, delivery.profile, delivery.resource);
        const added = await queries.run(
          `INSERT INTO fiscal.webhook_events (id, profile, received_at, scheme, hook_id, event, resource, body, digest,
             state, due_at)
           SELECT @id, @profile, @at::bigint, @scheme, @hookId, @event, @resource, @body::bytea, @digest, @state,
             CASE WHEN @state = 'received' AND (@resource = '' OR NOT EXISTS
               (SELECT 1 FROM fiscal.webhook_events WHERE profile = @profile AND resource = @resource AND ${open}))
               THEN @at::bigint END
           WHERE NOT EXISTS (SELECT 1 FROM fiscal.webhook_events
             WHERE profile = @profile AND digest = @digest AND hook_id = @hookId)
           ON CONFLICT (profile, digest, hook_id) DO NOTHING`.replaceAll(/@(?!at|body)\w+/g, '$&::text'),
          { ...delivery, state: wanted ? 'received' : 'kept' },
        );
        if (added === 1) return { isNew: true, id: delivery.id };
        const { profile, digest, hookId } = delivery;
        const copy = await queries.get<{ id: string }>(
          `UPDATE fiscal.webhook_events SET copies = copies + 1
           WHERE profile = @profile AND digest = @digest AND hook_id = @hookId RETURNING id`,
          { profile, digest, hookId },
        );
        return { isNew: false, id: copy?.id ?? delivery.id };
      }),
    again: (which) =>
      together(async (queries) => {
        const { profile, at } = which;
        const chosen = 'id' in which ? 'id = @id' : 'received_at >= @since AND state = ANY (@states)';
        const rows = await queries.all<{ resource: string }>(
          `UPDATE fiscal.webhook_events SET state = 'received', attempts = 0, done_by = '[]', settled_at = NULL,
             worker_id = NULL, due_at = CASE WHEN resource = '' THEN @at::bigint END
           WHERE profile = @profile AND NOT (${open}) AND ${chosen} RETURNING resource`,
          { ...which },
        );
        for (const resource of [...new Set(rows.map((row) => row.resource))].toSorted()) {
          await aloneWith(queries, profile, resource);
          const active = await queries.get(
            `SELECT 1 FROM fiscal.webhook_events
             WHERE profile = @profile AND resource = @resource AND ${open} AND due_at IS NOT NULL`,
            { profile, resource },
          );
          if (resource !== '' && active === undefined) await letNextGo(queries, { profile, resource, at });
        }
        return rows.length;
      }),
  };
}

const isFree = `(worker_id IS NULL OR NOT EXISTS
  (SELECT 1 FROM fiscal.workers AS w WHERE w.id = e.worker_id AND w.expires_at > @now))`;

type Queue = Pick<DeliveryRows, 'claim' | 'conclude' | 'release' | 'nextDue'>;

/**
 * Forwarding: events are claimed under a lease and finished by the worker that still holds them, one per resource at a
 * time.
 */
function createDeliveryQueue({ all, get, run, together }: Connection): Queue {
  return {
    claim: async (claim) =>
      (
        await all<HeldRecord>(
          `UPDATE fiscal.webhook_events SET worker_id = @workerId, state = 'forwarding'
           WHERE seq IN (SELECT seq FROM fiscal.webhook_events AS e
             WHERE profile = @profile AND due_at IS NOT NULL AND due_at <= @now AND ${isFree}
               AND EXISTS (SELECT 1 FROM fiscal.workers WHERE id = @workerId AND expires_at > @now)
             ORDER BY due_at, seq LIMIT @limit FOR UPDATE OF e SKIP LOCKED)
           RETURNING ${deliveryColumns}, body`,
          { ...claim },
        )
      )
        .map(toHeld)
        .toSorted(byOrder),
    conclude: (held, patch) => together((queries) => conclude(queries, held, patch)),
    async release(workerId) {
      await run(
        `UPDATE fiscal.webhook_events SET worker_id = NULL, state = 'received'
         WHERE worker_id = @workerId AND state = 'forwarding'`,
        { workerId },
      );
    },
    async nextDue(profile, now) {
      const row = await get<{ dueAt: number }>(
        `SELECT due_at AS "dueAt" FROM fiscal.webhook_events AS e
         WHERE profile = @profile AND due_at IS NOT NULL AND ${isFree} ORDER BY due_at LIMIT 1`,
        { profile, now },
      );
      return row?.dueAt;
    },
  };
}

async function conclude(
  queries: Queries,
  held: { readonly id: string; readonly workerId: string },
  patch: DeliveryPatch,
): Promise<boolean> {
  const found = await queries.get<{ profile: string; resource: string }>(
    'SELECT profile, resource FROM fiscal.webhook_events WHERE id = @id',
    held,
  );
  if (found === undefined) return false;
  await aloneWith(queries, found.profile, found.resource);
  const isOpen = patch.state === 'received';
  const changes = await queries.run(
    `UPDATE fiscal.webhook_events SET state = @state, attempts = @attempts, due_at = @dueAt, last_error = @lastError,
       done_by = @doneBy, settled_at = @settledAt, worker_id = NULL
     WHERE id = @id AND worker_id = @workerId AND state = 'forwarding'`,
    {
      ...held,
      state: patch.state,
      attempts: patch.attempts,
      dueAt: isOpen ? wholeMs(patch.dueAt) : null,
      lastError: patch.lastError,
      doneBy: JSON.stringify(patch.doneBy),
      settledAt: isOpen ? null : wholeMs(patch.at),
    },
  );
  if (changes === 0) return false;
  if (!isOpen && found.resource !== '') await letNextGo(queries, { ...found, at: patch.at });
  return true;
}

/** Makes the oldest unfinished event of the resource due, unless one already is. */
async function letNextGo(
  { run }: Queries,
  { at, ...of }: { readonly profile: string; readonly resource: string; readonly at: number },
): Promise<void> {
  await run(
    `UPDATE fiscal.webhook_events SET due_at = @at WHERE due_at IS NULL AND seq =
       (SELECT seq FROM fiscal.webhook_events WHERE profile = @profile AND resource = @resource AND ${open}
        ORDER BY seq LIMIT 1)`,
    { ...of, at: wholeMs(at) },
  );
}

/** Events per transaction, so that removing many does not block a listener for long. */
const pageSize = 1_000;

const ended = "state IN ('delivered', 'kept') AND coalesce(settled_at, received_at) < @before";

/** Removes finished events; those waiting, also for a person, stay. */
function createDeliveryPrune({ get, run }: Connection): Pick<DeliveryRows, 'prune' | 'prunable'> {
  return {
    async prunable(before) {
      const row = await get<{ count: number }>(
        `SELECT count(*) AS count FROM fiscal.webhook_events WHERE ${ended}`,
        { before },
      );
      return row?.count ?? 0;
    },
    async prune(before) {
      for (let removed = 0; ; ) {
        const changes = await run(
          `DELETE FROM fiscal.webhook_events WHERE seq IN
             (SELECT seq FROM fiscal.webhook_events WHERE ${ended} ORDER BY seq LIMIT ${pageSize})`,
          { before },
        );
        if (changes === 0) return removed;
        removed += changes;
      }
    },
  };
}
