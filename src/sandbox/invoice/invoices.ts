import { isRecord } from '../core/exact-json.js';
import { createHash } from 'node:crypto';
import { insertInto, type SandboxDatabase } from '../core/database.js';
import type { Party } from '../xml/layout.js';
import { parseExactly, writeExactly } from '../core/exact-json.js';
import type { Fields, InvoiceKind, NumberSpace } from '../core/records.js';

/** A stored invoice. Times are milliseconds since the epoch, amounts text. */
export interface StoredInvoice {
  readonly id: string;
  readonly tenantId: string;
  readonly companyId: string;
  readonly kind: InvoiceKind;
  readonly externalId: string | null;
  /** The state registration that issues it; null: the company has none, or it is no NF-e or NFC-e. */
  readonly stateTaxId: string | null;
  readonly environment: string;
  /** The body as sent. */
  readonly content: Fields;
  readonly totalAmount: string;
  /** `status`, or `flowStatus` for an NFS-e. */
  readonly status: string;
  readonly serie: number | null;
  readonly number: number | null;
  readonly accessKey: string | null;
  readonly protocol: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly issuedAt: number | null;
  readonly cancelledAt: number | null;
  readonly signature: string | null;
}

/** An invoice with an access key. */
export interface IssuedInvoice {
  readonly invoice: StoredInvoice & { readonly accessKey: string; readonly issuedAt: number };
  readonly issuer: Party;
  /** That of the registration which issued it. */
  readonly stateTaxNumber?: string;
}

/** Serial and number of the RPS, as in the body. */
interface Rps {
  readonly serial: unknown;
  readonly number: unknown;
}

export interface Invoices {
  insert(invoice: StoredInvoice): void;
  change(id: string, changes: Partial<StoredInvoice>): void;
  get(id: string): StoredInvoice | undefined;
  byExternalId(companyId: string, kind: InvoiceKind, externalId: string): StoredInvoice | undefined;
  byAccessKey(accessKey: string): StoredInvoice | undefined;
  /** The authorised invoice with this number. */
  withNumber(space: NumberSpace, number: number): StoredInvoice | undefined;
  /** The count of authorised numbers from `from` to `to`. */
  countNumbers(space: NumberSpace, from: number, to: number): number;
  lastNumber(space: NumberSpace): number;
  /** True if an NFS-e exists for this RPS; false for a body without an RPS number. */
  hasRps(scope: Pick<NumberSpace, 'companyId' | 'environment'>, rps: Rps): boolean;
  countByStatus(): Readonly<Record<string, number>>;
}

type InvoiceRow = Omit<StoredInvoice, 'content'> & { readonly content: string; readonly position: number };

export function openInvoices(database: SandboxDatabase): Invoices {
  const insert = database.prepare(insertInto(database, 'invoices'));
  const update = database.prepare(
    `UPDATE invoices SET status = @status, serie = @serie, number = @number, accessKey = @accessKey,
       protocol = @protocol, errorCode = @errorCode, errorMessage = @errorMessage, modifiedAt = @modifiedAt,
       issuedAt = @issuedAt, cancelledAt = @cancelledAt, signature = @signature WHERE id = @id`,
  );
  const get = database.prepare<[string], InvoiceRow>('SELECT * FROM invoices WHERE id = ?');
  const find = (id: string): StoredInvoice | undefined => shown(get.get(id));
  return {
    insert: (invoice) => void insert.run({ ...invoice, content: writeExactly(invoice.content) }),
    change(id, changes) {
      const before = get.get(id);
      if (before !== undefined) update.run({ ...before, ...changes });
    },
    get: find,
    ...openSearches(database),
    ...openNumbers(database),
  };
}

function openSearches(database: SandboxDatabase): Pick<Invoices, 'byExternalId' | 'byAccessKey' | 'countByStatus'> {
  const byExternalId = database.prepare<[string, string, string], InvoiceRow>(
    'SELECT * FROM invoices WHERE companyId = ? AND kind = ? AND externalId = ? ORDER BY position LIMIT 1',
  );
  const byAccessKey = database.prepare<[string], InvoiceRow>('SELECT * FROM invoices WHERE accessKey = ?');
  const count = database.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM invoices GROUP BY status ORDER BY status',
  );
  return {
    byExternalId: (companyId, kind, externalId) => shown(byExternalId.get(companyId, kind, externalId)),
    byAccessKey: (accessKey) => shown(byAccessKey.get(accessKey)),
    countByStatus: () => Object.fromEntries(count.all().map((row) => [row.status, row.count])),
  };
}

const spaceIs = 'companyId = @companyId AND kind = @kind AND environment = @environment AND serie = @serie';

function openNumbers(
  database: SandboxDatabase,
): Pick<Invoices, 'withNumber' | 'countNumbers' | 'lastNumber' | 'hasRps'> {
  const taken = `FROM invoices WHERE ${spaceIs} AND accessKey IS NOT NULL`;
  const withNumber = database.prepare<[object], InvoiceRow>(`SELECT * ${taken} AND number = @number`);
  const countNumbers = database.prepare<[object], { count: number }>(
    `SELECT count(*) AS count ${taken} AND number BETWEEN @from AND @to`,
  );
  const last = database.prepare<[object], { last: number | null }>(`SELECT max(number) AS last ${taken}`);
  const rps = database.prepare<[object], { one: number }>(
    `SELECT 1 AS one FROM invoices
     WHERE companyId = @companyId AND kind = 'nfse' AND environment = @environment AND accessKey IS NOT NULL
       AND json_extract(content, '$.rpsNumber') = @number
       AND coalesce(json_extract(content, '$.rpsSerialNumber'), '') = @serial LIMIT 1`,
  );
  return {
    hasRps(scope, { serial, number }) {
      if (typeof number !== 'number') return false;
      return rps.get({ ...scope, number, serial: typeof serial === 'string' ? serial : '' }) !== undefined;
    },
    withNumber: (space, number) => shown(withNumber.get({ ...space, number })),
    countNumbers: (space, from, to) => countNumbers.get({ ...space, from, to })?.count ?? 0,
    lastNumber: (space) => last.get(space)?.last ?? 0,
  };
}

function shown(row: InvoiceRow | undefined): StoredInvoice | undefined {
  return row && toInvoice(row);
}

function toInvoice(row: InvoiceRow): StoredInvoice {
  const content = parseExactly(row.content);
  return { ...row, content: typeof content === 'object' && content !== null ? { ...content } : {} };
}

/** Digest of a body, independent of the order of its fields. */
export function digestOf(body: unknown): string {
  return createHash('sha256')
    .update(writeExactly(ordered(body)))
    .digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, ordered(each)]));
}

/** The filter of an invoice list. Times are milliseconds, both ends inclusive. */
export interface InvoiceFilter {
  readonly companyId: string;
  readonly kind: InvoiceKind;
  /** Absent: all. */
  readonly environment?: string;
  /** A text within the body that was sent, or the id. */
  readonly search?: string;
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly issuedFrom?: number;
  readonly issuedTo?: number;
  /** Absent: `created`. */
  readonly order?: 'created' | 'changed';
}

/** The place of an invoice in both orders of a list. */
export type Place = Pick<InvoiceRow, 'position' | 'modifiedAt'>;

/** Lists of invoices: the newest first (assumed), or the last changed first. */
export interface InvoicePages {
  page(filter: InvoiceFilter, skip: number, limit: number): readonly StoredInvoice[];
  count(filter: InvoiceFilter): number;
  /** The invoices after a place, or the first ones. */
  after(filter: InvoiceFilter, place: Place | undefined, limit: number): readonly StoredInvoice[];
  /** The invoices right before a place, in the order of the list. */
  before(filter: InvoiceFilter, place: Place, limit: number): readonly StoredInvoice[];
  /** The place of an invoice; `undefined` if it is not the company's. */
  placeOf(filter: InvoiceFilter, id: string): Place | undefined;
}

const matching = `companyId = @companyId AND kind = @kind AND (@environment IS NULL OR environment = @environment)
  AND createdAt BETWEEN @createdFrom AND @createdTo
  AND (@issuedFrom IS NULL OR issuedAt >= @issuedFrom) AND (@issuedTo IS NULL OR issuedAt <= @issuedTo)
  AND (@search IS NULL OR instr(lower(id || ' ' || content), lower(@search)) > 0)`;

const orders = {
  created: { columns: 'position', values: '@position', newestFirst: 'position DESC' },
  changed: {
    columns: '(modifiedAt, position)',
    values: '(@modifiedAt, @position)',
    newestFirst: 'modifiedAt DESC, position DESC',
  },
} as const;

function pageStatements(
  database: SandboxDatabase,
  { columns, values, newestFirst }: (typeof orders)[keyof typeof orders],
) {
  const select = (rest: string) =>
    database.prepare<[object], InvoiceRow>(`SELECT * FROM invoices WHERE ${matching} ${rest}`);
  return {
    page: select(`ORDER BY ${newestFirst} LIMIT +@limit OFFSET @skip`),
    after: select(`AND ${columns} < ${values} ORDER BY ${newestFirst} LIMIT +@limit`),
    before: select(`AND ${columns} > ${values} ORDER BY ${newestFirst.replaceAll(' DESC', '')} LIMIT +@limit`),
  };
}

const beforeAll: Place = { position: Number.MAX_SAFE_INTEGER, modifiedAt: Number.MAX_SAFE_INTEGER };

export function openInvoicePages(database: SandboxDatabase): InvoicePages {
  const statements = {
    created: pageStatements(database, orders.created),
    changed: pageStatements(database, orders.changed),
  };
  const of = ({ order = 'created' }: InvoiceFilter) => statements[order];
  const count = database.prepare<[object], { count: number }>(
    `SELECT count(*) AS count FROM invoices WHERE ${matching}`,
  );
  const place = database.prepare<[string, string, string], Place>(
    'SELECT position, modifiedAt FROM invoices WHERE id = ? AND companyId = ? AND kind = ?',
  );
  return {
    page: (filter, skip, limit) =>
      of(filter)
        .page.all({ ...named(filter), skip, limit })
        .map(toInvoice),
    count: (filter) => count.get(named(filter))?.count ?? 0,
    after: (filter, from = beforeAll, limit) =>
      of(filter)
        .after.all({ ...named(filter), ...from, limit })
        .map(toInvoice),
    before: (filter, from, limit) =>
      of(filter)
        .before.all({ ...named(filter), ...from, limit })
        .map(toInvoice)
        .toReversed(),
    placeOf: ({ companyId, kind }, id) => place.get(id, companyId, kind),
  };
}

/** All parameters of the statement; absent filters are null. */
function named(filter: InvoiceFilter): object {
  return {
    companyId: filter.companyId,
    kind: filter.kind,
    environment: filter.environment ?? null,
    search: filter.search ?? null,
    createdFrom: filter.createdFrom ?? 0,
    createdTo: filter.createdTo ?? Number.MAX_SAFE_INTEGER,
    issuedFrom: filter.issuedFrom ?? null,
    issuedTo: filter.issuedTo ?? null,
  };
}
