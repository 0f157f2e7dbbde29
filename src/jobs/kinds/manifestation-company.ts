import type { Client } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from './answer-fields.js';
import {
  capturersOf,
  forgetProof,
  proveByRead,
  seenNote,
  vouch,
  type CompanyCheck,
  type CompanyClaim,
} from './received-note.js';

/** Cached: the only company of the account. */
const onlyCompany = { kind: 'only-company', scope: '', id: 'account' } as const;
const onlyCompanyMs = 60_000;

/**
 * Checks that an NF-e event would be recorded for the right company. Its path names no company (§4), so the service
 * picks one; the event is sent only for a company known to have captured the document. The proof is a row of a sync, or
 * a read by access key, which is cached.
 * Returns the reason to refuse, or `undefined` when the company is proven or the user vouches for it. Errors: those of
 * `proveByRead`.
 */
export async function companyProblem(
  check: CompanyCheck,
  claim: CompanyClaim,
  namesCompany: () => Promise<boolean>,
): Promise<FiscalError | undefined> {
  const { companyId } = claim;
  if (claim.companyUnchecked === true) return undefined;
  if (companyId === undefined) return new FiscalError('usage.missing', { names: '--company' }, { sent: 'no' });
  const known = await seenNote(check, claim);
  const takenFor = known?.takenFor;
  if (takenFor !== undefined && !(await namesCompany())) return takenForOther(claim, takenFor);
  const copies = await capturersOf(check, claim);
  // A document whose XML the service no longer returns is no proof for our company, but the service may still pick its holder.
  const others = copies.map((copy) => copy.companyId).filter((id) => id !== companyId);
  const isHeld = copies.some((copy) => copy.companyId === companyId && copy.state !== 'gone');
  const isShown = takenFor === undefined && (isHeld || known !== undefined);
  const isOurs = isShown || (await proveByRead(check, claim)) === 'proven';
  if (!isOurs) return others.length > 0 ? capturedByOther(claim, others) : notCaptured(claim);
  return others.length > 0 && !(await namesCompany()) ? severalCaptured(claim, others) : undefined;
}

/** Drops the cached proof after the service answered for another company. */
export async function forgetCompany(
  check: Pick<CompanyCheck, 'store' | 'profile' | 'now'>,
  claim: CompanyClaim,
  error: FiscalError,
): Promise<void> {
  const { answeredCompany } = error.facts;
  if (answeredCompany !== undefined) await forgetProof(check, claim, answeredCompany);
}

/** The path names the company, so no check is needed. */
export async function inPath(): Promise<boolean> {
  return Promise.resolve(true);
}

/** The id of the account's only company; `undefined` when there are several or the key may not list them. */
export async function onlyCompanyOf(check: CompanyCheck): Promise<string | undefined> {
  const { store, client, profile, now, signal } = check;
  const known = await store.known.get({ profile, ...onlyCompany });
  if (known !== undefined && Math.abs(now - known.seenAt) < onlyCompanyMs) return textField(known.data, 'id');
  const ids = await listedIds(client, signal);
  const id = ids?.length === 1 ? ids[0] : undefined;
  await store.known.put({ profile, ...onlyCompany, data: id === undefined ? {} : { id }, seenAt: now });
  return id;
}

/** The first two ids of the account. */
async function listedIds(client: Client, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const ids: string[] = [];
    // A list that does not say whether more follows ends only with a page without new rows.
    const input = { path: {}, query: { limit: 2 } };
    for await (const company of cursorRows(client, 'company.list', input, { signal })) {
      ids.push(textField(company, 'id') ?? '');
      if (ids.length === 2) break;
    }
    return ids;
  } catch (error) {
    const { httpStatus = 0 } = error instanceof FiscalError ? error.facts : {};
    // The key may be limited to distribution (§5); then nothing is known of the account.
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
    { sent: 'no', hint: actFor(other) },
  );
}

function takenForOther(claim: CompanyClaim, other: string): FiscalError {
  const { accessKey, companyId = '' } = claim;
  return new FiscalError(
    'manifestation.taken_for_other',
    { accessKey, company: companyId, other },
    { sent: 'no', hint: actFor(other) },
  );
}

function actFor(other: string): Text {
  return {
    en: `to act for that company: --company ${other}; ${vouch.en}`,
    pt: `para agir por essa empresa: --company ${other}; ${vouch.pt}`,
  };
}

function severalCaptured(claim: CompanyClaim, others: readonly string[]): FiscalError {
  const { accessKey, companyId = '' } = claim;
  const key = 'paths.nfe.manifestation.submit';
  const path = '/v2/companies/{companyId}/inbound/productinvoices/by-access-key/{accessKey}/manifestation-events';
  return new FiscalError(
    'manifestation.several_captured',
    { accessKey, companies: [companyId, ...others].join(', ') },
    {
      sent: 'no',
      hint: {
        en: `where the service offers a path that names the company: fiscal config set ${key} '${path}'; ${vouch.en}`,
        pt: `onde o serviço oferece um caminho que indica a empresa: fiscal config set ${key} '${path}'; ${vouch.pt}`,
      },
    },
  );
}

function notCaptured({ accessKey, companyId = '' }: CompanyClaim): FiscalError {
  return new FiscalError(
    'manifestation.not_captured',
    { accessKey, company: companyId },
    { sent: 'no', hint: capture },
  );
}

const capture: Text = {
  en: `to see which company has captured it: fiscal inbound sync --all-companies; ${vouch.en}`,
  pt: `para ver qual empresa a capturou: fiscal inbound sync --all-companies; ${vouch.pt}`,
};
