import type { OptionSpecs } from '../../../cli/command.js';
import { deliveryOptions } from './delivery-options.js';

export const familyOption = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Family of documents (required)', pt: 'Família de documentos (obrigatória)' },
  },
} as const satisfies OptionSpecs;

/** Every setting of the three families; those that a family does not have are refused by name. */
export const settingsOptions = {
  ...familyOption,
  startFromDate: {
    kind: 'text',
    value: 'day',
    summary: {
      en: 'Cut-off of the capture; only when it is enabled',
      pt: 'Data de corte da captura; só na ativação',
    },
  },
  startFromNsu: {
    kind: 'text',
    value: 'nsu',
    summary: { en: 'First NSU; only when it is enabled', pt: 'Primeiro NSU; só na ativação' },
  },
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    summary: { en: 'Environment of the tax authority (nfe, cte)', pt: 'Ambiente da Sefaz (nfe, cte)' },
  },
  outboundEnabled: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: {
      en: 'Deliver the invoices that the company issues, too (nfe, nfse)',
      pt: 'Entrega também as notas que a empresa emite (nfe, nfse)',
    },
  },
  ...deliveryOptions,
  confirm: {
    kind: 'text',
    value: 'companyId',
    summary: {
      en: 'The company, named again, where operations are to be disowned by themselves',
      pt: 'A empresa, indicada de novo, para o desconhecimento automático de operações',
    },
  },
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The settings as JSON; - for stdin; flags win',
      pt: 'As configurações em JSON; - para o stdin; as opções vencem',
    },
  },
} as const satisfies OptionSpecs;
