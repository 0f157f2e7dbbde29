import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { readWebhook } from './read-webhook.js';

/** One webhook as the service shows it, without its secret. */
export async function getWebhook(context: Context, id: string): Promise<Outcome> {
  return { data: await readWebhook(context, id) };
}
