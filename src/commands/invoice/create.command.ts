import { followOptionsOf } from '../../cli/batch-options.js';
import { defineCommand } from '../../cli/command.js';
import { contentOptions } from './content-options.js';
import { followOptions, writeExitCodes } from './options.js';

export const command = defineCommand({
  summary: {
    en: 'Issue an invoice by the short way (cliente, itens)',
    pt: 'Emite uma nota pelo caminho curto (cliente, itens)',
  },
  description: {
    en: 'From JSON or YAML, from --set, or both; checked here before anything is sent. The Idempotency-Key is made of the invoice and stored before the send, so that the same order from two machines meets at the service. A send whose outcome is unknown is never repeated by itself: the program asks you. The same content is never issued twice by this machine, unless --again or a --idempotency-key of its own makes it another one. For full control of the layout: fiscal invoice nfe|nfce|nfse issue.',
    pt: 'De JSON ou YAML, de --set ou de ambos; é conferida aqui antes do envio. A Idempotency-Key é formada a partir da nota e gravada antes do envio, para que o mesmo pedido, vindo de duas máquinas, seja um só no serviço; um envio de resultado desconhecido nunca é repetido automaticamente: o programa pergunta a você. O mesmo conteúdo nunca é emitido duas vezes por esta máquina, salvo com --again ou com uma --idempotency-key própria. Para o leiaute completo: fiscal invoice nfe|nfce|nfse issue.',
  },
  options: {
    ...contentOptions,
    idempotencyKey: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Your own Idempotency-Key, e.g. the number of the order (default: made of the externalId, else of the content)',
        pt: 'Sua própria Idempotency-Key, p. ex. o número do pedido (padrão: formada pelo externalId, senão pelo conteúdo)',
      },
    },
    ...followOptions,
  },
  examples: [
    {
      command: 'fiscal invoice create --sample > nota.json',
      summary: { en: 'A minimal body', pt: 'Um corpo mínimo' },
    },
    {
      command: 'fiscal invoice create --file nota.json --set itens[0].quantidade=3 --wait',
      summary: { en: 'Until it is issued', pt: 'Até ser emitida' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options }) {
    const { createInvoice } = await import('./create.js');
    const { file, set, sample, again, unchecked, idempotencyKey } = options;
    return createInvoice(context, {
      ...{ file, set, sample, again, unchecked, idempotencyKey, retryBillable: false },
      ...followOptionsOf(options),
    });
  },
});
