import { looksLikeTaxNumber } from '../../domain/tax-number.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { dayInWords, dayOf, DAY_MS } from '../../domain/dates.js';
import { cnpjRoot } from '../../domain/document-fact.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { fieldOf } from '../../domain/record.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { listCertificates, outOfUse, thumbprintIn } from '../../jobs/resources/certificate.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../context.js';
import type { CheckedPfx } from './pfx.js';
import type { AccountCompany } from '../scope/scope.js';

/**
 * The certificate of a company. other: of the holder of another CNPJ or CPF · unknown: it was not read, or names no day until
 * which it is valid. `null`: unknown, or absent.
 */
export interface CertificateState {
  readonly state: 'valid' | 'expired' | 'missing' | 'other' | 'unknown';
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

/** Valid, and not for longer than until then. */
export function endsBy({ state, validUntil }: CertificateState, until: number): boolean {
  return state === 'valid' && Date.parse(validUntil ?? '') <= until;
}

/** What proves most comes first; a certificate of somebody else serves the company least. */
const order = ['valid', 'unknown', 'expired', 'other'] as const;

/** By which certificates are judged. */
export interface Judging {
  readonly now: number;
  /** CNPJ or CPF of the company; absent: it is not known, and the holder is not compared. */
  readonly taxNumber: string | undefined;
}

/** The certificate of a company that expires last, or expired last. Pure. */
export function bestOf(certificates: readonly unknown[], judging: Judging): CertificateState {
  const used = certificates.filter((each) => [undefined, 'overdue'].includes(outOfUse(each)));
  const judged = used.map((each) => judge(each, judging));
  const [best] = judged.toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state) || other.until - one.until,
  );
  if (best === undefined) return { ...unknownCertificate, state: 'missing' };
  const { each, state, until } = best;
  const hasDay = Number.isFinite(until);
  return {
    state,
    validUntil: hasDay ? new Date(until).toISOString() : null,
    daysLeft: hasDay ? Math.floor((until - judging.now) / DAY_MS) : null,
    subject: textField(each, 'subject') ?? null,
    thumbprint: textField(each, 'thumbprint') ?? null,
  };
}

interface Judged {
  readonly each: unknown;
  readonly state: (typeof order)[number];
  readonly until: number;
}

function judge(each: unknown, { now, taxNumber }: Judging): Judged {
  const ms = Date.parse(textField(each, 'validUntil') ?? '');
  const until = Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
  const stateOf = (): Judged['state'] => {
    if (isOfAnother(textField(each, 'subject'), taxNumber)) return 'other';
    if (outOfUse(each, now) === 'overdue') return 'expired';
    return Number.isNaN(ms) ? 'unknown' : 'valid';
  };
  return { each, state: stateOf(), until };
}

/**
 * Whether the subject names a holder, as ICP-Brasil writes it (`CN=NAME:CNPJ`), who is not the company. All establishments of a
 * company may use one certificate.
 */
function isOfAnother(subject: string | undefined, taxNumber: string | undefined): boolean {
  const parts = (subject ?? '').split(/[,\n+]/).map((part) => part.trim().toUpperCase());
  const holder = parts
    .find((part) => part.startsWith('CN='))
    ?.split(':')
    .at(-1);
  if (holder === undefined || taxNumber === undefined) return false;
  return looksLikeTaxNumber(holder) && cnpjRoot(holder) !== cnpjRoot(taxNumber);
}

/** As a person reads it. */
export function certificateInWords(certificate: CertificateState): Text {
  const day = dayInWords(dayOf(certificate.validUntil ?? '') ?? '–');
  switch (certificate.state) {
    case 'valid': {
      const { en, pt } = inWords(certificate);
      return { en: `the certificate expires on ${en}`, pt: `o certificado vence em ${pt}` };
    }
    case 'expired':
      return { en: `the certificate expired on ${day.en}`, pt: `o certificado venceu em ${day.pt}` };
    case 'missing':
      return { en: 'there is no certificate in use', pt: 'não há certificado em uso' };
    case 'other':
      return {
        en: 'the certificate is of the holder of another CNPJ or CPF',
        pt: 'o certificado é do titular de outro CNPJ ou CPF',
      };
    case 'unknown':
      return {
        en: 'the certificate names no day until which it is valid',
        pt: 'o certificado não informa até que dia vale',
      };
  }
}

/** That a certificate which is uploaded ends before another one in use, which it may take the place of; `undefined`: it does not. Pure. */
export function endsSooner(
  made: Pick<CheckedPfx, 'thumbprint' | 'validUntil'>,
  certificates: readonly unknown[],
  judging: Judging,
): Text | undefined {
  const others = certificates.filter((each) => thumbprintIn(each) !== made.thumbprint);
  const standing = bestOf(others, judging);
  const until = Date.parse(made.validUntil);
  if (standing.state !== 'valid' || Date.parse(standing.validUntil ?? '') <= until) return undefined;
  const daysLeft = Math.floor((until - judging.now) / DAY_MS);
  const [own, its] = [inWords({ validUntil: made.validUntil, daysLeft }), inWords(standing)];
  return {
    en: `the new certificate expires on ${own.en}, before the one in use, which expires on ${its.en}`,
    pt: `o novo certificado vence em ${own.pt}, antes do que está em uso, que vence em ${its.pt}`,
  };
}

/** The day, and in how many days it is. */
function inWords({ validUntil, daysLeft }: Pick<CertificateState, 'validUntil' | 'daysLeft'>): Text {
  const [day, left] = [dayInWords(dayOf(validUntil ?? '') ?? '–'), counted(daysLeft ?? 0, nouns.day)];
  return { en: `${day.en}, in ${left.en}`, pt: `${day.pt}, em ${left.pt}` };
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
  { companies, now }: { readonly companies: readonly AccountCompany[]; readonly now: number },
): Promise<ReadonlyMap<string, KeptCertificate>> {
  const rows = await known.list({ profile, kind: KIND });
  const taxNumbers = new Map(companies.map(({ id, taxNumber }) => [id, taxNumber]));
  return new Map(
    rows.map(({ scope, data, seenAt }) => {
      const certificates = fieldOf(data, 'certificates');
      const judging = { now, taxNumber: taxNumbers.get(scope) };
      const best = Array.isArray(certificates) ? bestOf(certificates, judging) : unknownCertificate;
      return [scope, { ...best, seenAt }];
    }),
  );
}

/** The certificates of a company as the service lists them, which are kept. Errors: those of a call. */
export async function fetchCertificates(context: Context, companyId: string): Promise<readonly JsonObject[]> {
  const client = await context.client();
  const certificates = await listCertificates(client, companyId, { signal: context.interruption });
  await keepCertificates(context, companyId, certificates);
  return certificates;
}
