import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { missedOptions } from './missed-options.js';

export const command = defineCommand({
  summary: {
    en: 'Find documents whose webhook never arrived',
    pt: 'Encontra documentos cujo webhook nunca chegou',
  },
  description: {
    en: 'The captured documents of one company or several that the service does not count as Delivered, less those about which this machine stored an event. With --resend the service is asked, after consent, to deliver them; for CT-e it has no such operation.',
    pt: 'Os documentos capturados de uma ou mais empresas que o serviço não conta como Delivered, menos aqueles sobre os quais esta máquina guardou um evento. Com --resend, pede-se ao serviço, após o consentimento, que os entregue; para CT-e ele não tem essa operação.',
  },
  options: missedOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal webhook missed --since 7d',
      summary: { en: 'Of the last week, all families', pt: 'Da última semana, todas as famílias' },
    },
    {
      command: 'fiscal webhook missed --since 2026-10-01 --type nfse --resend --yes',
      summary: { en: 'Have the NFS-e delivered again', pt: 'Faz as NFS-e serem entregues de novo' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.limitReached],
  idField: 'accessKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'companyName',
      'family',
      'accessKey',
      'webhookStatus',
      'createdOn',
      'arrived',
      'resend',
      'error.message',
    ]);
  },
  async run({ context, options: { type, ...options } }) {
    const { missedWebhooks } = await import('./missed.js');
    return missedWebhooks(context, { ...options, types: type === undefined ? [] : [type] });
  },
});
