import type { SandboxDatabase } from './open-database.js';

/** The kinds of documents that a company can have captured. */
export const families = ['nfe', 'nfse'] as const;
export type Family = (typeof families)[number];

/** Which companies have inbound capture active. */
export interface Captures {
  /** The company of the account begins with all active; a choice that stands already stays. */
  begin(companyId: string): void;
  set(companyId: string, family: Family, active: boolean): void;
  isActive(companyId: string, family: Family): boolean;
  /** The companies of a tenant with this family active, at most `limit`. */
  active(tenantId: string, family: Family, limit: number): readonly string[];
}

export function openCaptures(database: SandboxDatabase): Captures {
  const begin = database.prepare(
    'INSERT INTO captures (company_id, family, active) VALUES (?, ?, 1) ON CONFLICT DO NOTHING',
  );
  const set = database.prepare(
    'INSERT OR REPLACE INTO captures (company_id, family, active) VALUES (?, ?, ?)',
  );
  const find = database.prepare<[string, string], { active: number }>(
    'SELECT active FROM captures WHERE company_id = ? AND family = ?',
  );
  const active = database.prepare<[string, string, number], { company_id: string }>(
    `SELECT captures.company_id FROM captures JOIN companies ON companies.id = captures.company_id
     WHERE tenant_id = ? AND family = ? AND active = 1 LIMIT ?`,
  );
  return {
    begin(companyId) {
      for (const family of families) begin.run(companyId, family);
    },
    set: (companyId, family, isActive) => void set.run(companyId, family, isActive ? 1 : 0),
    isActive: (companyId, family) => find.get(companyId, family)?.active === 1,
    active: (tenantId, family, limit) => active.all(tenantId, family, limit).map((row) => row.company_id),
  };
}
