import type { Company } from '../../contract/company.js';
import { businessName } from './business-names.js';
import { unitOf } from './chance.js';
import { withCheckDigits } from './cnpj.js';
import type { SandboxDatabase } from './open-database.js';

export interface Companies {
  /** Adds an invented company under this id; one that stands already stays. */
  add(tenantId: string, id: string): void;
  /** In order of creation, after the company `startingAfter`; `undefined` when that one is not of the tenant. */
  page(tenantId: string, limit: number, startingAfter: string | undefined): readonly Company[] | undefined;
  /** `undefined` when there is none with this id in the tenant. */
  find(tenantId: string, id: string): Company | undefined;
  count(): number;
  clear(): void;
}

interface CompanyRow {
  id: string;
  name: string;
  federal_tax_number: string;
  status: string;
}

export function openCompanies(database: SandboxDatabase): Companies {
  const insert = database.prepare(
    `INSERT INTO companies (id, tenant_id, name, federal_tax_number, status) VALUES (?, ?, ?, ?, 'Active')
     ON CONFLICT (id) DO NOTHING`,
  );
  const position = database.prepare<[string, string], { position: number }>(
    'SELECT position FROM companies WHERE tenant_id = ? AND id = ?',
  );
  const page = database.prepare<[string, number, number], CompanyRow>(
    `SELECT id, name, federal_tax_number, status FROM companies
     WHERE tenant_id = ? AND position > ? ORDER BY position LIMIT ?`,
  );
  const find = database.prepare<[string, string], CompanyRow>(
    'SELECT id, name, federal_tax_number, status FROM companies WHERE tenant_id = ? AND id = ?',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM companies');
  const clear = database.prepare('DELETE FROM companies');
  return {
    add(tenantId, id) {
      const root = String(Math.floor(unitOf(id) * 90_000_000) + 10_000_000);
      insert.run(id, tenantId, businessName(id), withCheckDigits(`${root}0001`));
    },
    page(tenantId, limit, startingAfter) {
      const after = startingAfter === undefined ? { position: 0 } : position.get(tenantId, startingAfter);
      return after && page.all(tenantId, after.position, limit).map(toCompany);
    },
    find(tenantId, id) {
      const row = find.get(tenantId, id);
      return row && toCompany(row);
    },
    count: () => count.get()?.count ?? 0,
    clear: () => void clear.run(),
  };
}

function toCompany(row: CompanyRow): Company {
  return { id: row.id, name: row.name, federalTaxNumber: row.federal_tax_number, status: row.status };
}
