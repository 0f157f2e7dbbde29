import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { companyArgument } from './company-argument.js';

export const command = defineCommand({
  summary: { en: 'Show one company', pt: 'Mostra uma empresa' },
  arguments: [companyArgument],
  options: {},
  examples: [
    {
      command: 'fiscal company get 55df4dc6b6cd9007e4f13ee8',
      summary: { en: 'One company', pt: 'Uma empresa' },
    },
    {
      command: 'fiscal company get "padaria sol"',
      summary: { en: 'By the beginning of its name', pt: 'Pelo começo do nome' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { companyId = '' } }) {
    const { getCompany } = await import('./get.js');
    return getCompany(context, companyId);
  },
});
