import type { DeliveryPatch, DeliveryRows, DeliveryState, NewDelivery } from '../deliveries.js';
import {
  byOrder,
  deliveryColumns,
  type DeliveryRecord,
  type HeldRecord,
  sumOf,
  toDelivery,
  toHeld,
} from '../delivery-columns.js';
import { sound, wholeMs } from '../row.js';
import type { Connection } from './connection.js';

const open = "state IN ('received', 'forwarding')";

/** The webhook events of this machine. Storing an event takes one statement, since the sender waits for it. */
export function createDeliveryRows(connection: Connection): DeliveryRows {
  const { statement, read, write } = connection;
  const store = createStoring(connection);
  const again = createAgain(connection);
  const one = statement<[Record<string, unknown>], HeldRecord>(
    `SELECT ${deliveryColumns}, body FROM webhook_events WHERE profile = @profile AND id = @id`,
  );
  const counted = statement<[string], { state: DeliveryState; count: number }>(
    'SELECT state, count(*) AS count FROM webhook_events WHERE profile = ? GROUP BY state',
  );
  return {
    ...createDeliveryQueue(connection),
    ...createDeliveryPrune(connection),
    add: (delivery) => write(() => store(delivery)),
    get: (profile, id) =>
      read(() => {
        const row = one().get({ profile, id });
        return row === undefined ? undefined : toHeld(row);
      }),
    lastAt: createLastAt(connection),
    list: createList(connection),
    counts: (profile) => read(() => sumOf(counted().all(profile))),
    again: (which) => write(() => again(which)),
  };
}

function createLastAt({ statement, read }: Connection): DeliveryRows['lastAt'] {
  const newest = statement<[string, string], { receivedAt: number }>(
    `SELECT received_at AS receivedAt FROM webhook_events WHERE profile = ? AND resource = ? ORDER BY seq DESC LIMIT 1`,
  );
  return (profile, resource) =>
    read(() => {
      const row = newest().get(profile, resource);
      return row && sound(row).receivedAt;
    });
}

function createList({ statement, read }: Connection): DeliveryRows['list'] {
  const page = statement<[Record<string, unknown>], DeliveryRecord>(
    `SELECT ${deliveryColumns} FROM webhook_events
     WHERE profile = @profile AND seq < @before AND received_at >= @since
       AND (@event IS NULL OR event = @event) AND (@resource IS NULL OR resource = @resource)
       AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY seq DESC LIMIT +@limit`,
  );
  return ({ states, ...filter }) =>
    read(() =>
      page()
        .all({ ...everything, ...filter, states: states === undefined ? null : JSON.stringify(states) })
        .map(toDelivery),
    );
}

const everything = {
  before: Number.MAX_SAFE_INTEGER,
  since: Number.MIN_SAFE_INTEGER,
  event: null,
  resource: null,
};

function createStoring({ statement }: Connection): (delivery: NewDelivery) => { isNew: boolean; id: string } {
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO webhook_events (id, profile, received_at, scheme, hook_id, event, resource, body, digest, state, due_at)
     SELECT @id, @profile, @at, @scheme, @hookId, @event, @resource, @body, @digest, @state,
       CASE WHEN @state = 'received' AND (@resource = '' OR NOT EXISTS
         (SELECT 1 FROM webhook_events INDEXED BY webhook_events_waiting
          WHERE profile = @profile AND resource = @resource AND ${open})) THEN @at END
     WHERE true ON CONFLICT (profile, digest, hook_id) DO NOTHING`,
  );
  const copy = statement<[Record<string, unknown>], { id: string }>(
    `UPDATE webhook_events SET copies = copies + 1
     WHERE profile = @profile AND digest = @digest AND hook_id = @hookId RETURNING id`,
  );
  return ({ wanted, ...delivery }) => {
    const state = wanted ? 'received' : 'kept';
    if (insert().run({ ...delivery, state }).changes === 1) return { isNew: true, id: delivery.id };
    const { profile, digest, hookId } = delivery;
    return { isNew: false, id: copy().get({ profile, digest, hookId })?.id ?? delivery.id };
  };
}

function createAgain({ statement }: Connection): (which: Parameters<DeliveryRows['again']>[0]) => number {
  const reopen = statement<[Record<string, unknown>], { seq: number; resource: string }>(
    `UPDATE webhook_events SET state = 'received', attempts = 0, done_by = '[]', settled_at = NULL, worker_id = NULL,
       due_at = CASE WHEN resource = '' THEN @at END
     WHERE profile = @profile AND NOT (${open})
       AND CASE WHEN @id IS NULL THEN received_at >= @since AND state IN (SELECT value FROM json_each(@states)) ELSE id = @id END
     RETURNING seq, resource`,
  );
  const active = statement<[string, string]>(
    `SELECT 1 FROM webhook_events INDEXED BY webhook_events_waiting
     WHERE profile = ? AND resource = ? AND ${open} AND due_at IS NOT NULL`,
  );
  const letNextGo = createLetNextGo({ statement });
  return (which) => {
    const chosen = 'id' in which ? { id: which.id, since: 0, states: '[]' } : sinceOf(which);
    const rows = reopen().all({ profile: which.profile, at: which.at, ...chosen });
    for (const resource of new Set(rows.map((row) => row.resource))) {
      const isWaiting = resource !== '' && active().get(which.profile, resource) === undefined;
      if (isWaiting) letNextGo(which.profile, resource, which.at);
    }
    return rows.length;
  };
}

function sinceOf({ since, states }: { readonly since: number; readonly states: readonly DeliveryState[] }) {
  return { id: null, since, states: JSON.stringify(states) };
}

const living = 'SELECT id FROM workers WHERE expires_at > @now';
const isFree = `(worker_id IS NULL OR worker_id NOT IN (${living}))`;

type Queue = Pick<DeliveryRows, 'claim' | 'conclude' | 'release' | 'nextDue'>;

/**
 * Forwarding: events are claimed under a lease and finished by the worker that still holds them, one per resource at a
 * time.
 */
function createDeliveryQueue(connection: Connection): Queue {
  const { statement, read, write } = connection;
  const take = statement<[Record<string, unknown>], HeldRecord>(
    `UPDATE webhook_events SET worker_id = @workerId, state = 'forwarding'
     WHERE EXISTS (SELECT 1 FROM workers WHERE id = @workerId AND expires_at > @now)
       AND seq IN (SELECT seq FROM webhook_events
         WHERE profile = @profile AND due_at IS NOT NULL AND due_at <= @now AND ${isFree}
         ORDER BY due_at, seq LIMIT +@limit)
     RETURNING ${deliveryColumns}, body`,
  );
  const earliest = statement<[Record<string, unknown>], { dueAt: number }>(
    `SELECT due_at AS dueAt FROM webhook_events
     WHERE profile = @profile AND due_at IS NOT NULL AND ${isFree} ORDER BY due_at LIMIT 1`,
  );
  const giveBack = statement<[string]>(
    "UPDATE webhook_events SET worker_id = NULL, state = 'received' WHERE worker_id = ? AND state = 'forwarding'",
  );
  const conclude = createConclude(connection);
  return {
    claim: (claim) =>
      // A claim promises nothing: one lost with the machine counts as a dead worker's.
      write(
        () =>
          take()
            .all({ ...claim })
            .map(toHeld)
            .sort(byOrder),
        { durable: false },
      ),
    conclude: (held, patch) => write(() => conclude(held, patch), { durable: patch.state === 'dead' }),
    release: (workerId) => write(() => void giveBack().run(workerId)),
    nextDue: (profile, now) =>
      read(() => {
        const row = earliest().get({ profile, now });
        return row && sound(row).dueAt;
      }),
  };
}

function createConclude({ statement }: Connection) {
  const finish = statement<[Record<string, unknown>], { profile: string; resource: string }>(
    `UPDATE webhook_events SET state = @state, attempts = @attempts, due_at = @dueAt, last_error = @lastError,
       done_by = @doneBy, settled_at = @settledAt, worker_id = NULL
     WHERE id = @id AND worker_id = @workerId AND state = 'forwarding' RETURNING profile, resource`,
  );
  const letNextGo = createLetNextGo({ statement });
  return (held: { readonly id: string; readonly workerId: string }, patch: DeliveryPatch): boolean => {
    const isOpen = patch.state === 'received';
    const row = finish().get({
      id: held.id,
      workerId: held.workerId,
      state: patch.state,
      attempts: patch.attempts,
      dueAt: isOpen ? wholeMs(patch.dueAt) : null,
      lastError: patch.lastError ?? null,
      doneBy: JSON.stringify(patch.doneBy),
      settledAt: isOpen ? null : wholeMs(patch.at),
    });
    if (row === undefined) return false;
    if (!isOpen && row.resource !== '') letNextGo(row.profile, row.resource, patch.at);
    return true;
  };
}

/** Makes the oldest unfinished event of the resource due, unless one already is. */
function createLetNextGo({ statement }: Pick<Connection, 'statement'>) {
  const first = statement<[Record<string, unknown>]>(
    `UPDATE webhook_events SET due_at = @at WHERE due_at IS NULL AND seq =
       (SELECT seq FROM webhook_events INDEXED BY webhook_events_waiting WHERE profile = @profile AND resource = @resource
          AND state IN ('received', 'forwarding') ORDER BY seq LIMIT 1)`,
  );
  return (profile: string, resource: string, at: number): void => {
    first().run({ profile, resource, at: wholeMs(at) });
  };
}

/** Events per transaction, so that removing many does not block a listener for long. */
const pageSize = 1_000;

const ended = "state IN ('delivered', 'kept') AND COALESCE(settled_at, received_at) < @before";

/** Removes finished events; those waiting, also for a person, stay. */
function createDeliveryPrune(connection: Connection): Pick<DeliveryRows, 'prune' | 'prunable'> {
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
