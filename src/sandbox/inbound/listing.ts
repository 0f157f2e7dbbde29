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

/** The rows of lists: no hidden or uncaptured documents (§4). */
export interface Listing {
  documents(query: ListQuery): readonly ShownDocument[];
  countDocuments(query: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>): number;
  events(query: ListQuery): readonly StoredEvent[];
  countEvents(query: Pick<ListQuery, 'companyId' | 'family' | 'conditions'>): number;
}

type Value = string | number;

const tables = {
  documents: { name: 'documents', columns: shownColumns, fixed: "visibility = 'listed'" },
  events: { name: 'document_events', columns: '*', fixed: '1' },
} as const;

export function openListing(database: SandboxDatabase): Listing {
  const select = <Row>(table: keyof typeof tables, query: ListQuery): Row[] => {
    const { sql, values } = where(table, query);
    const order = [...query.order, 'position DESC'].join(', ');
    const { columns } = tables[table];
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
