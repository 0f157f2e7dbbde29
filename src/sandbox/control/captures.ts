import { families } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { booleanField, choiceField, type Fields, fieldsOf, textField } from './fields.js';

/** `{family, active, companyId?}`: switches the inbound capture of a company, else that of the account. */
export function setCapture(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companyId', 'family', 'active']);
  const family = choiceField(fields, 'family', families);
  if (family === undefined) throw invalid('family', `Is required: one of ${families.join(', ')}.`);
  const active = booleanField(fields, 'active');
  if (active === undefined) throw invalid('active', 'Is required.');
  const companyId = companyField(core, fields);
  core.captures.set(companyId, family, active);
  return { companyId, family, active };
}

/** The company that is named, else the one of the account. */
export function companyField(core: Core, fields: Fields): string {
  const companyId = textField(fields, 'companyId') ?? core.account.companyId;
  if (core.companies.find(core.account.tenantId, companyId) !== undefined) return companyId;
  throw invalid('companyId', 'Is no company of this account.');
}
