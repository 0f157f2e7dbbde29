import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show where the files are', pt: 'Mostra onde ficam os arquivos' },
  options: {},
  examples: [
    {
      command: 'fiscal config path',
      summary: { en: 'Configuration, state and data', pt: 'Configuração, estado e dados' },
    },
  ],
  exitCodes: [],
  idField: 'config',
  async run({ context }) {
    const { showPaths } = await import('./settings.js');
    return await showPaths(context);
  },
});
