import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { formatCnpj } from '../../domain/tax-number.js';
import type { Context } from '../context.js';
import type { AccountCompany, CompanyLabel } from './scope.js';

/** A company in a sentence: `Padaria Sol Ltda, 12.345.678/0001-95`; with its id where no number tells it from others. */
export function companyText({ id, name, taxNumber }: AccountCompany): string {
  if (taxNumber === undefined) return name === undefined ? id : `${name} (${id})`;
  const number = formatCnpj(taxNumber);
  return name === undefined ? number : `${name}, ${number}`;
}

/** Companies that a sentence names one by one. */
const MOST_NAMED = 5;

/** `company Padaria Sol Ltda, …`, `2 companies: …; …`; in Portuguese with the preposition: `da empresa …`, `de 2 empresas: …`. */
export function companiesText(companies: readonly AccountCompany[]): Text {
  const [first] = companies;
  if (first !== undefined && companies.length === 1)
    return { en: `company ${companyText(first)}`, pt: `da empresa ${companyText(first)}` };
  const more = companies.length > MOST_NAMED ? '; …' : '';
  const list = `${companies.slice(0, MOST_NAMED).map(companyText).join('; ')}${more}`;
  const { en, pt } = counted(companies.length, nouns.company);
  return { en: `${en}: ${list}`, pt: `de ${pt}: ${list}` };
}

/** One family of documents of a company: `Padaria Sol Ltda, 12.345.678/0001-95 [nfe]`. */
export function groupText(company: AccountCompany, family: string): string {
  return `${companyText(company)} [${family}]`;
}

/** The same for a company that only its id names, as the store knows it; no request. */
export async function companyNamed(context: Pick<Context, 'scope'>, id: string): Promise<string> {
  const label = await (await context.scope()).labels();
  return companyText(companyOfLabel(id, label(id)));
}

/** A company of which a label is known. */
export function companyOfLabel(id: string, { companyName, companyTaxNumber }: CompanyLabel): AccountCompany {
  return { id, name: companyName, taxNumber: companyTaxNumber };
}
