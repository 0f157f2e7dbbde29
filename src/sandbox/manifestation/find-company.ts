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

export interface Meant {
  readonly tenantId: string;
  readonly accessKey: string;
  /** The company that the path names, if it names one. */
  readonly named: string | undefined;
}

/**
 * §4, check 5. The company of a request that names none (assumed): the one that captured the note, else the only one
 * of the account with NF-e inbound active; 400 when that leads to none.
 */
export function findActiveCompany(core: Core, { tenantId, accessKey, named }: Meant): string {
  if (named !== undefined) {
    requireActive(core, named, 'nfe');
    return named;
  }
  const captured = core.documents
    .withKey(accessKey)
    .map((document) => document.companyId)
    .filter((companyId) => core.companies.find(tenantId, companyId) !== undefined);
  const [first] = captured;
  if (first !== undefined) {
    const active = captured.find((companyId) => core.captures.isActive(companyId, 'nfe'));
    if (active === undefined) requireActive(core, first, 'nfe');
    return active ?? first;
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
