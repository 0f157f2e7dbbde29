import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';
import type { CompanyReading } from './reading.js';
import type { CertificateState } from './row.js';

const DAY_MS = 86_400_000;

const unknown: CertificateState = {
  state: 'unknown',
  validUntil: null,
  daysLeft: null,
  subject: null,
  thumbprint: null,
};

/** Words of a certificate that is there and not in use. */
const unused = new Set(['inactive', 'pending']);

/** The certificate of a company that is valid for longest, else the one that ran out last. */
export async function readCertificate(
  context: Context,
  reading: CompanyReading,
  companyId: string,
): Promise<CertificateState> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('certificate.list', { path: { companyId } }, how));
  const list = listField(answer?.body, 'certificates');
  if (list === undefined) return unknown;
  return bestOf(list, context.clock.now());
}

/** Pure. A word of `status` that is not known is no reason: the day decides. */
export function bestOf(certificates: readonly unknown[], now: number): CertificateState {
  const used = certificates.filter((each) => !unused.has((textField(each, 'status') ?? '').toLowerCase()));
  const [best] = used
    .map((each) => ({ each, until: untilOf(each) }))
    .toSorted((one, other) => other.until - one.until);
  if (best === undefined) return { ...unknown, state: 'missing' };
  const { each, until } = best;
  const isOver = until <= now || textField(each, 'status')?.toLowerCase() === 'overdue';
  const hasDay = Number.isFinite(until);
  return {
    state: isOver ? 'expired' : 'valid',
    validUntil: hasDay ? new Date(until).toISOString() : null,
    daysLeft: hasDay ? Math.floor((until - now) / DAY_MS) : null,
    subject: textField(each, 'subject') ?? null,
    thumbprint: textField(each, 'thumbprint') ?? null,
  };
}

/** Without a day, what else is said of it counts. */
function untilOf(certificate: unknown): number {
  const ms = Date.parse(textField(certificate, 'validUntil') ?? '');
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
}
