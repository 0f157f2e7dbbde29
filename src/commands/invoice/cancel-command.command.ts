import { followOptionsOf } from '../../cli/batch-options.js';
import { defineCommand } from '../../cli/command.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { followOptions, invoiceArgument, names, writeExitCodes } from './options.js';

/** `fiscal invoice nfe|nfce|nfse cancel`. */
export function cancelCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Cancel an issued ${name}`, pt: `Cancela uma ${name} emitida` },
    description: {
      en: 'Needs consent (--yes without a terminal): what is cancelled cannot be had back. The authority decides in the background; --wait follows it. A cancellation whose outcome is unknown is looked up before it is asked for again.',
      pt: 'Precisa de consentimento (--yes sem terminal): o cancelamento não tem volta. A autoridade decide em segundo plano; --wait acompanha. Um cancelamento de resultado desconhecido é consultado antes de ser pedido de novo.',
    },
    arguments: [invoiceArgument],
    options: {
      reason: {
        kind: 'text',
        value: 'text',
        summary: {
          en: `Why, in 15 to 255 characters${model === 'nfse' ? ' (optional)' : ''}`,
          pt: `O motivo, de 15 a 255 caracteres${model === 'nfse' ? ' (opcional)' : ''}`,
        },
      },
      ...followOptions,
      wait: {
        kind: 'toggle',
        summary: { en: 'Follow it until it is decided', pt: 'Acompanha até a decisão' },
      },
    },
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} cancel 6f1c0a2e --reason "Pedido desfeito pelo cliente" --yes --wait`,
        summary: { en: 'Until it is decided', pt: 'Até a decisão' },
      },
    ],
    exitCodes: writeExitCodes,
    idField: 'id',
    async run({ context, options, arguments: { id = '' } }) {
      const { cancelInvoice } = await import('./cancel.js');
      const { reason } = options;
      return cancelInvoice(context, { model, id, reason, ...followOptionsOf(options), retryBillable: false });
    },
  });
}
