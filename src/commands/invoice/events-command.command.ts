import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import { invoiceArgument, names } from './options.js';

/** `fiscal invoice nfe|nfce events`. */
export function eventsCommand(model: MerchandiseModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `The events of an issued ${name}`, pt: `Os eventos de uma ${name} emitida` },
    arguments: [invoiceArgument],
    options: {},
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} events 6f1c0a2e`,
        summary: { en: 'Cancellation and corrections', pt: 'Cancelamento e correções' },
      },
    ],
    exitCodes: callExitCodes,
    view: async () => {
      const { columnsView } = await import('../../presenters/columns.js');
      return columnsView(['type', 'sequence', 'status', 'protocol', 'reason', 'errorMessage', 'createdOn']);
    },
    async run({ context, arguments: { id = '' } }) {
      const { listInvoiceEvents } = await import('./events.js');
      return listInvoiceEvents(context, { model, id });
    },
  });
}
