import type { KeyKind } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { checkedKey, secretFromEnvironment } from './key-sources.js';
import { isRecord } from '../domain/record.js';
import { type ProfileRecord } from './profile-store.js';
import { sandboxProfile } from './sandbox-profile.js';
import type { Credential } from './settings.js';

export const keyVariables: Readonly<Record<KeyKind, string>> = {
  invoice: 'FISCAL_INVOICE_KEY',
  data: 'FISCAL_DATA_KEY',
};

export interface CredentialPlaces {
  readonly env: Environment;
  readonly profile: string | undefined;
  readonly values: ProfileRecord | undefined;
}

/**
 * Environment first, then the profile's stored keys; at each level the key of the kind, then a JWT, which
 * serves both kinds (§5). Throws `auth.no_profile` or `auth.no_credentials` with the next command to type.
 */
export async function findCredential(kind: KeyKind, places: CredentialPlaces): Promise<Credential> {
  const { env, profile } = places;
  const key = await secretFromEnvironment(keyVariables[kind], env);
  if (key !== undefined) return { kind, scheme: 'raw', ...key };
  const jwt = await secretFromEnvironment('FISCAL_JWT', env);
  if (jwt !== undefined) return { kind, scheme: 'bearer', ...jwt };
  if (profile === undefined) throw noProfile();
  const stored = storedKeys(profile, places.values);
  const source = `profile ${profile}`;
  if (stored[kind] !== undefined) return { kind, scheme: 'raw', ...checkedKey(stored[kind], source) };
  if (stored.jwt !== undefined) return { kind, scheme: 'bearer', ...checkedKey(stored.jwt, source) };
  throw noCredentials(kind, profile);
}

export type StoredKeys = Readonly<Partial<Record<KeyKind | 'jwt', string>>>;

/** The keys of a profile. The built-in one has its own, whatever the file says. */
export function storedKeys(profile: string, values: ProfileRecord | undefined): StoredKeys {
  if (profile === sandboxProfile.name) {
    const { invoiceKey, dataKey } = sandboxProfile.account;
    return { invoice: invoiceKey, data: dataKey };
  }
  const keys = values?.['keys'];
  if (!isRecord(keys)) return {};
  const { invoice, data, jwt } = keys;
  return {
    ...(typeof invoice === 'string' ? { invoice } : {}),
    ...(typeof data === 'string' ? { data } : {}),
    ...(typeof jwt === 'string' ? { jwt } : {}),
  };
}

const tryHint: Text = {
  en: 'log in with: fiscal auth login   or try the built-in service with: --profile sandbox',
  pt: 'entre com: fiscal auth login   ou experimente o serviço embutido com: --profile sandbox',
};

function noProfile(): FiscalError {
  return new FiscalError('auth.no_profile', {}, { sent: 'no', hint: tryHint });
}

function noCredentials(kind: KeyKind, profile: string): FiscalError {
  return new FiscalError(
    'auth.no_credentials',
    { kind, profile },
    {
      sent: 'no',
      keyKind: kind,
      hint: {
        en: `fiscal auth login --profile ${profile}   (or set ${keyVariables[kind]})`,
        pt: `fiscal auth login --profile ${profile}   (ou defina ${keyVariables[kind]})`,
      },
    },
  );
}
