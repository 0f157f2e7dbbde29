import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List what the sandbox was asked and did',
    pt: 'Lista o que foi pedido ao sandbox e o que ele fez',
  },
  options: {
    effects: {
      kind: 'toggle',
      summary: { en: 'Only requests that changed something', pt: 'Só requisições que mudaram algo' },
    },
    operation: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Only this operation, e.g. product.create', pt: 'Só esta operação, ex. product.create' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox ledger --effects --operation product.create',
      summary: {
        en: 'Which products were created, and how often',
        pt: 'Quais produtos foram criados, e quantas vezes',
      },
    },
  ],
  exitCodes: [5],
  idField: 'requestId',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView([
      'sequence',
      'operation',
      'status',
      'cut',
      'effect.id',
      'effect.sku',
      'effect.accessKey',
      'effect.eventCode',
      'billed',
      'fault',
    ]);
  },
  async run({ options, context }) {
    const { readLedger } = await import('./ledger.js');
    return { data: readLedger(context, options) };
  },
});
