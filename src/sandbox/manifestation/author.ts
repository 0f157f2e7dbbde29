import type { Core } from '../core/core.js';

/** Who signs the events of a company: its CNPJ. */
export function authorOf(core: Core, tenantId: string, companyId: string): string {
  return core.companies.find(tenantId, companyId)?.federalTaxNumber ?? companyId;
}
