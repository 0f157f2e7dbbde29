import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { webhookArgument } from './id-argument.js';

export const command = defineCommand({
  summary: { en: 'Delete a webhook', pt: 'Exclui um webhook' },
  description: {
    en: 'The secret that the profile keeps for it is forgotten as well. To pause it instead: fiscal webhook update <id> --status inactive.',
    pt: 'O segredo que o perfil guarda para ele também é esquecido. Para apenas pausar: fiscal webhook update <id> --status inactive.',
  },
  arguments: [webhookArgument],
  options: {},
  examples: [
    {
      command: 'fiscal webhook delete 6f1c0a2e --yes',
      summary: { en: 'Without a question', pt: 'Sem pergunta' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { deleteWebhook } = await import('./delete.js');
    return deleteWebhook(context, id);
  },
});
