import type { Core } from '../core/core.js';

/** Those that stand, the account's own first, and new ones until there are enough. */
export function officeCompanies(core: Core, count: number): readonly string[] {
  const { tenantId } = core.account;
  const standing = core.companies.page(tenantId, count, undefined) ?? [];
  const added = addCompanies(core, Math.max(0, count - standing.length));
  return [...standing.map(({ id }) => id), ...added];
}

/** Invented companies, each with a valid certificate. */
export function addCompanies(core: Core, count: number): readonly string[] {
  const ids = Array.from({ length: count }, () => core.chance.uuid());
  for (const id of ids) core.companies.add(core.account.tenantId, id);
  core.certificates.begin(core.clock.now());
  return ids;
}
