import { checkCnpj } from '../../domain/tax-number.js';
import { cnpjRoot, isOutgoing, isOwnNote, type DocumentFact } from '../../domain/document-fact.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { knownCompanies } from '../../services/scope/account.js';

/** The word that stands for the companies of the account, as the service lists them. */
const ACCOUNT = 'account';

/** Whether nobody manifests on a document: one of the company's own, or one that it only issued or carried. */
export type IsOwn = (fact: DocumentFact) => boolean;

/**
 * Own are the notes of every company of the account that this machine knows, of the CNPJs among `words`, and with `account` of
 * those that the service lists now. Establishments of one company share the first 8 characters of their CNPJ.
 * Errors: `usage.invalid_value`, and those of the call.
 */
export async function readOwn(context: Context, words: readonly string[]): Promise<IsOwn> {
  const numbers = words.filter((word) => word !== ACCOUNT).map(cnpjOf);
  const listed = words.includes(ACCOUNT) ? await (await context.scope()).all() : [];
  const companies = [...(await knownCompanies(context)), ...listed];
  const taxNumbers = companies.flatMap(({ taxNumber }) => (taxNumber === undefined ? [] : [taxNumber]));
  const roots = new Set([...numbers, ...taxNumbers].map(cnpjRoot));
  return (fact) =>
    roots.has(cnpjRoot(fact.issuerTaxNumber)) || isOwnNote(fact, undefined) || isOutgoing(fact);
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
