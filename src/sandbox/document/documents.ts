import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** `incoming`: the company is the recipient or the taker; `outgoing`: it issued the document itself. */
export const directions = ['incoming', 'outgoing'] as const;
export type Direction = (typeof directions)[number];

/** A captured document. Times are milliseconds since the epoch, amounts text. */
export interface StoredDocument {
  readonly family: Family;
  readonly accessKey: string;
  readonly companyId: string;
  readonly issuerTaxNumber: string;
  readonly issuerName: string;
  readonly totalAmount: string;
  readonly issuedOn: number;
  readonly authorizedOn: number;
  readonly cancelled: boolean;
  readonly direction: Direction;
}

export interface Documents {
  /** Replaces what stands under the same key and company. */
  put(document: StoredDocument): void;
  get(accessKey: string, companyId: string): StoredDocument | undefined;
  /** One of each company that captured it, in order of capture. */
  withKey(accessKey: string): readonly StoredDocument[];
  /** In order of capture, after the position `after`. */
  page(after: number, limit: number): readonly (StoredDocument & { readonly position: number })[];
  count(): number;
}

interface DocumentRow {
  position: number;
  family: Family;
  access_key: string;
  company_id: string;
  issuer_tax_number: string;
  issuer_name: string;
  total_amount: string;
  issued_on: number;
  authorized_on: number;
  cancelled: number;
  direction: Direction;
}

export function openDocuments(database: SandboxDatabase): Documents {
  const put = database.prepare(
    `INSERT INTO documents (family, access_key, company_id, issuer_tax_number, issuer_name, total_amount, issued_on,
       authorized_on, cancelled, direction)
     VALUES (@family, @accessKey, @companyId, @issuerTaxNumber, @issuerName, @totalAmount, @issuedOn,
       @authorizedOn, @cancelled, @direction)
     ON CONFLICT (access_key, company_id) DO UPDATE SET issuer_tax_number = excluded.issuer_tax_number,
       issuer_name = excluded.issuer_name, total_amount = excluded.total_amount, issued_on = excluded.issued_on,
       authorized_on = excluded.authorized_on, cancelled = excluded.cancelled, direction = excluded.direction`,
  );
  const get = database.prepare<[string, string], DocumentRow>(
    'SELECT * FROM documents WHERE access_key = ? AND company_id = ?',
  );
  const withKey = database.prepare<[string], DocumentRow>(
    'SELECT * FROM documents WHERE access_key = ? ORDER BY position',
  );
  const page = database.prepare<[number, number], DocumentRow>(
    'SELECT * FROM documents WHERE position > ? ORDER BY position LIMIT ?',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM documents');
  return {
    put: (document) => void put.run({ ...document, cancelled: document.cancelled ? 1 : 0 }),
    get(accessKey, companyId) {
      const row = get.get(accessKey, companyId);
      return row && toDocument(row);
    },
    withKey: (accessKey) => withKey.all(accessKey).map(toDocument),
    page: (after, limit) =>
      page.all(after, limit).map((row) => ({ position: row.position, ...toDocument(row) })),
    count: () => count.get()?.count ?? 0,
  };
}

function toDocument(row: DocumentRow): StoredDocument {
  return {
    family: row.family,
    accessKey: row.access_key,
    companyId: row.company_id,
    issuerTaxNumber: row.issuer_tax_number,
    issuerName: row.issuer_name,
    totalAmount: row.total_amount,
    issuedOn: row.issued_on,
    authorizedOn: row.authorized_on,
    cancelled: row.cancelled === 1,
    direction: row.direction,
  };
}
