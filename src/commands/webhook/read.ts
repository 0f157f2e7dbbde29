import type { Given } from '../../cli/command.js';
import type { get, ping } from './commands.js';
import { rowsOf } from '../../client/read-answer.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { sentenceOf } from '../../domain/sentence.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { listWebhooks, readWebhook, webhooksHint } from '../../jobs/resources/webhook.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';

/** An id goes into a path and into the name of a stored secret. */
export function assertWebhookId(id: string): void {
  if (/^[\w.:-]{1,100}$/.test(id) && !/^\.+$/.test(id)) return;
  const expected = {
    en: 'the id of a webhook is expected: fiscal webhook list',
    pt: 'espera-se o id de um webhook: fiscal webhook list',
  };
  throw invalidValue('id', id, expected);
}

/** The webhooks of the account; none of them shows its secret. */
export async function showWebhooks(context: Context): Promise<Outcome> {
  return { data: await listWebhooks(await context.client(), { signal: context.interruption }) };
}

/** One webhook as the service shows it, without its secret. */
export async function getWebhook(context: Context, { id }: Given<typeof get>): Promise<Outcome> {
  assertWebhookId(id);
  return { data: await readWebhook(await context.client(), id, { signal: context.interruption }) };
}

/** The events that a filter can name, as the service lists them. */
export async function listEventTypes(context: Context): Promise<Outcome> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const { body } = await client.call('webhook.eventTypes', { path: {} }, how);
  return {
    data: rowsOf('webhook.eventTypes', body).map((row) => (isRecord(row) ? { type: 'event-type', ...row } : row)),
  };
}

/** Asks the service for a test delivery. Errors: `service.not_found`, those of a call. */
export async function pingWebhook(context: Context, { id }: Given<typeof ping>): Promise<Outcome> {
  assertWebhookId(id);
  const input = { path: { webhookId: id } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'webhook.ping', input) };
  const client = await context.client();
  const { status } = await hintWhenAbsent(webhooksHint, () =>
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
