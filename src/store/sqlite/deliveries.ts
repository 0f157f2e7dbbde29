import type { DeliveryCounts, DeliveryRows, DeliveryState, NewDelivery } from '../deliveries.js';
import type { Connection } from './connection.js';
import {
  deliveryColumns,
  toDelivery,
  toHeld,
  type DeliveryRecord,
  type HeldRecord,
} from './delivery-columns.js';
import { createDeliveryPrune } from './delivery-prune.js';
import { createDeliveryQueue, createLetNextGo } from './delivery-queue.js';

const open = "state IN ('received', 'forwarding')";

/** The webhook events of this machine. One statement stores one event: that is what the sender waits for. */
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
    counts: (profile) => read(() => sum(counted().all(profile))),
    again: (which) => write(() => again(which)),
  };
}

function createLastAt({ statement, read }: Connection): DeliveryRows['lastAt'] {
  const newest = statement<[string, string], { receivedAt: number }>(
    `SELECT received_at AS receivedAt FROM webhook_events WHERE profile = ? AND resource = ? ORDER BY seq DESC LIMIT 1`,
  );
  return (profile, resource) => read(() => newest().get(profile, resource)?.receivedAt);
}

function createList({ statement, read }: Connection): DeliveryRows['list'] {
  const page = statement<[Record<string, unknown>], DeliveryRecord>(
    `SELECT ${deliveryColumns} FROM webhook_events
     WHERE profile = @profile AND seq < @before AND received_at >= @since
       AND (@event IS NULL OR event = @event) AND (@resource IS NULL OR resource = @resource)
       AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY seq DESC LIMIT @limit`,
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

const none: DeliveryCounts = { received: 0, forwarding: 0, delivered: 0, dead: 0, kept: 0 };

function sum(rows: readonly { readonly state: DeliveryState; readonly count: number }[]): DeliveryCounts {
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

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
