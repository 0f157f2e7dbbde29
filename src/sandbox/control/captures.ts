import { families } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { booleanField, choiceField, type Fields, fieldsOf, textField } from './fields.js';

/**
 * `{family, active?, spacedFor?, companyId?}`: switches the inbound capture of a company, else that of the account, or
 * spaces it for a while, as a limit of the national environment or a certificate out of order would (§2). `0s` ends that.
 */
export function setCapture(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companyId', 'family', 'active', 'spacedFor']);
  const family = choiceField(fields, 'family', families);
  if (family === undefined) throw invalid('family', `Is required: one of ${families.join(', ')}.`);
  const active = booleanField(fields, 'active');
  const spacedForMs = spacedFor(fields);
  if (active === undefined && spacedForMs === undefined)
    throw invalid('active', 'Is required, or spacedFor.');
  const companyId = companyField(core, fields);
  if (active !== undefined) core.captures.set(companyId, family, active);
  if (spacedForMs === undefined) return { companyId, family, active };
  const until = core.clock.now() + spacedForMs;
  core.captures.space(companyId, family, spacedForMs === 0 ? null : until);
  if (spacedForMs > 0) {
    const message = `The national environment limits the capture until ${new Date(until).toISOString()}.`;
    core.notices.add({ companyId, family, type: 'RateLimited', message, at: core.clock.now() });
  }
  const rateLimitedUntil = spacedForMs === 0 ? null : new Date(until).toISOString();
  return { companyId, family, active: core.captures.isActive(companyId, family), rateLimitedUntil };
}

function spacedFor(fields: Fields): number | undefined {
  const text = textField(fields, 'spacedFor');
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) throw invalid('spacedFor', 'Must be a duration such as 1h.');
  return ms;
}

/** The company that is named, else the one of the account. */
export function companyField(core: Core, fields: Fields): string {
  const companyId = textField(fields, 'companyId') ?? core.account.companyId;
  if (core.companies.find(core.account.tenantId, companyId) !== undefined) return companyId;
  throw invalid('companyId', 'Is no company of this account.');
}
