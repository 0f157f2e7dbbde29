import type { ArgumentSpec } from '../../cli/command.js';

/** The webhook that a command is about. */
export const webhookArgument: ArgumentSpec = {
  name: 'id',
  summary: { en: 'Id of the webhook', pt: 'Id do webhook' },
  required: true,
};
