import type { OptionSpecs } from '../../cli/command.js';
import { invoiceKinds, invoiceOutcomeKinds } from '../../contract/sandbox.js';
import { authorityOptions } from './authority-options.js';

const { message, rate, count, delay } = authorityOptions;

export const outcomeOptions = {
  outcome: {
    kind: 'choice',
    choices: invoiceOutcomeKinds,
    summary: {
      en: 'How it ends; pending never does, unlisted is a status that no list names',
      pt: 'Como termina; pending não termina, unlisted é um status fora de qualquer lista',
    },
  },
  family: {
    kind: 'choice',
    choices: invoiceKinds,
    summary: {
      en: 'Only invoices of this kind (default: all)',
      pt: 'Só notas deste tipo (padrão: todas)',
    },
  },
  externalId: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only the invoice with your own id', pt: 'Só a nota com o seu próprio id' },
  },
  id: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only the invoice with this id of the service', pt: 'Só a nota com este id do serviço' },
  },
  code: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Number of the refusal (default: 999)', pt: 'Número da recusa (padrão: 999)' },
  },
  message: { ...message, summary: { en: 'Text of the refusal', pt: 'Texto da recusa' } },
  rate,
  count,
  skip: {
    kind: 'count',
    value: 'number',
    min: 0,
    summary: { en: 'Let so many invoices pass first', pt: 'Deixa passar tantas notas antes' },
  },
  delay: {
    ...delay,
    summary: { en: 'How much later than usual it ends', pt: 'Quanto mais tarde que o normal termina' },
  },
} as const satisfies OptionSpecs;
