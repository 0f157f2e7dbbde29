import { defineCommand } from '../../cli/command.js';
import { nameArgument } from './name-argument.js';

export const command = defineCommand({
  summary: { en: 'Take a setting out of the profile', pt: 'Tira uma configuração do perfil' },
  arguments: [nameArgument],
  options: {},
  examples: [
    {
      command: 'fiscal config unset company',
      summary: { en: 'Back to the default', pt: 'De volta ao padrão' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '' }, context }) {
    const { unsetSetting } = await import('./settings.js');
    return await unsetSetting(context, name);
  },
});
