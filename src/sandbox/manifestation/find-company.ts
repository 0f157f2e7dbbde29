import type { Core } from '../core/core.js';
import { type Family, familyNames } from '../core/captures.js';
import { invalid, Refusal } from '../core/refusal.js';

/** The company that the path names; one of another tenant is not there. */
export function requireCompany(core: Core, tenantId: string, companyId: string): string {
  if (core.companies.find(tenantId, companyId) !== undefined) return companyId;
  throw new Refusal('not_found', 'There is no company with this id.');
}

export function requireActive(core: Core, companyId: string, family: Family): void {
  if (core.captures.isActive(companyId, family)) return;
  throw invalid('companyId', `${familyNames[family]} inbound is not active for the company ${companyId}.`);
}

/**
 * The company of a request that names none (assumed): the one that captured the note, else the only one of the
 * account with NF-e inbound active. §4, check 5: 400 when that leads to none.
 */
export function findActiveCompany(core: Core, tenantId: string, accessKey: string): string {
  const captured = core.documents
    .withKey(accessKey)
    .map((document) => document.companyId)
    .filter((companyId) => core.companies.find(tenantId, companyId) !== undefined);
  const [first] = captured;
  if (first !== undefined) {
    const active = captured.find((companyId) => core.captures.isActive(companyId, 'nfe')) ?? first;
    requireActive(core, active, 'nfe');
    return active;
  }
  const [only, ...others] = core.captures.active(tenantId, 'nfe', 2);
  if (only !== undefined && others.length === 0) return only;
  throw invalid(
    'accessKey',
    only === undefined
      ? 'NF-e inbound is not active for any company of the account.'
      : 'No captured note has this key, and several companies have NF-e inbound active.',
  );
}
