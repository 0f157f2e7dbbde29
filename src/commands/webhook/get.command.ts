import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { webhookArgument } from './id-argument.js';

export const command = defineCommand({
  summary: { en: 'Show a webhook', pt: 'Mostra um webhook' },
  description: {
    en: 'Its secret is never shown: the service tells it to nobody.',
    pt: 'O segredo nunca é mostrado: o serviço não o revela a ninguém.',
  },
  arguments: [webhookArgument],
  options: {},
  examples: [
    {
      command: 'fiscal webhook get 6f1c0a2e -o json',
      summary: { en: 'As JSON, for an update with --file', pt: 'Em JSON, para um update com --file' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { getWebhook } = await import('./get.js');
    return getWebhook(context, id);
  },
});
