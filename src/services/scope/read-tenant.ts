import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';

/**
 * The registry is kept per tenant (§4). Errors: `auth.no_profile` where neither profile nor key is set, which is what a
 * new user must hear first; `usage.missing`; `usage.invalid_value` for two.
 */
export async function tenantOf(context: Context): Promise<string> {
  const tenant = await (await context.scope()).tenant();
  if (tenant !== undefined) return tenant;
  const settings = await context.settings();
  if (settings.profile === undefined) await (await context.config()).credential('invoice', settings);
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
