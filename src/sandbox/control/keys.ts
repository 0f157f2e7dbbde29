import { allRoles, type CompanyRoles } from '../core/callers.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { isRecord } from '../product/read-product.js';
import { choiceField, fieldsOf, textField } from './fields.js';

/**
 * `{kind?, roles, companyRoles?, as?: 'key' | 'jwt', expiresIn?}` → `{key}`. Without roles it has none; a token without
 * a kind is for both. `companyRoles` is `{companyId: roles}` and stands for those companies instead of `roles`.
 */
export function addKey(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['kind', 'roles', 'companyRoles', 'as', 'expiresIn']);
  const kind = choiceField(fields, 'kind', ['invoice', 'data']);
  const roles = rolesOf('roles', fields['roles']);
  const companyRoles = companyRolesOf(core, fields['companyRoles']);
  const { tenantId } = core.account;
  if (choiceField(fields, 'as', ['key', 'jwt']) !== 'jwt') {
    return { key: core.callers.addKey(tenantId, { kind: kind ?? 'invoice', roles, companyRoles }) };
  }
  if (Object.keys(companyRoles).length > 0) throw invalid('companyRoles', 'Is for keys, not for tokens.');
  const ms = parseDuration(textField(fields, 'expiresIn') ?? '1h');
  if (ms === undefined) throw invalid('expiresIn', 'Must be a duration such as 1h.');
  const expiresAt = core.clock.now() + ms;
  return { key: core.callers.token(tenantId, { kind: kind ?? 'both', roles, expiresAt }) };
}

function rolesOf(name: string, roles: unknown = []): readonly string[] {
  const known = Array.isArray(roles) ? roles.filter((role) => allRoles.includes(role)) : [];
  if (!Array.isArray(roles) || known.length !== roles.length) {
    throw invalid(name, `Must be a list of: ${allRoles.join(', ')}.`);
  }
  return known;
}

function companyRolesOf(core: Core, given: unknown = {}): CompanyRoles {
  if (!isRecord(given)) throw invalid('companyRoles', 'Must be an object with the ids of companies.');
  const entries = Object.entries(given).map(([companyId, roles]) => {
    if (core.companies.find(core.account.tenantId, companyId) === undefined) {
      throw invalid(`companyRoles.${companyId}`, 'Is no company of this account.');
    }
    return [companyId, rolesOf(`companyRoles.${companyId}`, roles)] as const;
  });
  return Object.fromEntries(entries);
}
