import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** An event of a captured document, e.g. its cancellation or the awareness of its recipient. Times are milliseconds since the epoch. */
export interface StoredEvent {
  readonly family: Family;
  readonly accessKey: string;
  readonly companyId: string;
  /** Id of infEvento. */
  readonly eventKey: string;
  readonly type: string;
  readonly description: string;
  readonly sequence: number;
  readonly protocol: string;
  /** CNPJ of the recipient or the taker; null: the issuer of the document. */
  readonly author: string | null;
  /** What a recipient or a taker said with it. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly nsu: number | null;
  readonly issuedOn: number;
  readonly createdOn: number;
}

export interface DocumentEvents {
  /** One with the same key stays as it is. */
  add(event: StoredEvent): void;
  get(companyId: string, eventKey: string): StoredEvent | undefined;
  /** Of one document, as its company holds them. */
  ofDocument(companyId: string, accessKey: string): readonly StoredEvent[];
  /** Each once, whichever companies hold it. */
  withKey(accessKey: string): readonly StoredEvent[];
  /** The next number of an event in the sequence of the distribution. */
  nextNsu(companyId: string, family: Family): number;
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
  author: string | null;
  detail: string;
  nsu: number | null;
  issued_on: number;
  created_on: number;
}

/** Events are numbered apart from documents, of which no company here has so many. */
export const beforeEvents = 1_000_000_000;

export function openDocumentEvents(database: SandboxDatabase): DocumentEvents {
  const add = database.prepare(
    `INSERT INTO document_events (family, access_key, company_id, event_key, type, description, sequence, protocol,
       author, detail, nsu, issued_on, created_on)
     VALUES (@family, @accessKey, @companyId, @eventKey, @type, @description, @sequence, @protocol, @author, @detail,
       @nsu, @issuedOn, @createdOn)
     ON CONFLICT DO NOTHING`,
  );
  const get = database.prepare<[string, string], EventRow>(
    'SELECT * FROM document_events WHERE company_id = ? AND event_key = ?',
  );
  const withKey = database.prepare<[string], EventRow>(
    'SELECT * FROM document_events WHERE access_key = ? GROUP BY event_key ORDER BY issued_on, event_key',
  );
  const ofDocument = database.prepare<[string, string], EventRow>(
    'SELECT * FROM document_events WHERE company_id = ? AND access_key = ? ORDER BY position',
  );
  const last = database.prepare<[string, string], { last: number | null }>(
    'SELECT max(nsu) AS last FROM document_events WHERE company_id = ? AND family = ?',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM document_events');
  return {
    add: (event) => void add.run({ ...event, detail: JSON.stringify(event.detail) }),
    get(companyId, eventKey) {
      const row = get.get(companyId, eventKey);
      return row && toEvent(row);
    },
    ofDocument: (companyId, accessKey) => ofDocument.all(companyId, accessKey).map(toEvent),
    nextNsu: (companyId, family) => Math.max(last.get(companyId, family)?.last ?? 0, beforeEvents) + 1,
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
    author: row.author,
    detail: JSON.parse(row.detail),
    nsu: row.nsu,
    issuedOn: row.issued_on,
    createdOn: row.created_on,
  };
}
