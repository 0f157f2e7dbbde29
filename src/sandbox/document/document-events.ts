import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** An event of a captured document, e.g. its cancellation. Times are milliseconds since the epoch. */
export interface StoredEvent {
  readonly family: Exclude<Family, 'nfse'>;
  readonly accessKey: string;
  readonly companyId: string;
  /** Id of infEvento: `ID`, code, key and sequence. */
  readonly eventKey: string;
  readonly type: string;
  readonly description: string;
  readonly sequence: number;
  readonly protocol: string;
  readonly nsu: number | null;
  readonly issuedOn: number;
  readonly createdOn: number;
}

export interface DocumentEvents {
  /** One with the same key stays as it is. */
  add(event: StoredEvent): void;
  get(companyId: string, eventKey: string): StoredEvent | undefined;
  /** Each once, whichever companies hold it. */
  withKey(accessKey: string): readonly StoredEvent[];
  count(): number;
}

export interface EventRow {
  family: StoredEvent['family'];
  access_key: string;
  company_id: string;
  event_key: string;
  type: string;
  description: string;
  sequence: number;
  protocol: string;
  nsu: number | null;
  issued_on: number;
  created_on: number;
}

export function openDocumentEvents(database: SandboxDatabase): DocumentEvents {
  const add = database.prepare(
    `INSERT INTO document_events (family, access_key, company_id, event_key, type, description, sequence, protocol,
       nsu, issued_on, created_on)
     VALUES (@family, @accessKey, @companyId, @eventKey, @type, @description, @sequence, @protocol, @nsu, @issuedOn,
       @createdOn)
     ON CONFLICT DO NOTHING`,
  );
  const get = database.prepare<[string, string], EventRow>(
    'SELECT * FROM document_events WHERE company_id = ? AND event_key = ?',
  );
  const withKey = database.prepare<[string], EventRow>(
    'SELECT * FROM document_events WHERE access_key = ? GROUP BY event_key ORDER BY issued_on, event_key',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM document_events');
  return {
    add: (event) => void add.run(event),
    get(companyId, eventKey) {
      const row = get.get(companyId, eventKey);
      return row && toEvent(row);
    },
    withKey: (accessKey) => withKey.all(accessKey).map(toEvent),
    count: () => count.get()?.count ?? 0,
  };
}

export function toEvent(row: EventRow): StoredEvent {
  return {
    family: row.family,
    accessKey: row.access_key,
    companyId: row.company_id,
    eventKey: row.event_key,
    type: row.type,
    description: row.description,
    sequence: row.sequence,
    protocol: row.protocol,
    nsu: row.nsu,
    issuedOn: row.issued_on,
    createdOn: row.created_on,
  };
}
