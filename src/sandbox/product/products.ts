import type { ProductStatus } from '../../contract/product.js';
import type { SandboxDatabase } from '../core/database.js';
import { parseExactly, writeExactly } from '../core/exact-json.js';

/** The content of a product in canonical names. */
export type Content = Readonly<Record<string, unknown>>;

export interface StoredProduct {
  readonly id: string;
  readonly tenantId: string;
  readonly content: Content;
  readonly status: ProductStatus;
  readonly errorMessage: string | null;
  /** Increases with every change of content or restart of the validation, so that outdated work is recognised. */
  readonly revision: number;
}

export interface Products {
  insert(product: StoredProduct): void;
  get(id: string): StoredProduct | undefined;
  /** The active products with this SKU. §4 promises no uniqueness: the one with the most changes comes first. */
  active(tenantId: string, sku: string): readonly StoredProduct[];
  /** Replaces the content, or keeps it, and resets the status to `Created`. Returns the new revision. */
  restart(id: string, content?: Content): number;
  setStatus(id: string, status: ProductStatus, errorMessage: string | null): void;
  countByStatus(): Readonly<Record<string, number>>;
}

interface ProductRow {
  id: string;
  tenant_id: string;
  content: string;
  status: ProductStatus;
  error_message: string | null;
  revision: number;
}

export function openProducts(database: SandboxDatabase): Products {
  const insert = database.prepare(
    'INSERT INTO products (id, tenant_id, content, status, error_message, revision) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const get = database.prepare<[string], ProductRow>('SELECT * FROM products WHERE id = ?');
  const active = database.prepare<[string, string], ProductRow>(
    `SELECT * FROM products WHERE tenant_id = ? AND json_extract(content, '$.sku') = ? AND status = 'Active'
     ORDER BY revision DESC, id`,
  );
  const restart = database.prepare<[string | null, string], { revision: number }>(
    `UPDATE products SET content = coalesce(?, content), status = 'Created', error_message = NULL,
       revision = revision + 1 WHERE id = ? RETURNING revision`,
  );
  const setStatus = database.prepare('UPDATE products SET status = ?, error_message = ? WHERE id = ?');
  const count = database.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM products GROUP BY status ORDER BY status',
  );
  return {
    insert: ({ id, tenantId, content, status, errorMessage, revision }) =>
      void insert.run(id, tenantId, writeExactly(content), status, errorMessage, revision),
    get(id) {
      const row = get.get(id);
      return row && toProduct(row);
    },
    active: (tenantId, sku) => active.all(tenantId, sku).map(toProduct),
    restart: (id, content) =>
      restart.get(content === undefined ? null : writeExactly(content), id)?.revision ?? 0,
    setStatus: (id, status, errorMessage) => void setStatus.run(status, errorMessage, id),
    countByStatus: () => Object.fromEntries(count.all().map((row) => [row.status, row.count])),
  };
}

function toProduct(row: ProductRow): StoredProduct {
  const content = parseExactly(row.content);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    content: typeof content === 'object' && content !== null ? { ...content } : {},
    status: row.status,
    errorMessage: row.error_message,
    revision: row.revision,
  };
}
