import { type ShownDocument, shownColumns } from '../document/documents.js';
import type { SandboxDatabase } from '../core/database.js';
import { type EventRow, type StoredEvent, toEvent } from '../document/document-events.js';
import type { Condition } from './odata-filter.js';
import type { Family } from '../core/captures.js';

export interface ListQuery {
  readonly companyId: string;
  readonly family: Family;
  readonly conditions: readonly Condition[];
  /** The order in SQL; empty: newest capture first. */
  readonly order: readonly string[];
  readonly skip: number;
  readonly limit: number;
}

/** A row of a list that has events among the notes; `eventKey` is null for a note. */
export type MixedRow = ShownDocument & { readonly eventKey: string | null };

/** The rows of lists: no hidden or uncaptured documents (§4). */
export interface Listing {
  /** Notes and events, in order of capture. */
  mixed(query: ListQuery): readonly MixedRow[];
  countMixed(query: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>): number;
  documents(query: ListQuery): readonly ShownDocument[];
  countDocuments(query: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>): number;
  events(query: ListQuery): readonly StoredEvent[];
  countEvents(query: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>): number;
}

type Value = string | number;

const noteColumns = `position, family, id, access_key, company_id, issuer_tax_number, issuer_name, total_amount, issued_on,
  authorized_on, direction, nsu, status, webhook_status, stage, recipient_tax_number, recipient_name,
  intermediary_tax_number, intermediary_name, number, created_on, modified_on`;

/** An event has the parties of its note. */
const mixedTable = `(
  SELECT ${noteColumns}, NULL AS event_key, NULL AS event_type FROM documents WHERE visibility = 'listed'
  UNION ALL
  SELECT e.position, e.family, e.event_key, e.access_key, e.company_id, COALESCE(n.issuer_tax_number, e.author, ''),
    COALESCE(n.issuer_name, ''), '', e.issued_on, e.issued_on, COALESCE(n.direction, 'incoming'), e.nsu, 'Processed',
    'Skipped', 'full', n.recipient_tax_number, n.recipient_name, n.intermediary_tax_number, n.intermediary_name, NULL,
    e.created_on, e.created_on, e.event_key, e.type
  FROM document_events e
  LEFT JOIN documents n ON n.access_key = e.access_key AND n.company_id = e.company_id)`;

const tables = {
  mixed: {
    name: mixedTable,
    columns: `${shownColumns}, event_key AS eventKey`,
    fixed: '1',
    order: 'created_on DESC, event_key IS NULL, position DESC',
  },
  documents: {
    name: 'documents',
    columns: shownColumns,
    fixed: "visibility = 'listed'",
    order: 'position DESC',
  },
  events: { name: 'document_events', columns: '*', fixed: '1', order: 'position DESC' },
} as const;

export function openListing(database: SandboxDatabase): Listing {
  const select = <Row>(table: keyof typeof tables, query: ListQuery): Row[] => {
    const { sql, values } = where(table, query);
    const { columns, order: usual } = tables[table];
    const order = [...query.order, usual].join(', ');
    const statement = database.prepare<Value[], Row>(
      `SELECT ${columns} ${sql} ORDER BY ${order} LIMIT +? OFFSET ?`,
    );
    return statement.all(...values, query.limit, query.skip);
  };
  const count = (table: keyof typeof tables, query: Parameters<Listing['countDocuments']>[0]): number => {
    const { sql, values } = where(table, query);
    return (
      database.prepare<Value[], { count: number }>(`SELECT count(*) AS count ${sql}`).get(...values)?.count ??
      0
    );
  };
  return {
    mixed: (query) => select<MixedRow>('mixed', query),
    countMixed: (query) => count('mixed', query),
    documents: (query) => select<ShownDocument>('documents', query),
    countDocuments: (query) => count('documents', query),
    events: (query) => select<EventRow>('events', query).map(toEvent),
    countEvents: (query) => count('events', query),
  };
}

function where(
  table: keyof typeof tables,
  { companyId, family, conditions }: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>,
): Condition {
  const { name, fixed } = tables[table];
  const all = ['company_id = ?', 'family = ?', fixed, ...conditions.map(({ sql }) => sql)].join(' AND ');
  return {
    sql: `FROM ${name} WHERE ${all}`,
    values: [companyId, family, ...conditions.flatMap(({ values }) => values)],
  };
}
