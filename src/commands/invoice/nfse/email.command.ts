import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { invoiceArgument } from '../options.js';

export const command = defineCommand({
  summary: { en: 'Send an NFS-e to its taker by e-mail', pt: 'Envia uma NFS-e ao tomador por e-mail' },
  description: {
    en: 'The service sends it to the e-mail address in the invoice. Every call sends one more.',
    pt: 'O serviço envia ao e-mail que consta na nota. Cada chamada envia mais um.',
  },
  arguments: [invoiceArgument],
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice nfse email 6f1c0a2e',
      summary: { en: 'One e-mail', pt: 'Um e-mail' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { emailInvoice } = await import('../email.js');
    return emailInvoice(context, id);
  },
});
