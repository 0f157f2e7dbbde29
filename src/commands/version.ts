import { defineCommand } from '../cli/command.js';
import { version } from '../cli/version.js';

export const command = defineCommand({
  summary: { en: 'The version of the program', pt: 'A versão do programa' },
  options: {},
  examples: [
    { command: 'fiscal --version', summary: { en: 'One line', pt: 'Uma linha' } },
    { command: 'fiscal version -o json', summary: { en: 'For a script', pt: 'Para um script' } },
  ],
  exitCodes: [],
  run: () => Promise.resolve({ data: { name: 'fiscal', version } }),
});
