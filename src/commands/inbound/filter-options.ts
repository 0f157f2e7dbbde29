import type { OptionSpecs } from '../../cli/command.js';

/** The filters of a list: the same for the service and for what this machine knows. */
export const filterOptions = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Family of the documents', pt: 'Família dos documentos' },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'From this day, UTC time, or age (30d) on',
      pt: 'A partir deste dia, horário UTC ou idade (30d)',
    },
  },
  until: {
    kind: 'text',
    value: 'time',
    summary: { en: 'Before this day, UTC time, or age', pt: 'Antes deste dia, horário UTC ou idade' },
  },
  by: {
    onlyWith: ['since', 'until'],
    kind: 'choice',
    choices: ['issued', 'created', 'modified'],
    default: 'issued',
    summary: {
      en: 'The date that --since and --until are about: issue, capture, last change',
      pt: 'A data de --since e --until: emissão, captura, última alteração',
    },
  },
  status: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Only this status, e.g. Received', pt: 'Só este status, p. ex. Received' },
  },
  webhookStatus: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'Only this webhook status, e.g. Skipped',
      pt: 'Só este status de webhook, p. ex. Skipped',
    },
  },
  issuer: {
    kind: 'text',
    value: 'cnpj',
    summary: { en: 'Only of this CNPJ or CPF', pt: 'Só deste CNPJ ou CPF' },
  },
  nsuAfter: {
    kind: 'text',
    value: 'nsu',
    summary: {
      en: 'Only with a larger NSU (documents without one are left out)',
      pt: 'Só com NSU maior (documentos sem NSU ficam de fora)',
    },
  },
} as const satisfies OptionSpecs;
