import { createHash } from 'node:crypto';
import type { SandboxDatabase } from '../core/open-database.js';

/** Which creation an `Idempotency-Key` stands for (§4 names the header; what a repeat does is assumed). */
export interface IdempotencyKeys {
  /** `undefined`: the key is new. */
  find(tenantId: string, key: string): KnownCreation | undefined;
  keep(tenantId: string, key: string, creation: KnownCreation): void;
}

export interface KnownCreation {
  /** Of the body. */
  readonly digest: string;
  readonly invoiceId: string;
}

export function openIdempotencyKeys(database: SandboxDatabase): IdempotencyKeys {
  const find = database.prepare<[string, string], { digest: string; invoice_id: string }>(
    'SELECT digest, invoice_id FROM idempotency_keys WHERE tenant_id = ? AND key = ?',
  );
  const insert = database.prepare(
    'INSERT INTO idempotency_keys (tenant_id, key, digest, invoice_id) VALUES (?, ?, ?, ?)',
  );
  return {
    find(tenantId, key) {
      const row = find.get(tenantId, key);
      return row && { digest: row.digest, invoiceId: row.invoice_id };
    },
    keep: (tenantId, key, { digest, invoiceId }) => void insert.run(tenantId, key, digest, invoiceId),
  };
}

/** The same for the same fields in any order: a body is what it says, not how it was written. */
export function digestOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(body)) ?? '')
    .digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, ordered(each)]));
}
