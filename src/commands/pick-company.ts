import type { Picker } from '../services/pick.js';
import type { Text } from '../contract/text.js';
import { formatCnpj } from '../domain/tax-number.js';
import type { AccountCompany } from '../services/scope/scope.js';

const question: Text = { en: 'Company', pt: 'Empresa' };
const everyOne: Text = { en: 'All companies of the account', pt: 'Todas as empresas da conta' };
const all = '--all-companies';

/** The company of a command that acts for one. */
export const picker: Picker = async (context, io, request) => await pickCompany([], [context, io, request]);

/** The company of a command that acts for several, or all of them. */
export const severalPicker: Picker = async (context, io, request) =>
  await pickCompany([{ value: all, name: everyOne[io.language] }], [context, io, request]);

/** The company that a verb of `company` takes as its argument. */
export const argumentPicker: Picker = async (context, io, request) =>
  (await pickCompany([], [context, io, request])).slice(-1);

async function pickCompany(
  first: readonly { readonly value: string; readonly name: string }[],
  [context, io, { lines: linesOf }]: Parameters<Picker>,
): Promise<readonly string[]> {
  const companies = await (await context.scope()).all();
  const rows = companies.map(({ id, name, taxNumber }) => ({ companyName: name ?? id, companyTaxNumber: taxNumber }));
  const lines = linesOf(rows, ['companyName', 'companyTaxNumber']);
  const choices = companies.map((company, index) => ({
    value: company.id,
    name: lines[index] ?? company.id,
    short: company.name ?? company.id,
  }));
  const answer = await io.prompts.search(question[io.language], [...first, ...choices]);
  if (answer === all) return [all];
  const chosen = companies.find(({ id }) => id === answer);
  return ['--company', chosen === undefined ? answer : wordFor(chosen, companies)];
}

/** The CNPJ, which people recognise; the id where it is not known or not the only one. */
function wordFor({ id, taxNumber }: AccountCompany, companies: readonly AccountCompany[]): string {
  const same = companies.filter((company) => company.taxNumber === taxNumber);
  return taxNumber === undefined || same.length > 1 ? id : formatCnpj(taxNumber);
}
