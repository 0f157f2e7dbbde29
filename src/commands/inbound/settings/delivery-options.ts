import type { OptionSpecs } from '../../../cli/command.js';

/** What happens to a document once it is captured: webhooks, and manifestation by itself. */
export const deliveryOptions = {
  webhookVersion: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Version of the webhooks (nfe)', pt: 'Versão dos webhooks (nfe)' },
  },
  webhookEvents: {
    kind: 'list',
    value: 'event',
    summary: {
      en: 'Events to be told of, e.g. product_invoice_inbound.received; none: all (nfe)',
      pt: 'Eventos a avisar, ex. product_invoice_inbound.received; nenhum: todos (nfe)',
    },
  },
  webhookUrl: {
    kind: 'text',
    value: 'url',
    summary: { en: 'Address of the webhook (nfse)', pt: 'Endereço do webhook (nfse)' },
  },
  minutesToOperationConfirmation: {
    kind: 'count',
    value: 'n',
    summary: {
      en: 'Minutes until the operation is confirmed by itself (nfe)',
      pt: 'Minutos até a confirmação automática da operação (nfe)',
    },
  },
  minutesToUnknownOperation: {
    kind: 'count',
    value: 'n',
    summary: {
      en: 'Minutes until the operation is disowned by itself (nfe)',
      pt: 'Minutos até o desconhecimento automático da operação (nfe)',
    },
  },
  automaticManifestation: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: { en: 'Manifest by itself (nfse)', pt: 'Manifestação automática (nfse)' },
  },
  automaticManifestationDelay: {
    kind: 'duration',
    value: 'time',
    summary: { en: 'After this time, at most 7d (nfse)', pt: 'Depois deste tempo, no máximo 7d (nfse)' },
  },
} as const satisfies OptionSpecs;
