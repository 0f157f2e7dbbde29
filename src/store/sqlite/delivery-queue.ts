import type { DeliveryPatch, DeliveryRows } from '../deliveries.js';
import type { Connection } from './connection.js';
import { deliveryColumns, toHeld, type HeldRecord } from './delivery-columns.js';
import { wholeMs } from './row.js';

const living = 'SELECT id FROM workers WHERE expires_at > @now';
const unheld = `(worker_id IS NULL OR worker_id NOT IN (${living}))`;

type Queue = Pick<DeliveryRows, 'claim' | 'conclude' | 'release' | 'nextDue'>;

/** How events leave the store: taken under a lease, concluded with a fence, one of each resource at a time. */
export function createDeliveryQueue(connection: Connection): Queue {
  const { statement, read, write } = connection;
  const take = statement<[Record<string, unknown>], HeldRecord>(
    `UPDATE webhook_events SET worker_id = @workerId, state = 'forwarding'
     WHERE EXISTS (SELECT 1 FROM workers WHERE id = @workerId AND expires_at > @now)
       AND seq IN (SELECT seq FROM webhook_events
         WHERE profile = @profile AND due_at IS NOT NULL AND due_at <= @now AND ${unheld}
         ORDER BY due_at, seq LIMIT @limit)
     RETURNING ${deliveryColumns}, body`,
  );
  const earliest = statement<[Record<string, unknown>], { dueAt: number }>(
    `SELECT due_at AS dueAt FROM webhook_events
     WHERE profile = @profile AND due_at IS NOT NULL AND ${unheld} ORDER BY due_at LIMIT 1`,
  );
  const giveBack = statement<[string]>(
    "UPDATE webhook_events SET worker_id = NULL, state = 'received' WHERE worker_id = ? AND state = 'forwarding'",
  );
  const conclude = createConclude(connection);
  return {
    claim: (claim) =>
      // Nothing is promised by a claim: one that is lost with the machine is a claim of the dead.
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
    nextDue: (profile, now) => read(() => earliest().get({ profile, now })?.dueAt),
  };
}

function createConclude({ statement }: Connection) {
  const settle = statement<[Record<string, unknown>], { profile: string; resource: string }>(
    `UPDATE webhook_events SET state = @state, attempts = @attempts, due_at = @dueAt, last_error = @lastError,
       done_by = @doneBy, settled_at = @settledAt, worker_id = NULL
     WHERE id = @id AND worker_id = @workerId AND state = 'forwarding' RETURNING profile, resource`,
  );
  const letNextGo = createLetNextGo({ statement });
  return (held: { readonly id: string; readonly workerId: string }, patch: DeliveryPatch): boolean => {
    const isOpen = patch.state === 'received';
    const row = settle().get({
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

/** The oldest unsettled event of the resource becomes due, unless one already is. */
export function createLetNextGo({ statement }: Pick<Connection, 'statement'>) {
  const first = statement<[Record<string, unknown>]>(
    `UPDATE webhook_events SET due_at = @at WHERE due_at IS NULL AND seq =
       (SELECT seq FROM webhook_events INDEXED BY webhook_events_waiting WHERE profile = @profile AND resource = @resource
          AND state IN ('received', 'forwarding') ORDER BY seq LIMIT 1)`,
  );
  return (profile: string, resource: string, at: number): void => {
    first().run({ profile, resource, at: wholeMs(at) });
  };
}

function byOrder(left: { dueAt?: number; seq: number }, right: { dueAt?: number; seq: number }): number {
  return (left.dueAt ?? 0) - (right.dueAt ?? 0) || left.seq - right.seq;
}
