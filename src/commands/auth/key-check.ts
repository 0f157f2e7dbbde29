import type { Client } from '../../client/client.js';
import type { Pace } from '../../client/client.js';
import type { Credential, Settings } from '../../config/settings.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { LoginKeys } from './keys.js';

export function invoiceCredential({ invoice, jwt }: LoginKeys, profile: string): Credential | undefined {
  const source = `login ${profile}`;
  if (invoice !== undefined) return { kind: 'invoice', scheme: 'raw', secret: invoice, source };
  return jwt === undefined ? undefined : { kind: 'invoice', scheme: 'bearer', secret: jwt, source };
}

/** A client with a key that is not stored, closed after `work`. Its errors say that nothing was stored. */
export async function withKey<Result>(
  context: Context,
  { settings, credential }: { readonly settings: Settings; readonly credential: Credential },
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { createClient } = await import('../../client/create.js');
  const client = createClient({
    settings,
    credential: async () => Promise.resolve(credential),
    pace: freePace,
    // The profile may not exist yet, and a refused key never creates it: the history would have no owner.
    recorder: { reserve: () => Promise.resolve(undefined), record: () => undefined },
    clock: context.clock,
    random: context.random,
    env: context.env,
    signal: context.interruption,
  });
  try {
    return await work(client);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw error.with({ hint: hintAfterFailure(error) });
  } finally {
    await client.close();
  }
}

const freePace: Pace = { enter: async () => Promise.resolve(), observe: async () => Promise.resolve() };

function hintAfterFailure(error: FiscalError): { en: string; pt: string } {
  const before = error.facts.hint;
  const isTemporary = error.facts.retryable === true;
  const en = `nothing was stored${isTemporary ? '; --no-check stores them without checking' : ''}`;
  const pt = `nada foi gravado${isTemporary ? '; --no-check grava sem verificar' : ''}`;
  return before === undefined ? { en, pt } : { en: `${before.en}; ${en}`, pt: `${before.pt}; ${pt}` };
}
