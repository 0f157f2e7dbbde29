import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { Semaphore } from '../../jobs/concurrency.js';
import { bestOf, endsBy, fetchCertificates, unknownCertificate } from '../../services/company/certificate.js';
import { companiesOf, companyOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany, CompanyLabel } from '../../services/scope/scope.js';
import type { check, list } from './commands.js';

/** The certificates of a company, unchanged. */
export async function listCertificates(context: Context): Promise<Outcome> {
  const path = { companyId: await companyOf(context) };
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'certificate.list', { path }) };
  }
  return { data: await fetchCertificates(context, path.companyId) };
}

/** One certificate without its wrapper. Errors: `usage.invalid_value`; `service.not_found`, with the command that lists them. */
export async function getCertificate(context: Context, given: Given<typeof list>): Promise<Outcome> {
  const thumbprint = thumbprintOf(given.thumbprint ?? '');
  const path = { companyId: await companyOf(context), thumbprint };
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'certificate.get', { path }) };
  }
  const client = await context.client();
  const { body } = await hintWhenAbsent(certificatesHint(path.companyId), () =>
    client.call('certificate.get', { path }, { signal: context.interruption }),
  );
  return { data: body.certificate };
}

function certificatesHint(company: string): Text {
  const line = fiscalLine({ command: 'certificate list', company });
  return { en: `the certificates of the company: ${line}`, pt: `os certificados da empresa: ${line}` };
}

/** Accepts the thumbprint with or without colons. Error: `usage.invalid_value`. */
export function thumbprintOf(text: string): string {
  const bare = text.replaceAll(/[:\s]/g, '').toUpperCase();
  if (/^[0-9A-F]{40}$/.test(bare)) return bare;
  const expected: Text = {
    en: '40 hexadecimal digits are expected (fiscal certificate list)',
    pt: 'esperam-se 40 dígitos hexadecimais (fiscal certificate list)',
  };
  throw invalidValue('THUMBPRINT', text, expected);
}

/**
 * One company with its certificate; `expiring`: valid, and not for much longer · `other`: of the holder of another CNPJ ·
 * `unknown`: it could not be read, or names no day.
 */
interface CheckedCompany extends CompanyLabel {
  readonly companyId: string;
  readonly state: 'valid' | 'expiring' | 'expired' | 'missing' | 'other' | 'unknown';
  readonly validUntil: string | null;
  readonly daysLeft: number | null;
  readonly thumbprint: string | null;
}

/**
 * The certificates of all companies, the first to expire on top; exit 13 when one has expired, is about to, or is of another CNPJ,
 * 3 when one could not be read or names no day.
 */
export async function checkCertificates(
  context: Context,
  { warn, companies: words }: Given<typeof check>,
): Promise<Outcome> {
  const { dryRun, concurrency } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'company.list', { path: {} }) };
  const companies = await companiesOf(
    context,
    words.length > 0 ? { all: false, words } : { all: context.flags['company'] === undefined },
  );
  const requests = new Semaphore(concurrency);
  const progress = { done: 0, total: companies.length };
  const rows = await Promise.all(
    companies.map((company) =>
      requests.run(async () => {
        const row = await checkOne(context, company, warn);
        progress.done += 1;
        context.progress.report({ label, ...progress });
        return row;
      }),
    ),
  ).finally(() => context.progress.stop());
  return { data: rows.toSorted(byUrgency), exitCode: exitCodeOf(rows), notices: noticesOf(rows) };
}

/** A certificate of which the day is unknown may have expired: that is not a success. */
function exitCodeOf(rows: readonly CheckedCompany[]): ExitCode {
  if (rows.some(({ state }) => ['expired', 'expiring', 'other'].includes(state))) return ExitCode.endedBadly;
  return rows.some(({ state }) => state === 'unknown') ? ExitCode.partial : ExitCode.ok;
}

async function checkOne(context: Context, company: AccountCompany, warnMs: number): Promise<CheckedCompany> {
  const now = context.clock.now();
  const certificates = await fetchCertificates(context, company.id).catch(nothingOfOne);
  const best =
    certificates === undefined ? unknownCertificate : bestOf(certificates, { now, taxNumber: company.taxNumber });
  return {
    companyId: company.id,
    ...labelOf(company),
    state: endsBy(best, now + warnMs) ? 'expiring' : best.state,
    validUntil: best.validUntil,
    daysLeft: best.daysLeft,
    thumbprint: best.thumbprint,
  };
}

/** A company that the key may not read, or that no longer exists, does not stop the check of the others. */
function nothingOfOne(error: unknown): undefined {
  const isItsOwn = error instanceof FiscalError && ['service.forbidden', 'service.not_found'].includes(error.code);
  if (!isItsOwn) throw error;
}

const urgency: readonly CheckedCompany['state'][] = [
  ...(['expired', 'expiring', 'other', 'missing', 'unknown', 'valid'] as const),
];

function byUrgency(one: CheckedCompany, other: CheckedCompany): number {
  const rank = urgency.indexOf(one.state) - urgency.indexOf(other.state);
  return rank || (one.validUntil ?? '').localeCompare(other.validUntil ?? '');
}

function noticesOf(rows: readonly CheckedCompany[]): readonly Text[] {
  const count = (state: CheckedCompany['state']) => rows.filter((row) => row.state === state).length;
  const [expired, expiring, missing] = [count('expired'), count('expiring'), count('missing')];
  const [unknown, other] = [count('unknown'), count('other')];
  const unread: Text = {
    en: `${unknown} unknown: the key lacks permission, the company no longer exists, or the certificate names no day until which it is valid`,
    pt: `${unknown} desconhecidos: a chave não permite, a empresa não existe mais ou o certificado não informa até que dia vale`,
  };
  const ofAnother: Text = {
    en: `${other} of the holder of another CNPJ or CPF: the company cannot capture or sign with it`,
    pt: `${other} de titular de outro CNPJ ou CPF: a empresa não captura nem assina com ele`,
  };
  const unreadNotice = [...(other === 0 ? [] : [ofAnother]), ...(unknown === 0 ? [] : [unread])];
  if (expired + expiring + missing === 0) return unreadNotice;
  return [
    ...unreadNotice,
    {
      en: `${expired} expired, ${expiring} about to expire, ${missing} without a certificate; send a new one: fiscal certificate upload --company <id> --file <cert.pfx>`,
      pt: `${expired} vencidos, ${expiring} perto de vencer, ${missing} sem certificado; envie um novo: fiscal certificate upload --company <id> --file <cert.pfx>`,
    },
  ];
}

const label: Text = { en: 'reading certificates', pt: 'lendo certificados' };
