import { allRoles } from '../core/callers.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { choiceField, type Fields, fieldsOf, textField } from './fields.js';

/** `{kind?, roles, as?: 'key' | 'jwt', expiresIn?}` → `{key}`. Without roles it has none; a token without a kind is for both. */
export function addKey(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['kind', 'roles', 'as', 'expiresIn']);
  const kind = choiceField(fields, 'kind', ['invoice', 'data']);
  const roles = rolesOf(fields);
  const { tenantId } = core.account;
  if (choiceField(fields, 'as', ['key', 'jwt']) !== 'jwt') {
    return { key: core.callers.addKey(tenantId, kind ?? 'invoice', roles) };
  }
  const ms = parseDuration(textField(fields, 'expiresIn') ?? '1h');
  if (ms === undefined) throw invalid('expiresIn', 'Must be a duration such as 1h.');
  const expiresAt = core.clock.now() + ms;
  return { key: core.callers.token(tenantId, { kind: kind ?? 'both', roles, expiresAt }) };
}

function rolesOf(fields: Fields): readonly string[] {
  const roles = fields['roles'];
  if (roles === undefined) return [];
  const known = Array.isArray(roles) ? roles.filter((role) => allRoles.includes(role)) : [];
  if (!Array.isArray(roles) || known.length !== roles.length) {
    throw invalid('roles', `Must be a list of: ${allRoles.join(', ')}.`);
  }
  return known;
}
