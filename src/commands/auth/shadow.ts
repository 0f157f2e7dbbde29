import type { Text } from '../../contract/text.js';
import type { Context } from '../../services/context.js';

/** Says that commands use another profile than `profile`, because `FISCAL_PROFILE` or a project file names it. */
export async function shadowNotice(
  context: Pick<Context, 'config'>,
  profile: string | undefined,
): Promise<readonly Text[]> {
  const named = await (await context.config()).namedOutside();
  if (named === undefined || named.profile === profile) return [];
  const { place } = named;
  const uses: Text = {
    en: `commands use the profile "${named.profile}", which ${place} names`,
    pt: `os comandos usam o perfil "${named.profile}", indicado por ${place}`,
  };
  if (profile === undefined) return [uses];
  const end: Text = named.isVariable
    ? { en: `unset ${place}`, pt: `remova a variável ${place}` }
    : { en: `change ${place}`, pt: `altere ${place}` };
  return [
    {
      en: `${uses.en}, not "${profile}"; for "${profile}", ${end.en} or give --profile ${profile}`,
      pt: `${uses.pt}, não "${profile}"; para usar "${profile}", ${end.pt} ou informe --profile ${profile}`,
    },
  ];
}
