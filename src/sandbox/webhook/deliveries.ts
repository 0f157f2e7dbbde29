import { insertInto, type SandboxDatabase } from '../core/database.js';

export interface Deliveries {
  add(delivery: NewDelivery): void;
  /** Iterates over due, unclaimed deliveries, earliest first. Do not write while iterating. */
  due(now: number, limit: number): Iterable<StoredDelivery>;
  isDue(now: number): boolean;
  /** Claims a delivery for this process until `until`, in real time. */
  claim(position: number, until: number): void;
  end(attempt: AttemptEnd): void;
  /** Drops the waiting deliveries of a deleted webhook; returns the ids of their documents. */
  drop(webhookId: string): readonly string[];
  /** Detaches earlier deliveries from the document. */
  detach(documentId: string): void;
  ofDocument(documentId: string): DocumentDeliveries;
  /** The last position. */
  last(): number;
  page(after: number, limit: number): readonly StoredDelivery[];
  countByState(kind: DeliveryKind): Readonly<Record<string, number>>;
}

export function openDeliveries(database: SandboxDatabase): Deliveries {
  const add = database.prepare(insertInto(database, 'deliveries'));
  const due = database.prepare<[number, number, number], StoredDelivery>(
    `SELECT * FROM deliveries WHERE state = 'waiting' AND dueAt <= ? AND claimedUntil <= ?
     ORDER BY dueAt, position LIMIT +?`,
  );
  const isDue = database.prepare<[number, number], object>(
    "SELECT 1 FROM deliveries WHERE state = 'waiting' AND dueAt <= ? AND claimedUntil <= ? LIMIT 1",
  );
  const claim = database.prepare('UPDATE deliveries SET claimedUntil = ? WHERE position = ?');
  const end = database.prepare(
    `UPDATE deliveries SET state = @state, attempts = @attempts, dueAt = @dueAt, status = @status, error = @error,
       endedOn = @endedOn, claimedUntil = 0 WHERE position = @position AND id = @id AND state = 'waiting'`,
  );
  const drop = database.prepare<[string], { documentId: string | null }>(
    `UPDATE deliveries SET state = 'dropped' WHERE webhookId = ? AND state = 'waiting'
     RETURNING documentId`,
  );
  const detach = database.prepare('UPDATE deliveries SET documentId = NULL WHERE documentId = ?');
  return {
    add: (delivery) => void add.run({ ...delivery, ...waiting }),
    due: (now, limit) => due.iterate(now, Date.now(), limit),
    isDue: (now) => isDue.get(now, Date.now()) !== undefined,
    claim: (position, until) => void claim.run(until, position),
    end: (attempt) => void end.run(attempt),
    drop: (webhookId) => drop.all(webhookId).flatMap(({ documentId }) => documentId ?? []),
    detach: (documentId) => void detach.run(documentId),
    ...openReads(database),
  };
}

function openReads(database: SandboxDatabase): Pick<Deliveries, 'ofDocument' | 'last' | 'page' | 'countByState'> {
  const ofDocument = database.prepare<[string], DocumentDeliveries>(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
       count(*) FILTER (WHERE state = 'waiting' AND attempts > 0) AS retrying,
       count(*) FILTER (WHERE state = 'delivered') AS delivered,
       count(*) FILTER (WHERE state = 'failed') AS failed
     FROM deliveries WHERE documentId = ?`,
  );
  const page = database.prepare<[number, number], StoredDelivery>(
    `SELECT * FROM deliveries WHERE position > ? ORDER BY position LIMIT +?`,
  );
  const last = database.prepare<[], { position: number | null }>('SELECT max(position) AS position FROM deliveries');
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

/** `copy`: a repeated genuine delivery. `forged`: simulates another sender. */
type DeliveryKind = 'genuine' | 'copy' | 'forged';

/** `failed`: no attempts left. `dropped`: its webhook is deleted. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'dropped';

/** A pending or finished delivery. Times are milliseconds since the epoch, by the service's clock. */
export interface StoredDelivery {
  readonly position: number;
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly tenantId: string;
  /** Null: an address in a company's settings, without a webhook. */
  readonly webhookId: string | null;
  readonly uri: string;
  readonly event: string;
  /** Id of the resource of the event. */
  readonly resource: string;
  /** The body, exactly as sent. */
  readonly body: string;
  /** The captured document whose `webhookStatus` depends on this delivery. */
  readonly documentId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly dueAt: number;
  /** Status of the last answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly createdOn: number;
  readonly endedOn: number | null;
}

export type NewDelivery = Omit<StoredDelivery, 'position' | 'state' | 'attempts' | 'status' | 'error' | 'endedOn'>;

/** The result of an attempt. */
type AttemptEnd = Pick<
  StoredDelivery,
  'position' | 'id' | 'state' | 'attempts' | 'dueAt' | 'status' | 'error' | 'endedOn'
>;

/** The state of a document's genuine deliveries. */
export interface DocumentDeliveries {
  readonly waiting: number;
  readonly retrying: number;
  readonly delivered: number;
  readonly failed: number;
}

/** A delivery that was not tried yet. */
const waiting = { state: 'waiting', attempts: 0, claimedUntil: 0, status: null, error: null, endedOn: null } as const;
