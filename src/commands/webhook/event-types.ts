import { rowsOf } from '../../client/read-answer.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';

/** The events that a filter can name, as the service lists them. */
export async function listEventTypes(context: Context): Promise<Outcome> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const { body } = await client.call('webhook.eventTypes', { path: {} }, how);
  return { data: rowsOf('webhook.eventTypes', body) };
}
