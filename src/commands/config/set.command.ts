import { defineCommand } from '../../cli/command.js';
import { nameArgument } from './name-argument.js';

export const command = defineCommand({
  summary: { en: 'Set a setting of the profile', pt: 'Define uma configuração do perfil' },
  description: {
    en: 'The value is checked first. Keys are not set here, where other users could see them: fiscal auth login.',
    pt: 'O valor é conferido antes. Chaves não se definem aqui, onde outros usuários poderiam vê-las: fiscal auth login.',
  },
  arguments: [
    nameArgument,
    { name: 'value', summary: { en: 'The new value', pt: 'O novo valor' }, required: true },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal config set tenant 5f2c…',
      summary: { en: 'The tenant of the profile in use', pt: 'O tenant do perfil em uso' },
    },
    {
      command: 'fiscal config set hosts.query https://query.example.com --profile acme',
      summary: { en: 'An address', pt: 'Um endereço' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '', value = '' }, context }) {
    const { setSetting } = await import('./settings.js');
    return await setSetting(context, name, value);
  },
});
