import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { missing } from './read-company.js';
import type { AccountCompany, FindOptions } from './scope.js';

/** Which companies a command acts for. */
export interface CompanyChoice {
  /** `--all-companies`. */
  readonly all: boolean;
  /** Instead of `--company`; empty: none. */
  readonly words?: readonly string[];
}

/**
 * The companies that are named, or all of the account. Errors: `usage.missing` when none is named, `company.none` for an account without any, `usage.invalid` for
 * `--company` with `--all-companies`, and those of `Scope`.
 */
export async function companiesOf(
  context: Context,
  { all, words }: CompanyChoice,
): Promise<readonly AccountCompany[]> {
  const scope = await context.scope();
  if (all && words === undefined) refuseBoth(context);
  if (all) return await scope.all();
  const companies = words === undefined ? await scope.named() : await scope.find(words);
  if (companies === undefined || companies.length === 0)
    return await missing(context, '--company, --all-companies');
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
export async function localCompanies(
  context: Context,
  all = false,
): Promise<readonly AccountCompany[] | undefined> {
  return await narrowingCompanies(context, all, { local: true });
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
