import { followOptionsOf } from '../../cli/options.js';
import { defineCommand, inModes, type OptionSpecs } from '../../cli/command.js';
import {
  documents,
  followOptions,
  goods,
  invoiceArgument,
  modelOption,
  reasonOption,
  writeExitCodes,
} from './options.js';

/** The authority decides in the background. */
const decidedOptions = {
  ...followOptions,
  wait: {
    kind: 'toggle',
    summary: { en: 'Follow it until it is decided', pt: 'Acompanha até a decisão' },
  },
} as const satisfies OptionSpecs;

export const cancel = defineCommand({
  summary: { en: 'Cancel an issued invoice', pt: 'Cancela uma nota emitida' },
  description: {
    en: 'Needs consent (--yes without a terminal): a cancellation cannot be undone. The authority decides in the background; --wait follows it. A cancellation of unknown outcome is looked up before it is sent again.',
    pt: 'Precisa de consentimento (--yes sem terminal): o cancelamento é irreversível. A autoridade decide em segundo plano; --wait acompanha. Um cancelamento de resultado desconhecido é consultado antes de ser pedido de novo.',
  },
  arguments: [invoiceArgument],
  options: {
    ...modelOption(documents),
    reason: {
      ...reasonOption.reason,
      summary: {
        en: `${reasonOption.reason.summary.en} (NFS-e: optional)`,
        pt: `${reasonOption.reason.summary.pt} (NFS-e: opcional)`,
      },
    },
    ...decidedOptions,
  },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal invoice cancel 6f1c0a2e --model nfe --reason "Pedido desfeito pelo cliente" --yes --wait',
      summary: { en: 'Until it is decided', pt: 'Até a decisão' },
    },
    {
      command: 'fiscal invoice cancel 6f1c0a2e --model nfse --yes',
      summary: { en: 'An NFS-e', pt: 'Uma NFS-e' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id = '' } }) {
    const { cancelInvoice } = await import('./change.js');
    const { model, reason } = options;
    return cancelInvoice(context, { model, id, reason, ...followOptionsOf(options), retryBillable: false });
  },
});

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
    ...decidedOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice correct 6f1c0a2e --text "Onde se lê rua A, leia-se rua B" --yes --wait',
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

const number = { kind: 'count', value: 'n', min: 1 } as const;

/** Numbers that no invoice has. */
const rangeOptions = {
  serie: { kind: 'count', value: 'n', summary: { en: 'The series, 0 to 969', pt: 'A série, de 0 a 969' } },
  from: { ...number, summary: { en: 'First number', pt: 'Primeiro número' } },
  to: {
    ...number,
    summary: { en: 'Last number (default: the first)', pt: 'Último número (padrão: o primeiro)' },
  },
  state: { kind: 'text', value: 'UF', summary: { en: 'State of the issuer', pt: 'UF do emitente' } },
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    default: 'Production',
    summary: { en: 'Environment of the authority', pt: 'Ambiente da autoridade' },
  },
} as const satisfies OptionSpecs;

const waiting = {
  ...followOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Follow an NF-e until the service shows it',
      pt: 'Acompanha a NF-e até o serviço mostrá-la',
    },
    onlyWith: ['<id>'],
  },
} as const satisfies OptionSpecs;

export const disable = defineCommand({
  summary: {
    en: 'Disable the number of a failed NF-e, or numbers that were skipped',
    pt: 'Inutiliza o número de uma NF-e que falhou, ou números que foram pulados',
  },
  description: {
    en: 'Needs consent (--yes without a terminal): a disabled number can never be issued. Numbers of NF-e or NFC-e are answered immediately. Of one NF-e, the service confirms it in the status of the invoice; --wait follows it, and a request of unknown outcome is looked up there before it is sent again.',
    pt: 'Precisa de consentimento (--yes sem terminal): um número inutilizado nunca poderá ser emitido. Para números de NF-e ou NFC-e a resposta é imediata. Para uma NF-e, o serviço confirma na situação da nota; --wait acompanha, e um pedido de resultado desconhecido é consultado ali antes de um novo envio.',
  },
  arguments: [{ ...invoiceArgument, required: false }],
  options: {
    ...modelOption(goods),
    ...inModes(rangeOptions, { notWith: ['<id>'] }),
    ...reasonOption,
    ...waiting,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice disable 6f1c0a2e --reason "Nota recusada, venda desfeita" --yes --wait',
      summary: { en: 'Of one NF-e, until the service shows it', pt: 'De uma NF-e, até o serviço mostrá-la' },
    },
    {
      command:
        'fiscal invoice disable --model nfce --serie 1 --from 120 --to 125 --state SP --reason "Falha na numeração do sistema" --yes',
      summary: { en: 'Six numbers', pt: 'Seis números' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id } }) {
    const { disable: disableIt } = await import('./disable.js');
    return disableIt(context, { ...options, id, ...followOptionsOf(options), retryBillable: false });
  },
});
