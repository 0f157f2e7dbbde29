import { choice, count, define, example, optional, text, toggle } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';
import { documents, followOptions, goods, invoiceArgument, modelOption, reasonOption, writeExits } from './options.js';

/** The authority decides in the background. */
const decidedOptions = { ...followOptions, wait: toggle('Follow it until it is decided', 'Acompanha até a decisão') };

export const cancel = define('Cancel an issued invoice', 'Cancela uma nota emitida', {
  description: {
    en: 'Needs consent (--yes without a terminal): a cancellation cannot be undone. The authority decides in the background; --wait follows it. A cancellation of unknown outcome is looked up before it is sent again.',
    pt: 'Precisa de consentimento (--yes sem terminal): o cancelamento é irreversível. A autoridade decide em segundo plano; --wait acompanha. Um cancelamento de resultado desconhecido é consultado antes de ser pedido de novo.',
  },
  takes: { id: invoiceArgument },
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
    example(
      '6f1c0a2e --model nfe --reason "Pedido desfeito pelo cliente" --yes --wait',
      'Until it is decided',
      'Até a decisão',
    ),
    example('6f1c0a2e --model nfse --yes', 'An NFS-e', 'Uma NFS-e'),
  ],
  exits: writeExits,
  id: 'id',
});

export const correct = define('Send a correction letter of an NF-e', 'Envia a carta de correção de uma NF-e', {
  description: {
    en: 'Needs consent (--yes without a terminal). Only the last letter counts, so it must hold every correction; at most 20. Values, taxes, parties and dates cannot be corrected by a letter.',
    pt: 'Precisa de consentimento (--yes sem terminal). Só a última carta vale, então ela deve conter todas as correções; no máximo 20. Valores, impostos, partes e datas não podem ser corrigidos por carta.',
  },
  takes: { id: invoiceArgument },
  options: {
    text: text('text', 'The correction, in 15 to 1000 characters', 'A correção, de 15 a 1000 caracteres'),
    ...decidedOptions,
  },
  scope: ['company'],
  examples: [
    example(
      '6f1c0a2e --text "Onde se lê rua A, leia-se rua B" --yes --wait',
      'Until it is registered',
      'Até o registro',
    ),
  ],
  exits: writeExits,
  id: 'id',
});

const number = { kind: 'count', value: 'n', min: 1 } as const;

/** Numbers that no invoice has. */
const rangeOptions = {
  serie: count('n', 'The series, 0 to 969', 'A série, de 0 a 969'),
  from: { ...number, summary: { en: 'First number', pt: 'Primeiro número' } },
  to: { ...number, summary: { en: 'Last number (default: the first)', pt: 'Último número (padrão: o primeiro)' } },
  state: text('UF', 'State of the issuer', 'UF do emitente'),
  environment: choice(['Production', 'Test'], 'Environment of the authority', 'Ambiente da autoridade', {
    default: 'Production',
  }),
};

const waiting = {
  ...followOptions,
  wait: toggle('Follow an NF-e until the service shows it', 'Acompanha a NF-e até o serviço mostrá-la', {
    onlyWith: ['<id>'],
  }),
};

export const disable = define(
  'Disable the number of a failed NF-e, or numbers that were skipped',
  'Inutiliza o número de uma NF-e que falhou, ou números que foram pulados',
  {
    description: {
      en: 'Needs consent (--yes without a terminal): a disabled number can never be issued. Numbers of NF-e or NFC-e are answered immediately. Of one NF-e, the service confirms it in the status of the invoice; --wait follows it, and a request of unknown outcome is looked up there before it is sent again.',
      pt: 'Precisa de consentimento (--yes sem terminal): um número inutilizado nunca poderá ser emitido. Para números de NF-e ou NFC-e a resposta é imediata. Para uma NF-e, o serviço confirma na situação da nota; --wait acompanha, e um pedido de resultado desconhecido é consultado ali antes de um novo envio.',
    },
    takes: { id: optional(invoiceArgument) },
    options: { ...modelOption(goods), ...inModes(rangeOptions, { notWith: ['<id>'] }), ...reasonOption, ...waiting },
    scope: ['company'],
    examples: [
      example(
        '6f1c0a2e --reason "Nota recusada, venda desfeita" --yes --wait',
        'Of one NF-e, until the service shows it',
        'De uma NF-e, até o serviço mostrá-la',
      ),
      example(
        '--model nfce --serie 1 --from 120 --to 125 --state SP --reason "Falha na numeração do sistema" --yes',
        'Six numbers',
        'Seis números',
      ),
    ],
    exits: writeExits,
    id: 'id',
  },
);
