import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { assertWebhookId, withWebhooksHint } from './read-webhook.js';

/** Has the service send a test delivery. Errors: `service.not_found`, those of a call. */
export async function pingWebhook(context: Context, id: string): Promise<Outcome> {
  assertWebhookId(id);
  const input = { path: { webhookId: id } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'webhook.ping', input) };
  const client = await context.client();
  const { status } = await withWebhooksHint(context, () =>
    client.call('webhook.ping', input, { signal: context.interruption }),
  );
  return { data: { id, accepted: status }, notices: [goesOut] };
}

const goesOut = {
  en: 'accepted; the service sends the test delivery by itself (a listener stores it: fiscal webhook events)',
  pt: 'aceito; o serviço envia a entrega de teste sozinho (um receptor a guarda: fiscal webhook events)',
};
