import { environmentProfile, namesKey } from '../../domain/environment-profile.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';

const nameOne: Text = {
  en: 'name one with --profile, or create one: fiscal auth login',
  pt: 'indique um com --profile, ou crie um: fiscal auth login',
};

/**
 * The profile that keeps what this run stores: the chosen one, else that of the environment, where its keys say whose account it
 * is. Error: `auth.no_profile`.
 */
export async function storingProfile({ settings, env }: Pick<Context, 'settings' | 'env'>): Promise<string> {
  const { profile } = await settings();
  if (profile !== undefined) return profile;
  if (namesKey(env)) return environmentProfile;
  throw new FiscalError('auth.no_profile', undefined, { sent: 'no', hint: nameOne });
}
