import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { companyArgument, contentOptions, writtenOf } from './company-argument.js';

export const command = defineCommand({
  summary: { en: 'Change the data of a company', pt: 'Altera os dados de uma empresa' },
  description: {
    en: 'The company is read, the file and the flags are merged into it (null takes a field away), and the difference is shown before you are asked. Fields that are not named stay as they are. Without a terminal it needs --yes.',
    pt: 'A empresa é lida, o arquivo e as opções são mesclados nela (null retira um campo) e a diferença é mostrada antes da pergunta. Campos não citados ficam como estão. Sem terminal precisa de --yes.',
  },
  arguments: [companyArgument],
  options: contentOptions,
  examples: [
    {
      command: 'fiscal company update 55df4dc6b6cd9007e4f13ee8 --trade-name "Padaria Sol"',
      summary: { en: 'One field', pt: 'Um campo' },
    },
    {
      command: 'fiscal company update 55df4dc6b6cd9007e4f13ee8 --file address.yaml --dry-run',
      summary: { en: 'Show the difference only', pt: 'Só mostra a diferença' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { companyId = '' } }) {
    const { updateCompany } = await import('./update.js');
    return updateCompany(context, { company: companyId, ...writtenOf(options) });
  },
});
