import { rowsOf } from '../../client/read-answer.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import type { Webhook } from '../../contract/webhook.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { hintWhenAbsent } from '../../services/calls/one-call.js';

type Caller = Pick<Context, 'client' | 'interruption' | 'settings'>;

/** All webhooks of the account, without a secret that a deployment may show. Errors: `service.unreadable`, those of a call. */
export async function readWebhooks(context: Caller): Promise<readonly Webhook[]> {
  const client = await context.client();
  const { body } = await client.call('webhook.list', { path: {} }, { signal: context.interruption });
  const rows: unknown = fieldOf(body, 'webHooks');
  if (!Array.isArray(rows)) throw unreadable('webhook.list', noList);
  return rows.map((row) => readShown(row, 'webhook.list'));
}

/** One webhook. Errors: `usage.invalid_value`, `service.not_found`, `service.unreadable`, those of a call. */
export async function readWebhook(context: Caller, id: string): Promise<Webhook> {
  assertWebhookId(id);
  const client = await context.client();
  const path = { webhookId: id };
  const { body } = await withWebhooksHint(context, () =>
    client.call('webhook.get', { path }, { signal: context.interruption }),
  );
  return readEnvelope(body, 'webhook.get');
}

/** Does a call about one webhook; a 404 names the command that lists those of the account. */
export async function withWebhooksHint<Result>(
  context: Pick<Context, 'settings'>,
  call: () => Promise<Result>,
): Promise<Result> {
  return await hintWhenAbsent(async () => {
    const { profile } = await context.settings();
    const line = fiscalLine({ command: 'webhook list', profile });
    return { en: `the webhooks of the account: ${line}`, pt: `os webhooks da conta: ${line}` };
  }, call);
}

/** `{webHook: {…}}`, the answer of create, get and update. */
export function readEnvelope(body: unknown, operation: OperationId): Webhook {
  return readShown(fieldOf(body, 'webHook'), operation);
}

/** An id goes into a path and into the name of a stored secret. */
export function assertWebhookId(id: string): void {
  if (/^[\w.:-]{1,100}$/.test(id) && !/^\.+$/.test(id)) return;
  const expected = {
    en: 'the id of a webhook is expected: fiscal webhook list',
    pt: 'espera-se o id de um webhook: fiscal webhook list',
  };
  throw invalidValue('id', id, expected);
}

/** Only what the program relies on is checked; the secret is dropped. */
function readShown(row: unknown, operation: OperationId): Webhook {
  const id = fieldOf(row, 'id');
  const uri = fieldOf(row, 'uri');
  if (typeof id !== 'string' || typeof uri !== 'string') throw unreadable(operation, noWebhook);
  const shown = Object.entries(row ?? {}).filter(([name]) => name !== 'secret');
  return { ...Object.fromEntries(shown), id, uri };
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function unreadable(operation: OperationId, reason: Text): FiscalError {
  return new FiscalError(
    'service.unreadable',
    { operation, status: 200, reason },
    { operation, httpStatus: 200, sent: 'yes', retryable: false },
  );
}

const noList: Text = { en: 'it has no list webHooks', pt: 'ela não tem a lista webHooks' };

const noWebhook: Text = {
  en: 'it is not a webhook with an id and a uri',
  pt: 'ela não é um webhook com id e uri',
};

/** The webhooks of the account; none of them shows its secret. */
export async function listWebhooks(context: Context): Promise<Outcome> {
  return { data: await readWebhooks(context) };
}

/** One webhook as the service shows it, without its secret. */
export async function getWebhook(context: Context, id: string): Promise<Outcome> {
  return { data: await readWebhook(context, id) };
}

/** The events that a filter can name, as the service lists them. */
export async function listEventTypes(context: Context): Promise<Outcome> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const { body } = await client.call('webhook.eventTypes', { path: {} }, how);
  return { data: rowsOf('webhook.eventTypes', body) };
}
