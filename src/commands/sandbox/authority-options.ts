import type { OptionSpecs } from '../../cli/command.js';
import { authorityOutcomes } from '../../contract/sandbox.js';

export const authorityOptions = {
  outcome: {
    kind: 'choice',
    choices: authorityOutcomes,
    summary: {
      en: 'What it does; fail-after registers the event and does not answer',
      pt: 'O que ela faz; fail-after registra o evento e não responde',
    },
  },
  accessKey: {
    kind: 'text',
    value: 'key',
    summary: { en: 'Only this document (default: all)', pt: 'Só este documento (padrão: todos)' },
  },
  event: {
    kind: 'count',
    value: 'code',
    min: 1,
    summary: {
      en: 'Only this event, e.g. 210200 (default: all)',
      pt: 'Só este evento, ex. 210200 (padrão: todos)',
    },
  },
  code: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Number of the rejection (default: 999)', pt: 'Número da rejeição (padrão: 999)' },
  },
  message: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Text of the rejection', pt: 'Texto da rejeição' },
  },
  rate: {
    kind: 'text',
    value: '0..1',
    summary: { en: 'How often it applies (default: always)', pt: 'Com que frequência vale (padrão: sempre)' },
  },
  count: {
    kind: 'count',
    value: 'number',
    min: 1,
    summary: { en: 'At most so many times', pt: 'No máximo tantas vezes' },
  },
  skip: {
    kind: 'count',
    value: 'number',
    min: 0,
    summary: { en: 'Let so many events pass first', pt: 'Deixa passar tantos eventos antes' },
  },
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'How much later than usual it answers',
      pt: 'Quanto mais tarde que o normal ela responde',
    },
  },
} as const satisfies OptionSpecs;
