import { checkCnpj } from '../../domain/tax-number.js';
import { cnpjRoot, isOutgoing, isOwnNote, type DocumentFact } from '../../domain/document-fact.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../context.js';

/** The word that stands for the companies of the account, as the service lists them. */
const ACCOUNT = 'account';

/** Whether nobody manifests on a document: one of the company's own, or one that it only issued or carried. */
export type IsOwn = (fact: DocumentFact) => boolean;

/**
 * `words`: CNPJs, or `account` for those of the company list of the service. Establishments of one company share the first 8
 * characters of their CNPJ, and a note of any of them is its own. Without words the company of a document is known from the
 * capture; a note between two different companies of the account is not the recipient's own.
 * Errors: `usage.invalid_value`, and those of the call.
 */
export async function readOwn(context: Context, words: readonly string[]): Promise<IsOwn> {
  const roots = new Set(words.filter((word) => word !== ACCOUNT).map((word) => cnpjRoot(cnpjOf(word))));
  const companies = words.includes(ACCOUNT) ? await accountNumbers(context) : new Map<string, string>();
  const ofAccount = new Set([...companies.values()].map(cnpjRoot));
  return (fact) => {
    const { issuerTaxNumber, companyId } = fact;
    const holder = companyId === undefined ? undefined : companies.get(companyId);
    const isOfAccount = companyId === undefined && ofAccount.has(cnpjRoot(issuerTaxNumber));
    return roots.has(cnpjRoot(issuerTaxNumber)) || isOfAccount || isOwnNote(fact, holder) || isOutgoing(fact);
  };
}

function cnpjOf(word: string): string {
  const { valid, value } = checkCnpj(word);
  if (valid) return value;
  const expected = {
    en: 'a CNPJ, or account for the companies of the account',
    pt: 'um CNPJ, ou account para as empresas da conta',
  };
  throw invalidValue('--own', word, expected);
}

async function accountNumbers(context: Context): Promise<ReadonlyMap<string, string>> {
  const companies = await (await context.scope()).all();
  return new Map(
    companies.flatMap(({ id, taxNumber }) => (taxNumber === undefined ? [] : [[id, taxNumber]])),
  );
}
