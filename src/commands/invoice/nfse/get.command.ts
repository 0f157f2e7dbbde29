import { followOptionsOf } from '../../../cli/batch-options.js';
import { defineCommand } from '../../../cli/command.js';
import { getExitCodes, statusOption } from '../get-command.command.js';
import { followOptions, invoiceArgument } from '../options.js';

export const command = defineCommand({
  summary: { en: 'Show one issued NFS-e', pt: 'Mostra uma NFS-e emitida' },
  arguments: [{ ...invoiceArgument, required: false }],
  options: {
    externalId: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Find it by your own id', pt: 'Encontra pelo seu próprio id' },
    },
    ...followOptions,
    ...statusOption,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice nfse get 6f1c0a2e --wait',
      summary: { en: 'Once it has ended', pt: 'Quando terminar' },
    },
    {
      command: 'fiscal invoice nfse get --external-id PEDIDO-1001',
      summary: { en: 'By your own id', pt: 'Pelo seu próprio id' },
    },
  ],
  exitCodes: getExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id } }) {
    const { getInvoice } = await import('../get.js');
    const { externalId, exitStatus } = options;
    return getInvoice(context, { model: 'nfse', id, externalId, exitStatus, ...followOptionsOf(options) });
  },
});
