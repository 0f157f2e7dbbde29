import type { SandboxDatabase } from '../core/database.js';
import { type InvoiceKind, type InvoiceRow, type StoredInvoice, toInvoice } from './invoices.js';

/** Which invoices of a company a list is about. Times are milliseconds, both ends with them. */
export interface InvoiceFilter {
  readonly companyId: string;
  readonly kind: InvoiceKind;
  /** Absent: every one. */
  readonly environment?: string;
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly issuedFrom?: number;
  readonly issuedTo?: number;
}

/** Lists, the newest invoice first (assumed). */
export interface InvoicePages {
  page(filter: InvoiceFilter, skip: number, limit: number): readonly StoredInvoice[];
  count(filter: InvoiceFilter): number;
  /** Those that come in the list after the invoice of this position, or from its beginning. */
  after(filter: InvoiceFilter, position: number | undefined, limit: number): readonly StoredInvoice[];
  /** Those that stand in the list right before the invoice of this position, in the order of the list. */
  before(filter: InvoiceFilter, position: number, limit: number): readonly StoredInvoice[];
  /** Where an invoice of the company stands; `undefined` when it is none of its own. */
  positionOf(filter: InvoiceFilter, id: string): number | undefined;
}

const matching = `company_id = @companyId AND kind = @kind AND (@environment IS NULL OR environment = @environment)
  AND created_at BETWEEN @createdFrom AND @createdTo
  AND (@issuedFrom IS NULL OR issued_at >= @issuedFrom) AND (@issuedTo IS NULL OR issued_at <= @issuedTo)`;

export function openInvoicePages(database: SandboxDatabase): InvoicePages {
  const page = database.prepare<[object], InvoiceRow>(
    `SELECT * FROM invoices WHERE ${matching} ORDER BY position DESC LIMIT @limit OFFSET @skip`,
  );
  const count = database.prepare<[object], { count: number }>(
    `SELECT count(*) AS count FROM invoices WHERE ${matching}`,
  );
  const after = database.prepare<[object], InvoiceRow>(
    `SELECT * FROM invoices WHERE ${matching} AND position < @position ORDER BY position DESC LIMIT @limit`,
  );
  const before = database.prepare<[object], InvoiceRow>(
    `SELECT * FROM invoices WHERE ${matching} AND position > @position ORDER BY position LIMIT @limit`,
  );
  const position = database.prepare<[string, string, string], { position: number }>(
    'SELECT position FROM invoices WHERE id = ? AND company_id = ? AND kind = ?',
  );
  return {
    page: (filter, skip, limit) => page.all({ ...named(filter), skip, limit }).map(toInvoice),
    count: (filter) => count.get(named(filter))?.count ?? 0,
    after: (filter, from = Number.MAX_SAFE_INTEGER, limit) =>
      after.all({ ...named(filter), position: from, limit }).map(toInvoice),
    before: (filter, from, limit) =>
      before
        .all({ ...named(filter), position: from, limit })
        .map(toInvoice)
        .toReversed(),
    positionOf: ({ companyId, kind }, id) => position.get(id, companyId, kind)?.position,
  };
}

/** Every name of the statement, whatever the filter has. */
function named(filter: InvoiceFilter): object {
  return {
    companyId: filter.companyId,
    kind: filter.kind,
    environment: filter.environment ?? null,
    createdFrom: filter.createdFrom ?? 0,
    createdTo: filter.createdTo ?? Number.MAX_SAFE_INTEGER,
    issuedFrom: filter.issuedFrom ?? null,
    issuedTo: filter.issuedTo ?? null,
  };
}
