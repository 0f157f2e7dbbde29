import type { OptionSpecs } from '../../cli/command.js';

/** What both ways to start a sandbox take. */
export const sandboxOptions = {
  rate: {
    kind: 'count',
    value: 'number',
    min: 1,
    summary: {
      en: 'Requests per second before it answers 429',
      pt: 'Requisições por segundo antes de responder 429',
    },
  },
  alphanumericKeys: {
    kind: 'toggle',
    summary: { en: 'Know CNPJ and keys with letters', pt: 'Conhece CNPJ e chaves com letras' },
  },
} as const satisfies OptionSpecs;
