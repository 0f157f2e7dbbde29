import type { SandboxDatabase } from '../core/database.js';

export interface Deliveries {
  add(delivery: NewDelivery): void;
  /** Due at `now` and claimed by nobody, the earliest first; read as they are taken. Nothing is written meanwhile. */
  due(now: number, limit: number): Iterable<StoredDelivery>;
  isDue(now: number): boolean;
  /** Until `until`, real time, no other process takes it. */
  claim(position: number, until: number): void;
  end(attempt: AttemptEnd): void;
  /** What waits for a webhook that is gone; gives the documents that it was about. */
  drop(webhookId: string): readonly string[];
  /** Earlier deliveries speak for the document no more. */
  detach(documentId: string): void;
  ofDocument(documentId: string): DocumentDeliveries;
  /** The position of the last one. */
  last(): number;
  page(after: number, limit: number): readonly StoredDelivery[];
  countByState(kind: DeliveryKind): Readonly<Record<string, number>>;
}

export function openDeliveries(database: SandboxDatabase): Deliveries {
  const add = database.prepare(
    `INSERT INTO deliveries (id, kind, tenant_id, webhook_id, uri, event, resource, body, document_id, state, attempts,
       due_at, claimed_until, created_on)
     VALUES (@id, @kind, @tenantId, @webhookId, @uri, @event, @resource, @body, @documentId, 'waiting', 0, @dueAt, 0,
       @createdOn)`,
  );
  const due = database.prepare<[number, number, number], StoredDelivery>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE state = 'waiting' AND due_at <= ? AND claimed_until <= ?
     ORDER BY due_at, position LIMIT ?`,
  );
  const isDue = database.prepare<[number, number], object>(
    "SELECT 1 FROM deliveries WHERE state = 'waiting' AND due_at <= ? AND claimed_until <= ? LIMIT 1",
  );
  const claim = database.prepare('UPDATE deliveries SET claimed_until = ? WHERE position = ?');
  const end = database.prepare(
    `UPDATE deliveries SET state = @state, attempts = @attempts, due_at = @dueAt, status = @status, error = @error,
       ended_on = @endedOn, claimed_until = 0 WHERE position = @position AND id = @id AND state = 'waiting'`,
  );
  const drop = database.prepare<[string], { documentId: string | null }>(
    `UPDATE deliveries SET state = 'dropped' WHERE webhook_id = ? AND state = 'waiting'
     RETURNING document_id AS documentId`,
  );
  const detach = database.prepare('UPDATE deliveries SET document_id = NULL WHERE document_id = ?');
  return {
    add: (delivery) => void add.run(delivery),
    due: (now, limit) => due.iterate(now, Date.now(), limit),
    isDue: (now) => isDue.get(now, Date.now()) !== undefined,
    claim: (position, until) => void claim.run(until, position),
    end: (attempt) => void end.run(attempt),
    drop: (webhookId) => drop.all(webhookId).flatMap(({ documentId }) => documentId ?? []),
    detach: (documentId) => void detach.run(documentId),
    ...openReads(database),
  };
}

function openReads(
  database: SandboxDatabase,
): Pick<Deliveries, 'ofDocument' | 'last' | 'page' | 'countByState'> {
  const ofDocument = database.prepare<[string], DocumentDeliveries>(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
       count(*) FILTER (WHERE state = 'waiting' AND attempts > 0) AS retrying,
       count(*) FILTER (WHERE state = 'delivered') AS delivered,
       count(*) FILTER (WHERE state = 'failed') AS failed
     FROM deliveries WHERE document_id = ?`,
  );
  const page = database.prepare<[number, number], StoredDelivery>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const last = database.prepare<[], { position: number | null }>(
    'SELECT max(position) AS position FROM deliveries',
  );
  const count = database.prepare<[string], { state: string; count: number }>(
    'SELECT state, count(*) AS count FROM deliveries WHERE kind = ? GROUP BY state ORDER BY state',
  );
  return {
    ofDocument: (id) => ofDocument.get(id) ?? { waiting: 0, retrying: 0, delivered: 0, failed: 0 },
    last: () => last.get()?.position ?? 0,
    page: (after, limit) => page.all(after, limit),
    countByState: (kind) => Object.fromEntries(count.all(kind).map((row) => [row.state, row.count])),
  };
}

/** `copy`: a genuine one that is sent twice. `forged`: somebody else pretends to be the service. */
type DeliveryKind = 'genuine' | 'copy' | 'forged';

/** `failed`: given up. `dropped`: its webhook is gone. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'dropped';

/** What is to be sent, or was. Times are milliseconds since the epoch, of the service's clock. */
export interface StoredDelivery {
  readonly position: number;
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly tenantId: string;
  /** Null: the address that a company gave, without a webhook. */
  readonly webhookId: string | null;
  readonly uri: string;
  readonly event: string;
  /** Id of what the event is about. */
  readonly resource: string;
  /** As it goes on the wire. */
  readonly body: string;
  /** The captured document whose `webhookStatus` tells of this delivery. */
  readonly documentId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly dueAt: number;
  /** Of the last answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly createdOn: number;
  readonly endedOn: number | null;
}

export type NewDelivery = Omit<
  StoredDelivery,
  'position' | 'state' | 'attempts' | 'status' | 'error' | 'endedOn'
>;

/** How an attempt ended. */
type AttemptEnd = Pick<
  StoredDelivery,
  'position' | 'id' | 'state' | 'attempts' | 'dueAt' | 'status' | 'error' | 'endedOn'
>;

/** How the genuine deliveries of one document stand. */
export interface DocumentDeliveries {
  readonly waiting: number;
  readonly retrying: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Named as a delivery names them, so that a row is what is stored. */
const deliveryColumns = `position, id, kind, tenant_id AS tenantId, webhook_id AS webhookId, uri, event, resource,
  body, document_id AS documentId, state, attempts, due_at AS dueAt, status, error, created_on AS createdOn,
  ended_on AS endedOn`;
