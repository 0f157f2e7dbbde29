import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { readWebhooks } from './read-webhook.js';

/** The webhooks of the account; none of them shows its secret. */
export async function listWebhooks(context: Context): Promise<Outcome> {
  return { data: await readWebhooks(context) };
}
