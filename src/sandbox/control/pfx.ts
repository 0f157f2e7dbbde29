import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { companyField } from './captures.js';
import type { AsyncControl, ControlRequest } from './control.js';
import { choiceField, fieldsOf, numberField, textField } from './fields.js';

export const encryptions = ['modern', 'legacy'] as const;

const dayMs = 86_400_000;
const usualDays = 365;
const most = 3_650;

/**
 * `{password, days?, taxNumber?, companyId?, encryption?}`: makes a PKCS #12 file in base64 for the upload, by default of
 * the company of the account. It ends `days` from now, or has ended when they are below zero.
 */
export const makeTestPfx: AsyncControl = { prepare: prepareTestPfx };

function prepareTestPfx(core: Core, request: ControlRequest): () => Promise<object> {
  const fields = fieldsOf(request.body, ['companyId', 'taxNumber', 'days', 'password', 'encryption']);
  const password = textField(fields, 'password');
  if (password === undefined) throw invalid('password', 'Is required.');
  const company = core.companies.find(core.account.tenantId, companyField(core, fields));
  const taxNumber = textField(fields, 'taxNumber') ?? company?.federalTaxNumber ?? '';
  const days = numberField(fields, 'days', { from: -most, to: most, whole: true }) ?? usualDays;
  const now = core.clock.now();
  const until = now - (now % 1_000) + days * dayMs;
  const holder = {
    commonName: `${company?.name ?? 'Sandbox'}:${taxNumber}`,
    from: Math.min(now, until) - dayMs,
    until,
  };
  const encryption = choiceField(fields, 'encryption', encryptions) ?? 'modern';
  return async () => {
    const { makePfx } = await import('../certificate/pfx.js');
    const { file, thumbprint } = makePfx(holder, password, encryption);
    return { file: file.toString('base64'), thumbprint, validUntil: new Date(until).toISOString() };
  };
}
