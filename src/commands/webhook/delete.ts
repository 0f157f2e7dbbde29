import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { forgetSecrets } from './keep-secret.js';
import { readWebhook } from './read-webhook.js';

/** Deletes a webhook after consent, and the secrets that this machine kept for it. Errors: `service.not_found`. */
export async function deleteWebhook(context: Context, id: string): Promise<Outcome> {
  const input = { path: { webhookId: id } };
  const { uri } = await readWebhook(context, id);
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'webhook.delete', input) };
  await context.consent({
    what: {
      en: `delete the webhook ${id}: ${uri} gets no more events`,
      pt: `excluir o webhook ${id}: ${uri} não recebe mais eventos`,
    },
  });
  const client = await context.client();
  await client.call('webhook.delete', input, { signal: context.interruption });
  await forgetSecrets(context, id);
  return { data: { id, deleted: true } };
}
