import { join } from 'node:path';
import { safeName } from '../../archive/layout.js';
import { archiveLocation } from '../../archive/location.js';
import { companiesNamed } from '../../domain/company-reference.js';
import { formatCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';

interface CompanyQuestion {
  readonly companies: readonly AccountCompany[];
  /** The company of the profile. */
  readonly kept: string | undefined;
}

const leave = '';

/** Asks for the company of the profile. `undefined`: it stays as it is. */
export async function askCompany(
  io: Io,
  { companies, kept }: CompanyQuestion,
): Promise<AccountCompany | undefined> {
  if (!io.mayAsk || companies.length === 0) return undefined;
  const isPt = io.language === 'pt';
  const found = companies.find(({ id }) => id === kept);
  const shown = found === undefined ? kept : companyText(found);
  const answer = await io.prompts.search(isPt ? 'Empresa' : 'Company', [
    ...(shown === undefined ? [] : [{ value: leave, name: `${isPt ? 'Manter' : 'Keep'}: ${shown}` }]),
    ...companies.map(companyChoice),
    ...(shown === undefined ? [{ value: leave, name: isPt ? 'Nenhuma por enquanto' : 'None for now' }] : []),
  ]);
  return companies.find(({ id }) => id === answer);
}

function companyChoice({ id, name, taxNumber }: AccountCompany) {
  const parts = [name, taxNumber === undefined ? undefined : formatCnpj(taxNumber)];
  const known = parts.filter((part) => part !== undefined);
  return { value: id, name: known.length === 0 ? id : known.join('  ') };
}

/** The one company that a word names. Errors: `company.unknown`, `company.ambiguous`. */
export function companyCalled(word: string, companies: readonly AccountCompany[]): AccountCompany {
  const [company, ...others] = companiesNamed(word, companies);
  const facts = {
    sent: 'no',
    details: detailsOf(company === undefined ? companies : [company, ...others]),
  } as const;
  if (company === undefined) throw new FiscalError('company.unknown', { value: word }, facts);
  if (others.length === 0) return company;
  throw new FiscalError('company.ambiguous', { value: word, count: others.length + 1 }, facts);
}

function detailsOf(companies: readonly AccountCompany[]) {
  return companies
    .slice(0, 10)
    .map((company) => ({ field: company.id, message: companyChoice(company).name }));
}

/** Asks for the folder of the archive. `undefined`: it stays as it is. */
export async function askArchive(
  { context, io }: { readonly context: Context; readonly io: Io },
  { profile, kept }: { readonly profile: string; readonly kept: string | undefined },
): Promise<string | undefined> {
  if (!io.mayAsk) return undefined;
  const { cwd, directories, env } = context;
  const before = kept ?? join(directories.data, 'archive', safeName(profile));
  const question = io.language === 'pt' ? 'Pasta de documentos' : 'Folder of the archive';
  const typed = (await io.prompts.text(question, before)).trim();
  const home = env['HOME'];
  // No shell has read the answer.
  const path =
    home !== undefined && typed.startsWith('~/') ? join(home, typed.slice(2)) : archiveLocation(cwd, typed);
  return typed === '' || path === before ? undefined : path;
}
