import { followOptionsOf, retryBillableOption } from '../../cli/batch-options.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { contentOptions } from './content-options.js';
import { environmentOption, followOptions, names, writeExitCodes } from './options.js';

const findings = {
  nfe: {
    en: 'the list of the service is read for it',
    pt: 'ela é procurada na lista do serviço',
  },
  nfce: {
    en: 'the list of the service is read for it',
    pt: 'ela é procurada na lista do serviço',
  },
  nfse: {
    en: 'the service is asked for its externalId',
    pt: 'o serviço é consultado pelo externalId',
  },
} as const;

const issueOptions = {
  ...contentOptions,
  externalId: {
    kind: 'text',
    value: 'id',
    summary: {
      en: 'Your own id of the invoice, e.g. the number of the order',
      pt: 'Seu próprio id da nota, p. ex. o número do pedido',
    },
  },
  ...environmentOption,
  ...followOptions,
  ...retryBillableOption,
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce|nfse issue`. */
export function issueCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Issue an ${name}`, pt: `Emite uma ${name}` },
    description: describe(model),
    options: issueOptions,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} issue --sample > nota.json`,
        summary: { en: 'A minimal body', pt: 'Um corpo mínimo' },
      },
      {
        command: `fiscal invoice ${model} issue --file nota.json --external-id PEDIDO-1001 --wait`,
        summary: { en: 'Until it is issued', pt: 'Até ser emitida' },
      },
      {
        command: `fiscal invoice ${model} issue --file nota.yaml --dry-run`,
        summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
      },
    ],
    exitCodes: writeExitCodes,
    idField: 'id',
    async run({ context, options }) {
      const { issueInvoice } = await import('./issue.js');
      const { file, set, sample, again, unchecked, externalId, environment, retryBillable } = options;
      return issueInvoice(context, {
        ...{ model, file, set, sample, again, unchecked, externalId, environment },
        ...followOptionsOf(options),
        retryBillable,
      });
    },
  });
}

function describe(model: InvoiceModel): Text {
  const found = findings[model];
  return {
    en: `From JSON or YAML, from --set, or both. It is checked here before anything is sent; fields that are not known pass as written. Its externalId (yours, or one made of its content) is stored before the send: when the outcome is unknown, ${found.en} before anything is sent again, and a person is asked when it cannot be known. The same content is never issued twice by this machine.`,
    pt: `De JSON ou YAML, de --set ou de ambos. É conferida aqui antes do envio; campos desconhecidos passam como estão. O externalId (o seu, ou um formado do conteúdo) é gravado antes do envio: quando o resultado é desconhecido, ${found.pt} antes de qualquer novo envio, e uma pessoa é consultada quando não há como saber. O mesmo conteúdo nunca é emitido duas vezes por esta máquina.`,
  };
}
