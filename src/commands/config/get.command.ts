import { defineCommand } from '../../cli/command.js';
import { nameArgument } from './name-argument.js';

export const command = defineCommand({
  summary: { en: 'Show one setting of the profile', pt: 'Mostra uma configuração do perfil' },
  arguments: [nameArgument],
  options: {},
  examples: [
    {
      command: 'fiscal config get hosts.product --profile acme',
      summary: { en: 'An address', pt: 'Um endereço' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '' }, context }) {
    const { getSetting } = await import('./settings.js');
    return await getSetting(context, name);
  },
});
