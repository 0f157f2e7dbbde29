import type { Text } from '../../contract/text.js';
import { wordsIn } from '../../domain/company-reference.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ConsentRequest, Context } from '../context.js';
import { aCompany } from './resolver.js';
import type { AccountCompany, FindOptions } from './scope.js';
import { isNumber } from '../../domain/json-numbers.js';

/** Which companies a command acts for. */
export interface CompanyChoice {
  /** `--all-companies`. */
  readonly all: boolean;
  /** Instead of `--company`; empty: none. */
  readonly words?: readonly string[];
}

/**
 * The companies that are named, or all of the account. Errors: `usage.missing` when none is named, `company.none` for an account
 * without any, `usage.invalid` for `--company` with `--all-companies`, and those of `Scope`.
 */
export async function companiesOf(context: Context, { all, words }: CompanyChoice): Promise<readonly AccountCompany[]> {
  const scope = await context.scope();
  if (all && words === undefined) refuseBoth(context);
  if (all) return await scope.all();
  const companies = words === undefined ? await scope.named() : await scope.find(words);
  if (companies === undefined || companies.length === 0) return await missing(context, '--company, --all-companies');
  return companies;
}

/**
 * The companies to which a command narrows its rows; `undefined`: nothing is narrowed. Errors: `usage.invalid` for
 * `--company` with `--all-companies`, and those of `Scope`.
 */
export async function narrowingCompanies(
  context: Context,
  all: boolean,
  options: FindOptions = {},
): Promise<readonly AccountCompany[] | undefined> {
  if (all) refuseBoth(context);
  return all ? undefined : await (await context.scope()).named(options);
}

/** The same for commands without network, which narrow what the store knows. */
export async function localCompanies(context: Context, all = false): Promise<readonly AccountCompany[] | undefined> {
  return await narrowingCompanies(context, all, { local: true });
}

/**
 * The companies for commands that read the archive: the named ones without network, or all that the service lists for the account.
 * Errors: those of `companiesOf`.
 */
export async function namedOrAllCompanies(context: Context, all: boolean): Promise<readonly AccountCompany[]> {
  if (all) return await companiesOf(context, { all });
  const named = await localCompanies(context);
  return named === undefined || named.length === 0 ? await missing(context, '--company, --all-companies') : named;
}

/** What confirms a change of exactly these companies: what `--company` takes, in any order. */
export function confirmedBy(
  { scope }: Pick<Context, 'scope'>,
  ids: readonly string[],
  given: string | undefined,
): NonNullable<ConsentRequest['confirmWith']> {
  const sorted = (some: readonly string[]): string => some.toSorted().join(',');
  return {
    value: sorted(ids),
    given,
    async read(text) {
      const words = wordsIn(text);
      if (sorted(words) === sorted(ids)) return sorted(ids);
      try {
        return sorted((await (await scope()).find(words)).map(({ id }) => id));
      } catch (error) {
        // What names no company, or cannot be looked up, confirms nothing.
        if (error instanceof FiscalError && error.code !== 'job.interrupted') return text;
        throw error;
      }
    },
  };
}

/** Both were typed; `--all-companies` goes before a company of the profile or the environment. */
function refuseBoth({ flags }: Pick<Context, 'flags'>): void {
  if (flags['company'] === undefined) return;
  const message: Text = {
    en: 'either --company or --all-companies is expected, not both',
    pt: 'espera-se --company ou --all-companies, não os dois',
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/**
 * The id of the one company that a command acts for. Errors: `auth.no_profile` where neither profile nor key is set, which is
 * what a new user must hear first; `usage.missing`, and those of `Scope.one`.
 */
export async function companyOf(context: Context): Promise<string> {
  return (await oneCompany(context)).id;
}

/** The same with its name and CNPJ, as far as they are known. */
export async function oneCompany(context: Context): Promise<AccountCompany> {
  const company = await (await context.scope()).one();
  return company ?? (await missing(context));
}

/** The id of the one company that is named, for commands that can do without. Errors: those of `Scope.one`. */
export async function namedCompany(context: Context): Promise<string | undefined> {
  return (await (await context.scope()).one())?.id;
}

/** Error: `auth.no_profile` where neither profile nor key is set: nothing says whose work is meant. */
export async function requireAccount(context: Context): Promise<void> {
  const settings = await context.settings();
  if (settings.profile !== undefined) return;
  const config = await context.config();
  await config.credential('invoice', settings).catch(async () => await config.credential('data', settings));
}

/** Ends with the error that says how to name a company. */
export async function missing(context: Context, names = '--company'): Promise<never> {
  await requireAccount(context);
  throw new FiscalError(
    'usage.missing',
    { names },
    {
      sent: 'no',
      pick: names === '--company' ? 'company' : 'companies',
      hint: {
        en: 'give --company, set FISCAL_COMPANY, or keep it in the profile: fiscal config set company <company>',
        pt: 'informe --company, defina FISCAL_COMPANY ou guarde no perfil: fiscal config set company <empresa>',
      },
    },
  );
}

/**
 * The registry is kept per tenant (§4). Errors: `auth.no_profile` where neither profile nor key is set, which is what a
 * new user must hear first; `usage.missing`; `usage.invalid_value` for two.
 */
export async function tenantOf(context: Context): Promise<string> {
  const tenant = await (await context.scope()).tenant();
  if (tenant !== undefined) return tenant;
  await requireAccount(context);
  throw new FiscalError(
    'usage.missing',
    { names: '--tenant' },
    {
      sent: 'no',
      hint: {
        en: 'give --tenant, set FISCAL_TENANT, or keep it in the profile: fiscal config set tenant <id>',
        pt: 'informe --tenant, defina FISCAL_TENANT ou guarde no perfil: fiscal config set tenant <id>',
      },
    },
  );
}

/** The company that a row of a file names, or what is wrong with the cell. */
export type RowCompany = { readonly companyId: string } | { readonly problem: Text };

/**
 * Reads the company of rows, in any of its forms; the same word is looked up once. `undefined`: the row names none. Errors:
 * those of a call.
 */
export async function companyOfRow(
  context: Pick<Context, 'scope'>,
  cell: unknown,
  options: FindOptions = {},
): Promise<RowCompany | undefined> {
  if (cell === undefined || cell === null || cell === '') return undefined;
  const word = isNumber(cell) ? String(cell) : cell;
  if (typeof word !== 'string' || wordsIn(word).length !== 1) return { problem: aCompany };
  try {
    const [company] = await (await context.scope()).find(wordsIn(word), options);
    return company === undefined ? { problem: aCompany } : { companyId: company.id };
  } catch (error) {
    const isOfTheRow = error instanceof FiscalError && error.code.startsWith('company.');
    if (!isOfTheRow) throw error;
    return { problem: withCandidates(error) };
  }
}

function withCandidates({ text, facts: { details = [] } }: FiscalError): Text {
  const list = details
    .filter(({ field }) => field !== '')
    .map(({ field, message }) => `${typeof message === 'string' ? message : message.en} (${field})`)
    .join('; ');
  return list === '' ? text : { en: `${text.en}: ${list}`, pt: `${text.pt}: ${list}` };
}
