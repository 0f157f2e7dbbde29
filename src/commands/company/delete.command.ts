import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { companyArgument } from './company-argument.js';

export const command = defineCommand({
  summary: { en: 'Delete a company', pt: 'Exclui uma empresa' },
  description: {
    en: 'Nothing is captured or issued for it any more. The id is asked for once more; without a terminal it needs --yes and --confirm with the id.',
    pt: 'Nada mais é capturado nem emitido para ela. O id é pedido outra vez; sem terminal precisa de --yes e de --confirm com o id.',
  },
  arguments: [companyArgument],
  options: {
    confirm: {
      kind: 'text',
      value: 'companyId',
      summary: { en: 'The id once more', pt: 'O id outra vez' },
    },
  },
  examples: [
    {
      command: 'fiscal company delete 55df4dc6b6cd9007e4f13ee8 --confirm 55df4dc6b6cd9007e4f13ee8 --yes',
      summary: { en: 'Without a question', pt: 'Sem pergunta' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options: { confirm }, arguments: { companyId = '' } }) {
    const { deleteCompany } = await import('./delete.js');
    return deleteCompany(context, { company: companyId, confirm });
  },
});
