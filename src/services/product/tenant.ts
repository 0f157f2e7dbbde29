import type { Settings } from '../../config/settings.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** The registry is kept per tenant (§4). Error: `usage.missing`. */
export function tenantOf(settings: Settings): string {
  if (settings.tenant !== undefined) return settings.tenant;
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
