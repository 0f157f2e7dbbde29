import type { Family } from '../core/records.js';
import type { ShownDocument } from '../document/documents.js';
import type { SandboxDatabase } from '../core/database.js';
import { type EventRow, type StoredEvent, toEvent } from '../document/document-events.js';
import type { Condition } from './odata-filter.js';

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

/** The columns of a `ShownDocument`, so that a row needs no conversion. */
const shownColumns = `id, accessKey, companyId, issuerTaxNumber, issuerName, totalAmount, issuedOn, authorizedOn, direction,
  nsu, status, webhookStatus, stage, recipientTaxNumber, recipientName, intermediaryTaxNumber, intermediaryName, number,
  createdOn, modifiedOn`;

/** An event has the parties of its note. */
const mixedTable = `(
  SELECT position, family, ${shownColumns}, NULL AS eventKey, NULL AS eventType FROM documents
  WHERE visibility = 'listed'
  UNION ALL
  SELECT e.position, e.family, e.eventKey, e.accessKey, e.companyId, COALESCE(n.issuerTaxNumber, e.author, ''),
    COALESCE(n.issuerName, ''), '', e.issuedOn, e.issuedOn, COALESCE(n.direction, 'incoming'), e.nsu, 'Processed',
    'Skipped', 'full', n.recipientTaxNumber, n.recipientName, n.intermediaryTaxNumber, n.intermediaryName, NULL,
    e.createdOn, e.createdOn, e.eventKey, e.type
  FROM documentEvents e
  LEFT JOIN documents n ON n.accessKey = e.accessKey AND n.companyId = e.companyId)`;

const tables = {
  mixed: {
    name: mixedTable,
    columns: `${shownColumns}, eventKey`,
    fixed: '1',
    order: 'createdOn DESC, eventKey IS NULL, position DESC',
  },
  documents: { name: 'documents', columns: shownColumns, fixed: "visibility = 'listed'", order: 'position DESC' },
  events: { name: 'documentEvents', columns: '*', fixed: '1', order: 'position DESC' },
} as const;

export function openListing(database: SandboxDatabase): Listing {
  const select = <Row>(table: keyof typeof tables, query: ListQuery): Row[] => {
    const { sql, values } = where(table, query);
    const { columns, order: usual } = tables[table];
    const order = [...query.order, usual].join(', ');
    const statement = database.prepare<Value[], Row>(`SELECT ${columns} ${sql} ORDER BY ${order} LIMIT +? OFFSET ?`);
    return statement.all(...values, query.limit, query.skip);
  };
  const count = (table: keyof typeof tables, query: Parameters<Listing['countDocuments']>[0]): number => {
    const { sql, values } = where(table, query);
    return database.prepare<Value[], { count: number }>(`SELECT count(*) AS count ${sql}`).get(...values)?.count ?? 0;
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
  const all = ['companyId = ?', 'family = ?', fixed, ...conditions.map(({ sql }) => sql)].join(' AND ');
  return {
    sql: `FROM ${name} WHERE ${all}`,
    values: [companyId, family, ...conditions.flatMap(({ values }) => values)],
  };
}
