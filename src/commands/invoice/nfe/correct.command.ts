import { followOptionsOf } from '../../../cli/batch-options.js';
import { defineCommand } from '../../../cli/command.js';
import { followOptions, invoiceArgument, writeExitCodes } from '../options.js';

export const command = defineCommand({
  summary: { en: 'Send a correction letter of an NF-e', pt: 'Envia a carta de correção de uma NF-e' },
  description: {
    en: 'Needs consent (--yes without a terminal). The last letter counts, with everything that is to be corrected; at most 20. Values, taxes, parties and dates cannot be corrected by a letter.',
    pt: 'Precisa de consentimento (--yes sem terminal). Vale a última carta, com tudo o que se corrige; no máximo 20. Valores, impostos, partes e datas não podem ser corrigidos por carta.',
  },
  arguments: [invoiceArgument],
  options: {
    text: {
      kind: 'text',
      value: 'text',
      summary: { en: 'The correction, in 15 to 1000 characters', pt: 'A correção, de 15 a 1000 caracteres' },
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
      command: 'fiscal invoice nfe correct 6f1c0a2e --text "Onde se lê rua A, leia-se rua B" --yes --wait',
      summary: { en: 'Until it is registered', pt: 'Até o registro' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id = '' } }) {
    const { correctInvoice } = await import('../correct.js');
    const { text } = options;
    return correctInvoice(context, { id, text, ...followOptionsOf(options), retryBillable: false });
  },
});
