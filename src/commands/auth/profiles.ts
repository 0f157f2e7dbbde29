import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { use } from './commands.js';

/** Every profile with the kinds of its stored keys and which one is in use. */
export async function listProfiles(context: Context): Promise<Outcome> {
  const config = await context.config();
  const [names, current] = await Promise.all([config.profiles(), config.current()]);
  const rows = names.map(async (profile) => ({
    type: 'profile',
    profile,
    current: profile === current,
    keys: await config.storedKeys(profile),
  }));
  return { data: await Promise.all(rows), notices: shadowNotice(context, current) };
}

/** Selects the profile to use when no flag or environment variable names another. */
export async function chooseProfile(context: Context, { profile }: Given<typeof use>): Promise<Outcome> {
  const config = await context.config();
  await config.use(profile);
  return { data: { profile, current: true }, notices: shadowNotice(context, profile) };
}

/** Removes the stored keys of the profile in use; its other settings stay. */
export async function logOut(context: Context): Promise<Outcome> {
  const [config, { profile }] = await Promise.all([context.config(), context.settings()]);
  if (profile === undefined) throw new FiscalError('auth.no_profile');
  const removed = await config.removeKeys(profile);
  return {
    data: { profile, removed },
    notices: removed
      ? []
      : [{ en: `profile "${profile}" has no stored keys`, pt: `o perfil "${profile}" não tem chaves gravadas` }],
  };
}

/** Says that commands use another profile than `profile`, because `FISCAL_PROFILE` names it. */
export function shadowNotice({ env }: Pick<Context, 'env'>, profile: string | undefined): readonly Text[] {
  const named = env['FISCAL_PROFILE'] ?? '';
  if (named === '' || named === profile) return [];
  const uses: Text = {
    en: `commands use the profile "${named}", which FISCAL_PROFILE names`,
    pt: `os comandos usam o perfil "${named}", indicado por FISCAL_PROFILE`,
  };
  if (profile === undefined) return [uses];
  return [
    {
      en: `${uses.en}, not "${profile}"; for "${profile}", unset FISCAL_PROFILE or give --profile ${profile}`,
      pt: `${uses.pt}, não "${profile}"; para usar "${profile}", remova a variável FISCAL_PROFILE ou informe --profile ${profile}`,
    },
  ];
}
