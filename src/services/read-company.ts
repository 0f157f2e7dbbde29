import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';

/**
 * The one company that is asked about. Errors: `auth.no_profile` where neither profile nor key is set, which is what a new
 * user must hear first; `usage.missing`.
 */
export async function companyOf(context: Context): Promise<string> {
  const settings = await context.settings();
  if (settings.company !== undefined) return settings.company;
  if (settings.profile === undefined) await (await context.config()).credential('invoice', settings);
  throw new FiscalError(
    'usage.missing',
    { names: '--company' },
    {
      sent: 'no',
      hint: {
        en: 'give --company, set FISCAL_COMPANY, or keep it in the profile: fiscal config set company <id>',
        pt: 'informe --company, defina FISCAL_COMPANY ou guarde no perfil: fiscal config set company <id>',
      },
    },
  );
}
