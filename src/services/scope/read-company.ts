import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import type { AccountCompany } from './scope.js';

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

/** Ends with the error that says how to name a company. */
export async function missing(context: Context, names = '--company'): Promise<never> {
  const settings = await context.settings();
  if (settings.profile === undefined) await (await context.config()).credential('invoice', settings);
  throw new FiscalError(
    'usage.missing',
    { names },
    {
      sent: 'no',
      hint: {
        en: 'give --company, set FISCAL_COMPANY, or keep it in the profile: fiscal config set company <company>',
        pt: 'informe --company, defina FISCAL_COMPANY ou guarde no perfil: fiscal config set company <empresa>',
      },
    },
  );
}
