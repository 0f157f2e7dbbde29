import { followOptionsOf } from '../../cli/options.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import { followOptions, invoiceArgument, names, writeExitCodes } from './options.js';

/** `fiscal invoice nfe|nfce|nfse cancel`. */
export function cancelCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Cancel an issued ${name}`, pt: `Cancela uma ${name} emitida` },
    description: {
      en: 'Needs consent (--yes without a terminal): a cancellation cannot be undone. The authority decides in the background; --wait follows it. A cancellation of unknown outcome is looked up before it is sent again.',
      pt: 'Precisa de consentimento (--yes sem terminal): o cancelamento é irreversível. A autoridade decide em segundo plano; --wait acompanha. Um cancelamento de resultado desconhecido é consultado antes de ser pedido de novo.',
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
      const { cancelInvoice } = await import('./change.js');
      const { reason } = options;
      return cancelInvoice(context, { model, id, reason, ...followOptionsOf(options), retryBillable: false });
    },
  });
}

export const correct = defineCommand({
  summary: { en: 'Send a correction letter of an NF-e', pt: 'Envia a carta de correção de uma NF-e' },
  description: {
    en: 'Needs consent (--yes without a terminal). Only the last letter counts, so it must hold every correction; at most 20. Values, taxes, parties and dates cannot be corrected by a letter.',
    pt: 'Precisa de consentimento (--yes sem terminal). Só a última carta vale, então ela deve conter todas as correções; no máximo 20. Valores, impostos, partes e datas não podem ser corrigidos por carta.',
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
    const { correctInvoice } = await import('./change.js');
    const { text } = options;
    return correctInvoice(context, { id, text, ...followOptionsOf(options), retryBillable: false });
  },
});

export const disableInvoice = defineCommand({
  summary: {
    en: 'Disable the number of one failed NF-e',
    pt: 'Inutiliza o número de uma NF-e que falhou',
  },
  description: {
    en: 'Needs consent (--yes without a terminal): a disabled number can never be issued. The service confirms it in the status of the invoice; --wait follows it. A request of unknown outcome is looked up there before it is sent again. For numbers without an invoice: fiscal invoice nfe disable.',
    pt: 'Precisa de consentimento (--yes sem terminal): um número inutilizado nunca poderá ser emitido. O serviço confirma na situação da nota; --wait acompanha. Um pedido de resultado desconhecido é consultado ali antes de um novo envio. Para números sem nota: fiscal invoice nfe disable.',
  },
  arguments: [invoiceArgument],
  options: {
    reason: {
      kind: 'text',
      value: 'text',
      summary: { en: 'Why, in 15 to 255 characters', pt: 'O motivo, de 15 a 255 caracteres' },
    },
    ...followOptions,
    wait: {
      kind: 'toggle',
      summary: { en: 'Follow it until the service shows it', pt: 'Acompanha até o serviço mostrá-la' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal invoice nfe disable-invoice 6f1c0a2e --reason "Nota recusada, venda desfeita" --yes --wait',
      summary: { en: 'Until the service shows it', pt: 'Até o serviço mostrá-la' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id = '' } }) {
    const { disableInvoice: disable } = await import('./disable.js');
    const { reason } = options;
    return disable(context, { id, reason, ...followOptionsOf(options), retryBillable: false });
  },
});

const number = { kind: 'count', value: 'n', min: 1 } as const;

const rangeOptions = {
  serie: { kind: 'count', value: 'n', summary: { en: 'The series, 0 to 969', pt: 'A série, de 0 a 969' } },
  from: { ...number, summary: { en: 'First number', pt: 'Primeiro número' } },
  to: {
    ...number,
    summary: { en: 'Last number (default: the first)', pt: 'Último número (padrão: o primeiro)' },
  },
  state: { kind: 'text', value: 'UF', summary: { en: 'State of the issuer', pt: 'UF do emitente' } },
  reason: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Why, in 15 to 255 characters', pt: 'O motivo, de 15 a 255 caracteres' },
  },
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    default: 'Production',
    summary: { en: 'Environment of the authority', pt: 'Ambiente da autoridade' },
  },
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce disable`. */
export function disableCommand(model: MerchandiseModel) {
  const name = names[model];
  return defineCommand({
    summary: {
      en: `Disable numbers of ${name} that were skipped`,
      pt: `Inutiliza números de ${name} que foram pulados`,
    },
    description: {
      en: 'Needs consent (--yes without a terminal): a disabled number can never be issued. The answer is immediate.',
      pt: 'Precisa de consentimento (--yes sem terminal): um número inutilizado nunca poderá ser emitido. A resposta é imediata.',
    },
    options: rangeOptions,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} disable --serie 1 --from 120 --to 125 --state SP --reason "Falha na numeração do sistema" --yes`,
        summary: { en: 'Six numbers', pt: 'Seis números' },
      },
    ],
    exitCodes: writeExitCodes,
    async run({ context, options }) {
      const { disableNumbers } = await import('./disable.js');
      const { serie, from, state, reason, environment } = options;
      if (serie === undefined || from === undefined || state === undefined) {
        const missing = Object.entries({ serie, from, state }).filter(([, value]) => value === undefined);
        const flags = missing.map(([flag]) => `--${flag}`).join(', ');
        throw new FiscalError('usage.missing', { names: flags }, { sent: 'no' });
      }
      return disableNumbers(context, {
        model,
        environment,
        serie,
        state,
        from,
        to: options.to ?? from,
        reason,
      });
    },
  });
}
