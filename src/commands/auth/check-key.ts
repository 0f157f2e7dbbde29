import type { Pace } from '../../client/client.js';
import type { Credential, Settings } from '../../config/settings.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';

/** One read that costs nothing (`GET /v2/companies`). Throws what the service answered. */
export async function checkInvoiceKey(
  context: Context,
  settings: Settings,
  credential: Credential,
): Promise<void> {
  const { createClient } = await import('../../client/create.js');
  const client = createClient({
    settings,
    credential: async () => Promise.resolve(credential),
    pace: freePace,
    // The profile is not there yet, and a refused one will not be: its history would have no owner.
    recorder: { record: () => undefined },
    clock: context.clock,
    random: context.random,
    env: context.env,
    signal: context.interruption,
  });
  try {
    await client.call('company.list', { path: {}, query: { limit: 1 } });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw error.with({ hint: nothingStored(error) });
  } finally {
    await client.close();
  }
}

const freePace: Pace = { enter: async () => Promise.resolve(), observe: async () => Promise.resolve() };

function nothingStored(error: FiscalError): { en: string; pt: string } {
  const before = error.facts.hint;
  const isTemporary = error.facts.retryable === true;
  const en = `nothing was stored${isTemporary ? '; --no-check stores without asking the service' : ''}`;
  const pt = `nada foi guardado${isTemporary ? '; --no-check guarda sem perguntar ao serviço' : ''}`;
  return before === undefined ? { en, pt } : { en: `${before.en}; ${en}`, pt: `${before.pt}; ${pt}` };
}
