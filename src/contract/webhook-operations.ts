import { commonRow } from './common-row.js';
import type { Operation } from './operation.js';
import type { Webhook, WebhookEnvelope, WebhookEventTypes, WebhookInput, WebhookList } from './webhook.js';

const row = { ...commonRow, mark: 'public' } as const;

/** Administration of webhooks: §4 names it; paths and bodies are public. */
export const webhookOperations = {
  'webhook.list': {
    ...row,
    summary: { en: 'List the webhooks of the account', pt: 'Lista os webhooks da conta' },
    method: 'GET',
    path: '/v2/webhooks',
  },
  // The service would call a second webhook with the same address too: the program never repeats a create.
  'webhook.create': {
    ...row,
    summary: { en: 'Create a webhook', pt: 'Cria um webhook' },
    method: 'POST',
    path: '/v2/webhooks',
    success: [201, 200],
    replay: 'unsafe',
  },
  'webhook.get': {
    ...row,
    summary: { en: 'Read a webhook', pt: 'Lê um webhook' },
    method: 'GET',
    path: '/v2/webhooks/{webhookId}',
  },
  'webhook.update': {
    ...row,
    summary: { en: 'Replace a webhook', pt: 'Substitui um webhook' },
    method: 'PUT',
    path: '/v2/webhooks/{webhookId}',
    success: [200, 204],
    replay: 'unsafe',
  },
  'webhook.delete': {
    ...row,
    summary: { en: 'Delete a webhook', pt: 'Exclui um webhook' },
    method: 'DELETE',
    path: '/v2/webhooks/{webhookId}',
    success: [204, 200],
  },
  // A repeated ping is harmless: one more test delivery.
  'webhook.ping': {
    ...row,
    summary: { en: 'Send a test delivery to a webhook', pt: 'Envia uma entrega de teste a um webhook' },
    method: 'PUT',
    path: '/v2/webhooks/{webhookId}/pings',
    success: [204, 202, 200],
  },
  'webhook.eventTypes': {
    ...row,
    summary: {
      en: 'List the events that a webhook can subscribe to',
      pt: 'Lista os eventos que um webhook pode assinar',
    },
    method: 'GET',
    path: '/v2/webhooks/eventtypes',
  },
} as const satisfies Record<string, Operation>;

export interface WebhookBodies {
  'webhook.list': { request: undefined; response: WebhookList };
  'webhook.create': { request: WebhookEnvelope<WebhookInput>; response: WebhookEnvelope<Webhook> };
  'webhook.get': { request: undefined; response: WebhookEnvelope<Webhook> };
  'webhook.update': { request: WebhookEnvelope<WebhookInput>; response: WebhookEnvelope<Webhook> | undefined };
  'webhook.delete': { request: undefined; response: undefined };
  'webhook.ping': { request: undefined; response: undefined };
  'webhook.eventTypes': { request: undefined; response: WebhookEventTypes };
}
