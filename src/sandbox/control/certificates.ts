import type { Certificate } from '../../contract/certificate.js';
import type { StoredCertificate } from '../core/certificates.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { noteMissing } from '../maintenance/note-missing.js';
import { showCertificate } from '../maintenance/show-certificate.js';
import { companyField } from './captures.js';
import type { ControlRequest } from './control.js';
import { choiceField, fieldsOf, numberField } from './fields.js';

const states = ['valid', 'expiring', 'expired', 'missing', 'pending', 'inactive'] as const;
type State = (typeof states)[number];

const dayMs = 86_400_000;
const usualDays: Readonly<Record<State, number>> = {
  valid: 365,
  expiring: 10,
  expired: -1,
  missing: 0,
  pending: 365,
  inactive: 365,
};
const most = 3_650;

/**
 * `{state, days?, companyId?}`: the certificate of a company, else of the one of the account. It ends `days` from now,
 * or has ended `days` ago when it is expired. Unless it is valid or expiring, every capture is spaced (§2).
 */
export function setCertificate(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companyId', 'state', 'days']);
  const state = choiceField(fields, 'state', states);
  if (state === undefined) throw invalid('state', `Is required: one of ${states.join(', ')}.`);
  const companyId = companyField(core, fields);
  const days = numberField(fields, 'days', { from: 0, to: most, whole: true });
  const standing = core.certificates.of(companyId);
  if (standing === undefined) throw invalid('companyId', 'Never had a certificate.');
  const certificate = changed(standing, state, core.clock.now() + daysOf(state, days) * dayMs);
  core.certificates.put(certificate);
  // The notice of an expiry is that of the moment itself: it is made when somebody reads.
  if (!['valid', 'expiring', 'expired'].includes(state)) noteMissing(core, companyId);
  const shown: readonly Certificate[] = state === 'missing' ? [] : [showCertificate(core, certificate)];
  return { companyId, state, certificates: shown };
}

function daysOf(state: State, days: number | undefined): number {
  if (days === undefined) return usualDays[state];
  return state === 'expired' ? -days : days;
}

function changed(standing: StoredCertificate, state: State, validUntil: number): StoredCertificate {
  switch (state) {
    case 'valid':
    case 'expiring':
    case 'expired':
      return { ...standing, validUntil, standing: 'installed' };
    case 'missing':
      return { ...standing, standing: 'removed' };
    case 'pending':
    case 'inactive':
      return { ...standing, validUntil, standing: state };
  }
}
