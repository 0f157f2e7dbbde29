import type { OptionSpecs } from '../../cli/command.js';
import { deliveryFaultKinds, faultKinds } from '../../contract/sandbox.js';

export const faultOptions = {
  kind: {
    kind: 'choice',
    choices: [...faultKinds, ...deliveryFaultKinds],
    summary: {
      en: 'How it fails; -after kinds fail after the effect, -late kinds fail and the effect comes later (--delay), empty-body answers a success without body and Location, cut-list gives half of the rows of a list without saying that there are more, ignore-key forgets an Idempotency-Key; the last four are about deliveries of webhooks',
      pt: 'Como falha; os tipos -after falham depois do efeito, os -late falham e o efeito vem mais tarde (--delay), empty-body responde um sucesso sem corpo nem Location, cut-list dá metade das linhas de uma lista sem dizer que há mais, ignore-key esquece uma Idempotency-Key; os quatro últimos são das entregas de webhooks',
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
    summary: {
      en: 'Retry-After of 429, and of the 503 and 500 kinds',
      pt: 'Retry-After de 429 e dos tipos 503 e 500',
    },
  },
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'How long slow waits, or until a stall is cut; how late a late effect (default 5s) or a delivery is',
      pt: 'Quanto slow espera, ou até o corte de um stall; quanto um efeito tardio (padrão 5s) ou uma entrega atrasa',
    },
  },
  to: {
    kind: 'text',
    value: 'url',
    summary: { en: 'Where redirect points', pt: 'Para onde redirect aponta' },
  },
} as const satisfies OptionSpecs;
