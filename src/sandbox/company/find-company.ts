import { familyNames } from '../../contract/inbound.js';
import type { Core } from '../core/core.js';
import type { Family } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';

/** What a call names: the account of its key, and the company in its path. */
interface CompanyCall {
  readonly caller: { readonly tenantId: string };
  readonly path: { readonly companyId: string };
}

/** The company in the path; throws 404 for a company of another tenant. */
export function companyOf(core: Core, { caller, path }: CompanyCall): string {
  return requireCompany(core, caller.tenantId, path.companyId);
}

export function requireCompany(core: Core, tenantId: string, companyId: string): string {
  if (core.companies.find(tenantId, companyId) !== undefined) return companyId;
  throw new Refusal('not_found', 'There is no company with this id.');
}

export function requireActive(core: Core, companyId: string, family: Family): void {
  if (core.captures.isActive(companyId, family)) return;
  throw invalid('companyId', `${familyNames[family]} inbound is not active for the company ${companyId}.`);
}

interface Meant {
  readonly tenantId: string;
  readonly accessKey: string;
  /** The company in the path, if any. */
  readonly named: string | undefined;
}

/**
 * §4, check 5. Without a company in the path (assumed): the company that captured the note, else the only one of the
 * account with active NF-e inbound; throws 400 otherwise.
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
  const [only, ...others] = core.companies.capturing(tenantId, 'nfe', 2);
  if (only !== undefined && others.length === 0) return only.id;
  throw invalid(
    'accessKey',
    only === undefined
      ? 'NF-e inbound is not active for any company of the account.'
      : 'No captured note has this key, and several companies have NF-e inbound active.',
  );
}

/** The CNPJ that signs the events of a company. */
export function authorOf(core: Core, tenantId: string, companyId: string): string {
  return core.companies.find(tenantId, companyId)?.federalTaxNumber ?? companyId;
}

/** §4, check 1: 44 digits; letters in the CNPJ (facts §1) only if allowed. */
export function requireNfeKey(accessKey: string, lettersAllowed: boolean): void {
  const form = lettersAllowed ? /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/ : /^[0-9]{44}$/;
  if (!form.test(accessKey)) throw invalid('accessKey', 'Must have 44 digits.');
}

/** facts §2: 50 characters. */
export function requireNfseKey(accessKey: string, lettersAllowed: boolean): void {
  const form = lettersAllowed ? /^[0-9]{9}[0-9A-Z]{14}[0-9]{27}$/ : /^[0-9]{50}$/;
  if (!form.test(accessKey)) throw invalid('accessKey', 'Must have 50 digits.');
}

/**
 * The 409 while the same event is `Pending` or `Accepted` (§4). The service document promises neither its id nor its
 * status.
 */
export function liveAlready(): Refusal {
  return new Refusal('conflict', 'The same event is Pending or Accepted already.');
}
