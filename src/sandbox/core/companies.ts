import { unitOf } from './chance.js';
import type { SandboxDatabase } from './database.js';
import { businessAddress, businessName, withCheckDigits } from './identity.js';

/** A company as the rest of the service knows it. */
export interface KnownCompany {
  readonly id: string;
  readonly name: string;
  /** CNPJ of 14 characters. */
  readonly federalTaxNumber: string;
  readonly status: string;
}

/** A stored company. Times are milliseconds since the epoch; 0: unknown. */
export interface StoredCompany extends KnownCompany {
  readonly tenantId: string;
  /** Trade name, tax regime, address and the other fields of the request. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** A page follows this company, or ends right before it. */
export interface CompanyCursor {
  readonly side: 'after' | 'before';
  readonly id: string;
}

/** Deleted companies appear in no answer; their rows stay. */
export interface Companies {
  /** Adds an invented company with this id; keeps an existing one. */
  add(tenantId: string, id: string): void;
  insert(company: StoredCompany): void;
  /** Replaces name, details and time of change. */
  replace(company: StoredCompany): void;
  delete(id: string, at: number): void;
  /** A page in order of creation, without a cursor the first one; `undefined` if the tenant does not have the company of the cursor. */
  page(
    tenantId: string,
    limit: number,
    cursor: CompanyCursor | undefined,
  ): readonly KnownCompany[] | undefined;
  /** `undefined` if the tenant has no company with this id. */
  find(tenantId: string, id: string): KnownCompany | undefined;
  read(tenantId: string, id: string): StoredCompany | undefined;
  withTaxNumber(tenantId: string, federalTaxNumber: string): StoredCompany | undefined;
  count(): number;
  clear(): void;
}

interface CompanyRow {
  id: string;
  tenant_id: string;
  name: string;
  federal_tax_number: string;
  status: string;
  details: string;
  created_on: number;
  modified_on: number;
}

export function openCompanies(database: SandboxDatabase): Companies {
  const add = database.prepare(
    `INSERT INTO companies (id, tenant_id, name, federal_tax_number, status, details)
     VALUES (?, ?, ?, ?, 'Active', ?) ON CONFLICT (id) DO NOTHING`,
  );
  const insert = database.prepare(
    `INSERT INTO companies (id, tenant_id, name, federal_tax_number, status, details, created_on, modified_on)
     VALUES (@id, @tenantId, @name, @federalTaxNumber, @status, @details, @createdOn, @modifiedOn)`,
  );
  const replace = database.prepare(
    'UPDATE companies SET name = @name, details = @details, modified_on = @modifiedOn WHERE id = @id',
  );
  const remove = database.prepare('UPDATE companies SET deleted_on = ? WHERE id = ?');
  const clear = database.prepare('DELETE FROM companies');
  return {
    add(tenantId, id) {
      const root = String(Math.floor(unitOf(id) * 90_000_000) + 10_000_000);
      const taxNumber = withCheckDigits(`${root}0001`);
      const details = { taxRegime: 'LucroReal', address: businessAddress(taxNumber) };
      add.run(id, tenantId, businessName(id), taxNumber, JSON.stringify(details));
    },
    insert: (company) => void insert.run({ ...company, details: JSON.stringify(company.details) }),
    replace: ({ id, name, details, modifiedOn }) =>
      void replace.run({ id, name, details: JSON.stringify(details), modifiedOn }),
    delete: (id, at) => void remove.run(at, id),
    clear: () => void clear.run(),
    ...openReads(database),
  };
}

function openReads(
  database: SandboxDatabase,
): Pick<Companies, 'page' | 'find' | 'read' | 'withTaxNumber' | 'count'> {
  // Includes deleted companies, so that paging continues after a deletion.
  const position = database.prepare<[string, string], { position: number }>(
    'SELECT position FROM companies WHERE tenant_id = ? AND id = ?',
  );
  const page = database.prepare<[string, number, number], CompanyRow>(
    `SELECT * FROM companies WHERE tenant_id = ? AND position > ? AND deleted_on IS NULL
     ORDER BY position LIMIT +?`,
  );
  const pageBefore = database.prepare<[string, number, number], CompanyRow>(
    `SELECT * FROM companies WHERE tenant_id = ? AND position < ? AND deleted_on IS NULL
     ORDER BY position DESC LIMIT +?`,
  );
  const find = database.prepare<[string, string], CompanyRow>(
    'SELECT * FROM companies WHERE tenant_id = ? AND id = ? AND deleted_on IS NULL',
  );
  const byTaxNumber = database.prepare<[string, string], CompanyRow>(
    `SELECT * FROM companies WHERE tenant_id = ? AND federal_tax_number = ? AND deleted_on IS NULL
     ORDER BY position LIMIT 1`,
  );
  const count = database.prepare<[], { count: number }>(
    'SELECT count(*) AS count FROM companies WHERE deleted_on IS NULL',
  );
  const stored = (row: CompanyRow | undefined) => row && toStored(row);
  return {
    page(tenantId, limit, cursor) {
      const at = cursor === undefined ? { position: 0 } : position.get(tenantId, cursor.id);
      if (cursor?.side !== 'before') return at && page.all(tenantId, at.position, limit).map(toCompany);
      return at && pageBefore.all(tenantId, at.position, limit).toReversed().map(toCompany);
    },
    find(tenantId, id) {
      const row = find.get(tenantId, id);
      return row && toCompany(row);
    },
    read: (tenantId, id) => stored(find.get(tenantId, id)),
    withTaxNumber: (tenantId, taxNumber) => stored(byTaxNumber.get(tenantId, taxNumber)),
    count: () => count.get()?.count ?? 0,
  };
}

function toCompany(row: CompanyRow): KnownCompany {
  return { id: row.id, name: row.name, federalTaxNumber: row.federal_tax_number, status: row.status };
}

function toStored(row: CompanyRow): StoredCompany {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    federalTaxNumber: row.federal_tax_number,
    status: row.status,
    details: JSON.parse(row.details),
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  };
}
