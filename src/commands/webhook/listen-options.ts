import type { OptionSpecs } from '../../cli/command.js';
import { listenAddressOptions } from './listen-address-options.js';

/** Where it listens, what it checks, and where the events go. */
export const listenOptions = {
  ...listenAddressOptions,
  scheme: {
    kind: 'choice',
    choices: ['hub-sha1', 'standard-webhooks'],
    default: 'hub-sha1',
    summary: { en: 'How deliveries are signed', pt: 'Como as entregas são assinadas' },
  },
  secretFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The signing secret, one a line; - is stdin (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
      pt: 'O segredo da assinatura, um por linha; - é stdin (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
    },
  },
  events: {
    kind: 'list',
    value: 'names',
    summary: {
      en: 'What is printed and forwarded, * for any part; the rest is only stored',
      pt: 'O que é mostrado e encaminhado, * para qualquer parte; o resto só é guardado',
    },
  },
  forward: {
    kind: 'texts',
    value: 'url',
    summary: {
      en: 'Address that gets every event; may be repeated',
      pt: 'Endereço que recebe cada evento; pode ser repetido',
    },
  },
  inFlight: {
    kind: 'count',
    value: 'n',
    default: 16,
    min: 1,
    summary: { en: 'Events under way at once', pt: 'Eventos em andamento ao mesmo tempo' },
  },
  maxAttempts: {
    kind: 'count',
    value: 'n',
    default: 20,
    min: 1,
    summary: {
      en: 'Tries before an event is given up (some two hours)',
      pt: 'Tentativas antes de desistir de um evento (cerca de duas horas)',
    },
  },
  maxBody: {
    kind: 'count',
    value: 'bytes',
    default: 1_048_576,
    min: 1,
    summary: { en: 'Largest body that is taken', pt: 'Maior corpo aceito' },
  },
} as const satisfies OptionSpecs;
