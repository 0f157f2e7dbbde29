import { cursorRows } from '../../client/list-rows.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { cnpjRoot, isOutgoing, isOwnNote, type DocumentFact } from '../../domain/document-fact.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';

/** The word that stands for the companies of the account, as the service lists them. */
const ACCOUNT = 'account';
const PAGE = 50;

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
  const companies = words.includes(ACCOUNT) ? await companiesOf(context) : new Map<string, string>();
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

async function companiesOf(context: Context): Promise<ReadonlyMap<string, string>> {
  const client = await context.client();
  const numbers = new Map<string, string>();
  const input = { path: {}, query: { limit: PAGE } };
  const how = { signal: context.interruption };
  for await (const company of cursorRows(client, 'company.list', input, how)) addCompany(company, numbers);
  return numbers;
}

/** Lenient in what is read: a CNPJ may come as a number, without its zeros. */
function addCompany(company: unknown, numbers: Map<string, string>): void {
  const id = textField(company, 'id');
  const number = textField(company, 'federalTaxNumber')?.padStart(14, '0');
  if (id !== undefined && number !== undefined) numbers.set(id, checkCnpj(number).value);
}
