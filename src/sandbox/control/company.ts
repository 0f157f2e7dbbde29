import type { Certificate } from '../../contract/certificate.js';
import { noteMissing, showCertificate } from '../company/certificates.js';
import { type CompanyRoles, allRoles } from '../core/callers.js';
import { parseDuration } from '../core/clock.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import { type StoredCertificate, families } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import {
  type AsyncControl,
  type ControlRequest,
  type Fields,
  booleanField,
  choiceField,
  fieldsOf,
  numberField,
  textField,
} from './control.js';

/**
 * `{family, active?, spacedFor?, companyId?}`: switches the inbound capture of a company (default: the account's), or
 * spaces it for a while, as a limit of the national environment or an unusable certificate does (§2). `0s` ends the
 * spacing.
 */
export function setCapture(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companyId', 'family', 'active', 'spacedFor']);
  const family = choiceField(fields, 'family', families);
  if (family === undefined) throw invalid('family', `Is required: one of ${families.join(', ')}.`);
  const active = booleanField(fields, 'active');
  const spacedForMs = spacedFor(fields);
  if (active === undefined && spacedForMs === undefined)
    throw invalid('active', 'Is required unless spacedFor is given.');
  const companyId = companyField(core, fields);
  if (active !== undefined) core.captures.set(companyId, family, active);
  if (spacedForMs === undefined) return { companyId, family, active };
  const until = core.clock.now() + spacedForMs;
  core.captures.change(companyId, family, { spacedUntil: spacedForMs === 0 ? null : until });
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

/** The company of the request, or that of the account. Throws a 400 for another company. */
export function companyField(core: Core, fields: Fields): string {
  const companyId = textField(fields, 'companyId') ?? core.account.companyId;
  if (core.companies.find(core.account.tenantId, companyId) !== undefined) return companyId;
  throw invalid('companyId', 'Is not a company of this account.');
}

const states = ['valid', 'expiring', 'expired', 'missing', 'pending', 'inactive'] as const;
type State = (typeof states)[number];

const dayMs = 86_400_000;
const usualDaysOf: Readonly<Record<State, number>> = {
  valid: 365,
  expiring: 10,
  expired: -1,
  missing: 0,
  pending: 365,
  inactive: 365,
};
const mostDays = 3_650;

/**
 * `{state, days?, companyId?}`: sets the certificate of a company (default: the account's). It expires in `days`, or
 * expired `days` ago if the state is `expired`. Unless it is valid or expiring, every capture is spaced (§2).
 */
export function setCertificate(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companyId', 'state', 'days']);
  const state = choiceField(fields, 'state', states);
  if (state === undefined) throw invalid('state', `Is required: one of ${states.join(', ')}.`);
  const companyId = companyField(core, fields);
  const days = numberField(fields, 'days', { from: 0, to: mostDays, whole: true });
  const current = core.certificates.of(companyId);
  if (current === undefined) throw invalid('companyId', 'Has never had a certificate.');
  const certificate = changed(current, state, core.clock.now() + daysOf(state, days) * dayMs);
  core.certificates.put(certificate);
  // A read creates the notice of an expiry, with the time of the expiry.
  if (!['valid', 'expiring', 'expired'].includes(state)) noteMissing(core, companyId);
  const shown: readonly Certificate[] = state === 'missing' ? [] : [showCertificate(core, certificate)];
  return { companyId, state, certificates: shown };
}

function daysOf(state: State, days: number | undefined): number {
  if (days === undefined) return usualDaysOf[state];
  return state === 'expired' ? -days : days;
}

function changed(current: StoredCertificate, state: State, validUntil: number): StoredCertificate {
  switch (state) {
    case 'valid':
    case 'expiring':
    case 'expired':
      return { ...current, validUntil, standing: 'installed' };
    case 'missing':
      return { ...current, standing: 'removed' };
    case 'pending':
    case 'inactive':
      return { ...current, validUntil, standing: state };
  }
}

export const encryptions = ['modern', 'legacy'] as const;
const usualDays = 365;

/**
 * `{password, days?, taxNumber?, companyId?, encryption?}`: creates a PKCS #12 file in base64 for the upload, by
 * default for the company of the account. It expires in `days`; a negative number makes it expired.
 */
export const makeTestPfx: AsyncControl = { prepare: prepareTestPfx };

function prepareTestPfx(core: Core, request: ControlRequest): () => Promise<object> {
  const fields = fieldsOf(request.body, ['companyId', 'taxNumber', 'days', 'password', 'encryption']);
  const password = textField(fields, 'password');
  if (password === undefined) throw invalid('password', 'Is required.');
  const company = core.companies.find(core.account.tenantId, companyField(core, fields));
  const taxNumber = textField(fields, 'taxNumber') ?? company?.federalTaxNumber ?? '';
  const days = numberField(fields, 'days', { from: -mostDays, to: mostDays, whole: true }) ?? usualDays;
  const now = core.clock.now();
  const until = now - (now % 1_000) + days * dayMs;
  const holder = {
    commonName: `${company?.name ?? 'Sandbox'}:${taxNumber}`,
    from: Math.min(now, until) - dayMs,
    until,
  };
  const encryption = choiceField(fields, 'encryption', encryptions) ?? 'modern';
  return async () => {
    const { makePfx } = await import('../company/pfx.js');
    const { file, thumbprint } = makePfx(holder, password, encryption);
    return { file: file.toString('base64'), thumbprint, validUntil: new Date(until).toISOString() };
  };
}

/**
 * `{kind?, roles, companyRoles?, as?: 'key' | 'jwt', expiresIn?}` → `{key}`. A key without roles has none; a token
 * without a kind is valid for both. `companyRoles` is `{companyId: roles}` and replaces `roles` for those companies.
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
  if (!isRecord(given)) throw invalid('companyRoles', 'Must be an object with company ids as names.');
  const entries = Object.entries(given).map(([companyId, roles]) => {
    if (core.companies.find(core.account.tenantId, companyId) === undefined) {
      throw invalid(`companyRoles.${companyId}`, 'Is not a company of this account.');
    }
    return [companyId, rolesOf(`companyRoles.${companyId}`, roles)] as const;
  });
  return Object.fromEntries(entries);
}
