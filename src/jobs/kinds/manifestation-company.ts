import type { Client } from '../../client/client.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { textField } from './answer-fields.js';

/** What the check of the company may use. */
export interface CompanyCheck {
  readonly store: Store;
  readonly client: Client;
  readonly profile: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** An event of a company: the part of a submission that says whose it is. */
export interface CompanyClaim {
  readonly family: 'nfe' | 'nfse';
  readonly accessKey: string;
  readonly companyId?: string;
  /** `--company-unchecked`: the user vouches for the company. */
  readonly companyUnchecked?: true;
}

/** Companies of whom a read by key has shown that they captured the note; the id of a row is the access key. */
const knownKind = 'captured-note';
/** The only company of the account, as it was listed lately. */
const onlyCompany = { kind: 'only-company', scope: '', id: 'account' } as const;
const onlyCompanyMs = 60_000;

/**
 * The path of an NF-e event names no company (§4), so that the service picks one. Nothing may be sent for a company that is
 * not shown to have captured the note: the documents of a sync show it, else a read by key, which is remembered.
 * Gives the reason why nothing may be sent; `undefined` when the company is proven, or the user vouches for it. Errors: those of a call.
 */
export async function companyProblem(
  check: CompanyCheck,
  claim: CompanyClaim,
  namesCompany: () => Promise<boolean>,
): Promise<FiscalError | undefined> {
  const { companyId } = claim;
  if (claim.companyUnchecked === true) return undefined;
  if (companyId === undefined)
    return new FiscalError('usage.missing', { names: '--company' }, { sent: 'no' });
  const captured = await capturersOf(check, claim);
  const others = captured.filter((id) => id !== companyId);
  const isOurs =
    captured.includes(companyId) || (await wasRead(check, claim)) || (await isRead(check, claim));
  if (isOurs) {
    return others.length > 0 && !(await namesCompany()) ? severalCaptured(claim, others) : undefined;
  }
  if (others.length > 0) return capturedByOther(claim, others);
  return (await isOnlyCompany(check, companyId)) ? undefined : notCaptured(claim);
}

/** The path names the company, so that the service cannot pick another one. */
export async function inPath(): Promise<boolean> {
  return Promise.resolve(true);
}

/** The companies for which a sync has listed the note, without its issuer, whose own copy no recipient's event can be about. */
export async function capturersOf(
  { store, profile }: Pick<CompanyCheck, 'store' | 'profile'>,
  { family, accessKey }: Pick<CompanyClaim, 'family' | 'accessKey'>,
): Promise<readonly string[]> {
  const rows = await store.documents.capturers({ profile, family, id: accessKey });
  return rows.filter((row) => !isOwnCopy(row)).map(({ companyId }) => companyId);
}

function isOwnCopy({ data, issuer }: DocumentRow): boolean {
  const company = isRecord(data) ? data['company'] : undefined;
  const taxNumber = textField(company, 'federalTaxNumber');
  return taxNumber !== undefined && issuer !== undefined && digits(taxNumber) === digits(issuer);
}

function digits(taxNumber: string): string {
  return taxNumber.replaceAll(/[^0-9A-Za-z]/g, '').padStart(14, '0');
}

async function wasRead({ store, profile }: CompanyCheck, claim: CompanyClaim): Promise<boolean> {
  const { companyId: scope = '', accessKey: id } = claim;
  return (await store.known.get({ profile, kind: knownKind, scope, id })) !== undefined;
}

/** Reads the note below the company. That it is not there is not remembered: it may be captured a minute later. */
async function isRead(check: CompanyCheck, claim: CompanyClaim): Promise<boolean> {
  const { store, profile, now } = check;
  const { companyId = '', accessKey } = claim;
  const body = await readNote(check, claim);
  if (body === undefined) return false;
  const isThis =
    textField(body, 'accessKey') === accessKey && (textField(body, 'companyId') ?? companyId) === companyId;
  if (!isRecord(body) || !isThis) throw notTheNote(claim);
  const row = { profile, kind: knownKind, scope: companyId, id: accessKey, seenAt: now };
  await store.known.put({ ...row, data: factsOf(body) });
  return true;
}

async function readNote({ client, signal }: CompanyCheck, claim: CompanyClaim): Promise<unknown> {
  const { family, accessKey, companyId = '' } = claim;
  const how = { signal };
  try {
    const { body } =
      family === 'nfe'
        ? await client.call('nfe.inbound.get', { path: { companyId, accessKey } }, how)
        : await client.call('nfse.inbound.get', { path: { companyId, idOrAccessKey: accessKey } }, how);
    return body ?? null;
  } catch (error) {
    if (error instanceof FiscalError && error.facts.httpStatus === 404) return undefined;
    throw error;
  }
}

/** What a person must know of a note to deny it. */
export interface NoteFacts {
  readonly issuer?: string;
  readonly issuerName?: string;
  readonly amount?: string;
}

/** What a sync or the read by key has shown of a note. */
export async function readNoteFacts(
  { store, profile }: Pick<CompanyCheck, 'store' | 'profile'>,
  { family, accessKey, companyId }: CompanyClaim,
): Promise<NoteFacts> {
  const rows = await store.documents.capturers({ profile, family, id: accessKey });
  const row = rows.find((each) => each.companyId === companyId) ?? rows[0];
  if (row !== undefined) {
    const { issuer, issuerName, amountText } = row;
    return {
      ...(issuer === undefined ? {} : { issuer }),
      ...(issuerName === undefined ? {} : { issuerName: issuerName.slice(0, 120) }),
      ...(amountText === undefined ? {} : { amount: amountText }),
    };
  }
  const known = await store.known.get({ profile, kind: knownKind, scope: companyId ?? '', id: accessKey });
  // Written by `factsOf` alone.
  return known?.data ?? {};
}

function factsOf(note: Readonly<Record<string, unknown>>): NoteFacts {
  const issuer = textField(note['issuer'], 'federalTaxNumber');
  const issuerName = textField(note['issuer'], 'name');
  const amount = textField(note, 'totalInvoiceAmount') ?? textField(note, 'totalAmount');
  return {
    ...(issuer === undefined ? {} : { issuer: issuer.slice(0, 20) }),
    ...(issuerName === undefined ? {} : { issuerName: issuerName.slice(0, 120) }),
    ...(amount === undefined ? {} : { amount: amount.slice(0, 30) }),
  };
}

/** With one company in the account the service has no other to pick. */
async function isOnlyCompany(check: CompanyCheck, companyId: string): Promise<boolean> {
  return (await onlyCompanyOf(check)) === companyId;
}

/** The account's only company; `undefined` when there are several, or when this key may not list them. */
export async function onlyCompanyOf(check: CompanyCheck): Promise<string | undefined> {
  const { store, client, profile, now, signal } = check;
  const known = await store.known.get({ profile, ...onlyCompany });
  if (known !== undefined && Math.abs(now - known.seenAt) < onlyCompanyMs) return textField(known.data, 'id');
  const ids = await listedIds(client, signal);
  const id = ids?.length === 1 ? ids[0] : undefined;
  await store.known.put({ profile, ...onlyCompany, data: id === undefined ? {} : { id }, seenAt: now });
  return id;
}

async function listedIds(client: Client, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const answer = await client.call('company.list', { path: {}, query: { limit: 2 } }, { signal });
    const body: unknown = answer.body;
    if (!isRecord(body) || body['hasMore'] === true || !Array.isArray(body['companies'])) return undefined;
    return body['companies'].map((company) => textField(company, 'id') ?? '');
  } catch (error) {
    const { httpStatus = 0 } = error instanceof FiscalError ? error.facts : {};
    // The key may be good for the distribution alone (§5): then nothing is known of the account.
    if (httpStatus === 403 || httpStatus === 404) return undefined;
    throw error;
  }
}

function capturedByOther(claim: CompanyClaim, others: readonly string[]): FiscalError {
  const { accessKey, companyId = '' } = claim;
  const [other = ''] = others;
  return new FiscalError(
    'manifestation.captured_by_other',
    { accessKey, company: companyId, others: others.join(', ') },
    {
      sent: 'no',
      hint: {
        en: `to act for the company that captured it: --company ${other}; ${allTheSame.en}`,
        pt: `para agir pela empresa que a capturou: --company ${other}; ${allTheSame.pt}`,
      },
    },
  );
}

function severalCaptured(claim: CompanyClaim, others: readonly string[]): FiscalError {
  const { accessKey, companyId = '' } = claim;
  const key = 'paths.nfe.manifestation.submit';
  const path =
    '/v2/companies/{companyId}/inbound/productinvoices/by-access-key/{accessKey}/manifestation-events';
  return new FiscalError(
    'manifestation.several_captured',
    { accessKey, companies: [companyId, ...others].join(', ') },
    {
      sent: 'no',
      hint: {
        en: `where the service offers a path that names the company: fiscal config set ${key} '${path}'; ${allTheSame.en}`,
        pt: `onde o serviço oferece um caminho que indica a empresa: fiscal config set ${key} '${path}'; ${allTheSame.pt}`,
      },
    },
  );
}

function notCaptured({ accessKey, companyId = '' }: CompanyClaim): FiscalError {
  return new FiscalError(
    'manifestation.not_captured',
    { accessKey, company: companyId },
    { sent: 'no', hint: allTheSame },
  );
}

function notTheNote({ family, accessKey, companyId = '' }: CompanyClaim): FiscalError {
  const reason = {
    en: `it is not the note ${accessKey} of company ${companyId}`,
    pt: `não é a nota ${accessKey} da empresa ${companyId}`,
  };
  const operation = `${family}.inbound.get`;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, { sent: 'no', operation });
}

const allTheSame = {
  en: '--company-unchecked sends all the same, for the company that the service picks',
  pt: '--company-unchecked envia mesmo assim, pela empresa que o serviço escolher',
};
