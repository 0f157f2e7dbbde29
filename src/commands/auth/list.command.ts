import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the profiles', pt: 'Lista os perfis' },
  options: {},
  examples: [
    {
      command: 'fiscal auth list',
      summary: { en: 'With the kinds of their keys', pt: 'Com os tipos das chaves de cada um' },
    },
  ],
  exitCodes: [],
  idField: 'profile',
  async run({ context }) {
    const { listProfiles } = await import('./profiles.js');
    return await listProfiles(context);
  },
});
