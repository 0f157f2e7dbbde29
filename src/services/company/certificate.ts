import { rowsOf } from '../../client/read-answer.js';
import { fieldOf } from '../../domain/record.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../context.js';

const DAY_MS = 86_400_000;

/** The certificate of a company. `null`: unknown, or absent. */
export interface CertificateState {
  readonly state: 'valid' | 'expired' | 'missing' | 'unknown';
  readonly validUntil: string | null;
  /** Whole days; negative once it is over. */
  readonly daysLeft: number | null;
  readonly subject: string | null;
  readonly thumbprint: string | null;
}

export const unknownCertificate: CertificateState = {
  state: 'unknown',
  validUntil: null,
  daysLeft: null,
  subject: null,
  thumbprint: null,
};

/** Status words of a certificate that is not in use. */
const unused = new Set(['inactive', 'pending']);

/**
 * The certificate of a company that expires last, or expired last. A word of `status` that is not
 * known does not matter: the day decides. Pure.
 */
export function bestOf(certificates: readonly unknown[], now: number): CertificateState {
  const used = certificates.filter((each) => !unused.has((textField(each, 'status') ?? '').toLowerCase()));
  const judged = used.map((each) => judge(each, now));
  const [best] = judged.toSorted(
    (one, other) => Number(one.isOver) - Number(other.isOver) || other.until - one.until,
  );
  if (best === undefined) return { ...unknownCertificate, state: 'missing' };
  const { each, until, isOver } = best;
  const hasDay = until !== Number.MAX_VALUE;
  return {
    state: isOver ? 'expired' : 'valid',
    validUntil: hasDay ? new Date(until).toISOString() : null,
    daysLeft: hasDay ? Math.floor((until - now) / DAY_MS) : null,
    subject: textField(each, 'subject') ?? null,
    thumbprint: textField(each, 'thumbprint') ?? null,
  };
}

interface Judged {
  readonly each: unknown;
  /** Without a day it never expires: then the status decides. */
  readonly until: number;
  readonly isOver: boolean;
}

function judge(each: unknown, now: number): Judged {
  const ms = Date.parse(textField(each, 'validUntil') ?? '');
  const until = Number.isNaN(ms) ? Number.MAX_VALUE : ms;
  const isOver = until <= now || textField(each, 'status')?.toLowerCase() === 'overdue';
  return { each, until, isOver };
}

const KIND = 'certificates';

/** Keeps what the service has just listed; no part of a certificate that is secret. */
export async function keepCertificates(
  context: Pick<Context, 'clock' | 'settings' | 'store'>,
  companyId: string,
  certificates: readonly unknown[],
): Promise<void> {
  const [{ known }, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const kept = certificates.map((each) =>
    Object.fromEntries(
      ['subject', 'thumbprint', 'status', 'validUntil'].map((name) => [name, textField(each, name) ?? null]),
    ),
  );
  const row = { profile, kind: KIND, scope: companyId, id: companyId, seenAt: context.clock.now() };
  await known.put({ ...row, data: { certificates: kept } }, { durable: false });
}

/** The certificates of a company as they were last listed. `seenAt`: milliseconds. */
export interface KeptCertificate extends CertificateState {
  readonly seenAt: number;
}

/** By company id; a company is missing when its certificates were never listed. */
export async function keptCertificates(
  { known }: Pick<Store, 'known'>,
  profile: string,
  now: number,
): Promise<ReadonlyMap<string, KeptCertificate>> {
  const rows = await known.list({ profile, kind: KIND });
  return new Map(
    rows.map(({ scope, data, seenAt }) => {
      const certificates = fieldOf(data, 'certificates');
      return [scope, { ...bestOf(Array.isArray(certificates) ? certificates : [], now), seenAt }];
    }),
  );
}

/** The certificates of a company as the service lists them, which are kept. Errors: those of a call. */
export async function fetchCertificates(context: Context, companyId: string): Promise<readonly unknown[]> {
  const client = await context.client();
  const input = { path: { companyId } };
  const { body } = await client.call('certificate.list', input, { signal: context.interruption });
  const certificates = rowsOf('certificate.list', body);
  await keepCertificates(context, companyId, certificates);
  return certificates;
}
