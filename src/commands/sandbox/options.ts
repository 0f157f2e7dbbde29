import type { OptionSpecs } from '../../cli/command.js';
import { byteModes, externalIdModes, idempotencyModes } from '../../contract/sandbox.js';

/** What the service does where the document is silent. */
export const modeOptions = {
  lag: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'Lists, reads and look-ups show what was created only so much later',
      pt: 'Listas, leituras e buscas só mostram o que foi criado tanto tempo depois',
    },
  },
  idempotencyKeys: {
    kind: 'choice',
    choices: idempotencyModes,
    summary: {
      en: 'Whether the same Idempotency-Key answers the same invoice (default: ignored)',
      pt: 'Se a mesma Idempotency-Key responde a mesma nota (padrão: ignored)',
    },
  },
  externalIds: {
    kind: 'choice',
    choices: externalIdModes,
    summary: {
      en: 'Whether a second NFS-e with the same externalId is refused (default: any)',
      pt: 'Se uma segunda NFS-e com o mesmo externalId é recusada (padrão: any)',
    },
  },
} as const satisfies OptionSpecs;

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
  ...modeOptions,
  clockOffset: {
    kind: 'text',
    value: 'duration',
    summary: {
      en: 'How far its clock is ahead of this machine, or behind: 90s, -1h',
      pt: 'Quanto o relógio dele está adiantado, ou atrasado: 90s, -1h',
    },
  },
  alphanumericKeys: {
    kind: 'toggle',
    summary: { en: 'Know CNPJ and keys with letters', pt: 'Conhece CNPJ e chaves com letras' },
  },
} as const satisfies OptionSpecs;
