import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: {
    en: 'Have the webhook of a document delivered again',
    pt: 'Faz o webhook de um documento ser entregue de novo',
  },
  description: {
    en: 'For NF-e and NFS-e. An NF-e may also be named by its NSU, with --type nfe.',
    pt: 'Para NF-e e NFS-e. Uma NF-e também pode ser indicada pelo NSU, com --type nfe.',
  },
  arguments: [documentArgument],
  options: typeOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound resend-webhook 35250530057049000141550010000280181030656857',
      summary: { en: 'Of one NF-e', pt: 'De uma NF-e' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, options: { type }, arguments: { key = '' } }) {
    const { resendWebhook } = await import('./resend-webhook.js');
    return resendWebhook(context, { key, type });
  },
});
