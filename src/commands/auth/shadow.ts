import type { Text } from '../../contract/text.js';
import type { Context } from '../../services/context.js';

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
