import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { webhookArgument } from './id-argument.js';

export const command = defineCommand({
  summary: {
    en: 'Have the service send a test delivery',
    pt: 'Faz o serviço enviar uma entrega de teste',
  },
  arguments: [webhookArgument],
  options: {},
  examples: [
    { command: 'fiscal webhook ping 6f1c0a2e', summary: { en: 'To one webhook', pt: 'A um webhook' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { pingWebhook } = await import('./ping.js');
    return pingWebhook(context, id);
  },
});
