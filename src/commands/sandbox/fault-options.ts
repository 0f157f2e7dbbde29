import type { OptionSpecs } from '../../cli/command.js';

export const faultOptions = {
  kind: {
    kind: 'choice',
    choices: [
      '429',
      '503',
      '500',
      '500-after',
      'slow',
      'cut-before',
      'cut-after',
      'cut-body',
      'broken-json',
      'stall',
      'redirect',
      'ignore-key',
    ],
    summary: {
      en: 'How it fails; -after and cut-after fail after the effect, ignore-key forgets an Idempotency-Key',
      pt: 'Como falha; -after e cut-after falham depois do efeito, ignore-key esquece uma Idempotency-Key',
    },
  },
  operation: {
    kind: 'text',
    value: 'id',
    summary: {
      en: 'One operation, e.g. product.create (default: all)',
      pt: 'Uma operação, ex. product.create (padrão: todas)',
    },
  },
  rate: {
    kind: 'text',
    value: '0..1',
    summary: {
      en: 'How often it strikes (default: always)',
      pt: 'Com que frequência ocorre (padrão: sempre)',
    },
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
    summary: { en: 'Let so many requests pass first', pt: 'Deixa passar tantas requisições antes' },
  },
  retryAfter: {
    kind: 'text',
    value: 'seconds|date',
    summary: { en: 'Retry-After of 429, 503 and 500', pt: 'Retry-After de 429, 503 e 500' },
  },
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'How long slow waits, or until a stall is cut',
      pt: 'Quanto slow espera, ou até o corte de um stall',
    },
  },
  to: {
    kind: 'text',
    value: 'url',
    summary: { en: 'Where redirect points', pt: 'Para onde redirect aponta' },
  },
} as const satisfies OptionSpecs;
