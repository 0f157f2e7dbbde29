import type { OptionSpecs } from '../../cli/command.js';
import { byteModes } from '../../contract/sandbox.js';

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
  bytes: {
    kind: 'choice',
    choices: byteModes,
    default: 'bytes',
    summary: {
      en: 'How XML and PDF are answered: themselves, by a redirect, or by an address in JSON',
      pt: 'Como XML e PDF são respondidos: eles mesmos, por redirecionamento ou por um endereço em JSON',
    },
  },
  alphanumericKeys: {
    kind: 'toggle',
    summary: { en: 'Know CNPJ and keys with letters', pt: 'Conhece CNPJ e chaves com letras' },
  },
} as const satisfies OptionSpecs;
