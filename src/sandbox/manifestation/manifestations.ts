import type { ManifestationStatus } from '../../contract/manifestation.js';
import type { SandboxDatabase } from '../core/database.js';

export interface StoredNfeEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly status: ManifestationStatus;
  readonly protocol: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

type NewNfeEvent = Omit<StoredNfeEvent, 'status' | 'protocol' | 'errorCode' | 'errorMessage' | 'modifiedAt'>;

/** The result of sending an event. */
export interface EventResult {
  readonly status: Exclude<ManifestationStatus, 'Pending'>;
  readonly protocol: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/**
 * The recipient's events (§2, §3). A unique index allows one `Pending` or `Accepted` event per key, code and
 * sequence.
 */
export interface NfeEvents {
  /** Stores it as `Pending`. */
  insert(event: NewNfeEvent): void;
  get(id: string): StoredNfeEvent | undefined;
  /** The event in `Pending` or `Accepted`. */
  live(accessKey: string, eventCode: number, sequence: number): StoredNfeEvent | undefined;
  /** The accepted events of a note, in order of time. */
  accepted(accessKey: string): readonly StoredNfeEvent[];
  end(id: string, ending: EventResult, at: number): void;
  countByStatus(): Readonly<Record<string, number>>;
}

interface EventRow {
  id: string;
  tenant_id: string;
  company_id: string;
  access_key: string;
  event_code: number;
  sequence: number;
  detail: string;
  status: ManifestationStatus;
  protocol: string | null;
  error_code: string | null;
  error_message: string | null;
  created_at: number;
  modified_at: number;
}

export function openNfeEvents(database: SandboxDatabase): NfeEvents {
  const insert = database.prepare(
    `INSERT INTO nfe_events (id, tenant_id, company_id, access_key, event_code, sequence, detail, status, created_at,
       modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'Pending', ?, ?)`,
  );
  const get = database.prepare<[string], EventRow>('SELECT * FROM nfe_events WHERE id = ?');
  const live = database.prepare<[string, number, number], EventRow>(
    `SELECT * FROM nfe_events WHERE access_key = ? AND event_code = ? AND sequence = ?
       AND status IN ('Pending', 'Accepted')`,
  );
  // Both states appear, as in the index; the code below removes `Pending`.
  const onKey = database.prepare<[string], EventRow>(
    `SELECT * FROM nfe_events WHERE access_key = ? AND status IN ('Pending', 'Accepted')
     ORDER BY modified_at, event_code, sequence`,
  );
  const end = database.prepare(
    `UPDATE nfe_events SET status = ?, protocol = ?, error_code = ?, error_message = ?, modified_at = ?
     WHERE id = ? AND status = 'Pending'`,
  );
  return {
    insert(event) {
      const { id, tenantId, companyId, accessKey, eventCode, sequence, createdAt } = event;
      const detail = JSON.stringify(event.detail);
      insert.run(id, tenantId, companyId, accessKey, eventCode, sequence, detail, createdAt, createdAt);
    },
    get(id) {
      const row = get.get(id);
      return row && toEvent(row);
    },
    live(accessKey, eventCode, sequence) {
      const row = live.get(accessKey, eventCode, sequence);
      return row && toEvent(row);
    },
    accepted: (accessKey) => onKey.all(accessKey).map(toEvent).filter(isAccepted),
    end: (id, { status, protocol, errorCode, errorMessage }, at) =>
      void end.run(status, protocol, errorCode, errorMessage, at, id),
    countByStatus: openCount(database),
  };
}

function openCount(database: SandboxDatabase): NfeEvents['countByStatus'] {
  const count = database.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM nfe_events GROUP BY status ORDER BY status',
  );
  return () => Object.fromEntries(count.all().map((row) => [row.status, row.count]));
}

function isAccepted({ status }: StoredNfeEvent): boolean {
  return status === 'Accepted';
}

function toEvent(row: EventRow): StoredNfeEvent {
  const detail: unknown = JSON.parse(row.detail);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    companyId: row.company_id,
    accessKey: row.access_key,
    eventCode: row.event_code,
    sequence: row.sequence,
    detail: typeof detail === 'object' && detail !== null ? { ...detail } : {},
    status: row.status,
    protocol: row.protocol,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export interface StoredNfseManifestation {
  readonly id: string;
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly reasonCode: number | null;
  readonly justification: string | null;
  readonly status: ManifestationStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly submittedAt: number | null;
  readonly acceptedAt: number | null;
}

type NewNfseManifestation = Pick<
  StoredNfseManifestation,
  'id' | 'companyId' | 'accessKey' | 'eventCode' | 'reasonCode' | 'justification' | 'createdAt'
>;

/**
 * The taker's manifestations. At most one per company, key and event is `Pending` or `Accepted` (assumed, as for
 * NF-e).
 */
export interface NfseManifestations {
  /** Stores it as `Pending`. */
  insert(manifestation: NewNfseManifestation): void;
  get(id: string): StoredNfseManifestation | undefined;
  live(companyId: string, accessKey: string, eventCode: number): StoredNfseManifestation | undefined;
  /** Oldest first. */
  ofKey(companyId: string, accessKey: string): readonly StoredNfseManifestation[];
  end(id: string, ending: EventResult, at: number): void;
  countByStatus(): Readonly<Record<string, number>>;
}

/** The columns under the names of the answers, so that a row needs no conversion. */
const columns = `id, company_id AS companyId, access_key AS accessKey, event_code AS eventCode,
  reason_code AS reasonCode, justification, status, error_code AS errorCode, error_message AS errorMessage,
  created_at AS createdAt, submitted_at AS submittedAt, accepted_at AS acceptedAt`;

export function openNfseManifestations(database: SandboxDatabase): NfseManifestations {
  const insert = database.prepare(
    `INSERT INTO nfse_manifestations (id, company_id, access_key, event_code, reason_code, justification, status,
       created_at) VALUES (@id, @companyId, @accessKey, @eventCode, @reasonCode, @justification, 'Pending', @createdAt)`,
  );
  const get = database.prepare<[string], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE id = ?`,
  );
  const live = database.prepare<[string, string, number], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE company_id = ? AND access_key = ? AND event_code = ?
       AND status IN ('Pending', 'Accepted')`,
  );
  const ofKey = database.prepare<[string, string], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE company_id = ? AND access_key = ? ORDER BY position`,
  );
  const end = database.prepare(
    `UPDATE nfse_manifestations SET status = @status, error_code = @errorCode, error_message = @errorMessage,
       submitted_at = CASE WHEN @status <> 'Failed' THEN @at END, accepted_at = CASE @status WHEN 'Accepted' THEN @at END
     WHERE id = @id AND status = 'Pending'`,
  );
  const count = database.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM nfse_manifestations GROUP BY status ORDER BY status',
  );
  return {
    insert: (manifestation) => void insert.run(manifestation),
    get: (id) => get.get(id),
    live: (companyId, accessKey, eventCode) => live.get(companyId, accessKey, eventCode),
    ofKey: (companyId, accessKey) => ofKey.all(companyId, accessKey),
    end: (id, { status, errorCode, errorMessage }, at) =>
      void end.run({ id, status, errorCode, errorMessage, at }),
    countByStatus: () => Object.fromEntries(count.all().map((row) => [row.status, row.count])),
  };
}
