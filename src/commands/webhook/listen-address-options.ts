import type { OptionSpecs } from '../../cli/command.js';

/** Where a listener is found. */
export const listenAddressOptions = {
  port: {
    kind: 'count',
    value: 'port',
    default: 0,
    summary: { en: 'Port (0: a free one)', pt: 'Porta (0: uma livre)' },
  },
  host: {
    kind: 'text',
    value: 'address',
    summary: {
      en: 'Address to listen on (default: 127.0.0.1)',
      pt: 'Endereço de escuta (padrão: 127.0.0.1)',
    },
  },
  path: {
    kind: 'text',
    value: 'path',
    summary: {
      en: 'The only path that is answered; may be hard to guess (default: /)',
      pt: 'O único caminho atendido; pode ser difícil de adivinhar (padrão: /)',
    },
  },
  cert: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Certificate for TLS, PEM', pt: 'Certificado para TLS, PEM' },
  },
  key: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Its private key, PEM', pt: 'A chave privada dele, PEM' },
  },
} as const satisfies OptionSpecs;
