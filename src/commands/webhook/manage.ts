import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { forgetSecrets } from './keep-secret.js';
import { assertWebhookId, readWebhook, withWebhooksHint } from './read-webhook.js';
import { sentenceOf } from '../../domain/sentence.js';

/** Deletes a webhook after consent, and the secrets that this machine kept for it. Errors: `service.not_found`. */
export async function deleteWebhook(context: Context, id: string): Promise<Outcome> {
  const input = { path: { webhookId: id } };
  const { uri } = await readWebhook(context, id);
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'webhook.delete', input) };
  await context.consent({
    what: {
      en: `delete the webhook ${id} of the account (profile ${storeNamespace}): ${uri} receives no more events of any company`,
      pt: `excluir o webhook ${id} da conta (perfil ${storeNamespace}): ${uri} deixa de receber eventos de todas as empresas`,
    },
  });
  const client = await context.client();
  await client.call('webhook.delete', input, { signal: context.interruption });
  await forgetSecrets(context, id);
  const deleted = { en: `webhook ${id} deleted`, pt: `webhook ${id} excluído` };
  return { data: { id, deleted: true }, sentence: sentenceOf('good', deleted) };
}

/** Asks the service for a test delivery. Errors: `service.not_found`, those of a call. */
export async function pingWebhook(context: Context, id: string): Promise<Outcome> {
  assertWebhookId(id);
  const input = { path: { webhookId: id } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'webhook.ping', input) };
  const client = await context.client();
  const { status } = await withWebhooksHint(context, () =>
    client.call('webhook.ping', input, { signal: context.interruption }),
  );
  const accepted = {
    en: `test delivery of webhook ${id} accepted, not delivered yet`,
    pt: `entrega de teste do webhook ${id} aceita, ainda não entregue`,
  };
  return { data: { id, accepted: status }, sentence: sentenceOf('open', accepted), notices: [goesOut] };
}

const goesOut = {
  en: 'accepted; the service sends the test delivery in the background (a listener stores it: fiscal webhook events)',
  pt: 'aceito; o serviço envia a entrega de teste em segundo plano (um receptor a guarda: fiscal webhook events)',
};
