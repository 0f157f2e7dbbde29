import { isProtected } from '../../domain/loopback.js';
import type { CallOptions, Client } from '../../client/client.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import type { Webhook, WebhookInput } from '../../contract/webhook.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Change, JsonObject } from '../../domain/field-changes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { textField } from '../kinds/answer-fields.js';
import type { Plan, Resource, Write } from './resource.js';

/** By its id, or by its address: the webhooks that stood before a new one are not it. */
type WebhookPlace = { readonly id: string } | { readonly uri: string; readonly besides?: ReadonlySet<string> };

/**
 * A webhook of the account. An update replaces the whole, and no read shows the secret: it goes with every write, and where it is not
 * known the service may drop it. `secret`: undefined where this machine knows none.
 */
export function webhookResource(place: WebhookPlace, secret: () => Promise<string | undefined>): Resource {
  const word = 'id' in place ? place.id : place.uri;
  return {
    name: { en: `the webhook ${word}`, pt: `o webhook ${word}` },
    see: 'id' in place ? fiscalLine({ command: 'webhook get', positionals: [place.id] }) : 'fiscal webhook list',
    replay: 'natural',
    async read(client, options) {
      if ('id' in place) return await readWebhook(client, place.id, options);
      const { uri, besides } = place;
      const rows = await listWebhooks(client, options);
      const row = rows.find((each) => sameAddress(each.uri, uri) && besides?.has(each.id) !== true);
      return row && (await readWebhook(client, row.id, options));
    },
    sendable: (standing) =>
      Object.fromEntries(Object.entries(standing).filter(([name, value]) => value !== null && !ofTheService.has(name))),
    inItsWords: (written, standing) =>
      standing === undefined
        ? { contentType: 'json', status: 'Active', ...written }
        : {
            ...written,
            ...(sameAddress(written['uri'], String(standing['uri'])) ? { uri: standing['uri'] } : {}),
            ...wholeOf('headers', written, standing),
            ...wholeOf('properties', written, standing),
          },
    comparable: ({ uri, ...fields }) => ({
      ...{ filters: [], headers: {}, insecureSsl: false, properties: {} },
      ...fields,
      ...(typeof uri === 'string' ? { uri: withPlainHost(uri) } : {}),
    }),
    refusal: ({ standing, merged }) =>
      merged['status'] === undefined ? statusNotShown(textField(standing, 'id') ?? word) : undefined,
    request: async (plan) => requestOf(plan, await secret()),
    answered: (body) => webhookIn(fieldOf(body, 'webHook')),
    isSecret: (field) => /^(?:headers|secret)\b/.test(field),
    masked: ({ field, from, to }: Change) =>
      field.startsWith('headers') ? { field, from: from && '***', to: to && '***' } : { field, from, to },
    idOf: (standing) => textField(standing, 'id'),
  };
}

const LONGEST_URI = 2_048;

/** https, or http on this machine; no user and no password, which the list would show. */
export function isWebhookAddress(text: string): boolean {
  if (text.length > LONGEST_URI || !URL.canParse(text)) return false;
  const url = new URL(text);
  return isProtected(url) && url.username === '' && url.password === '';
}

/** The name of a host is the same in any letter case, and an empty path is `/`; the rest of an address counts as written. */
export function sameAddress(one: unknown, other: string): boolean {
  return typeof one === 'string' && withPlainHost(one) === withPlainHost(other);
}

function withPlainHost(uri: string): string {
  const plain = uri.replace(/^[a-z]+:\/\/[^/?#]+/i, (origin) => origin.toLowerCase());
  return /^[a-z]+:\/\/[^/?#]+$/.test(plain) ? `${plain}/` : plain;
}

/** What only the service sets, and the secret, which it never shows. */
const ofTheService: ReadonlySet<string> = new Set(['id', 'createdOn', 'modifiedOn', 'secret']);

/** The receiver's headers, and the owner's properties, are one value each: what is not written again goes. */
function wholeOf(name: 'headers' | 'properties', written: JsonObject, standing: JsonObject): JsonObject {
  const [value, before] = [written[name], standing[name]];
  if (!isRecord(value) || !isRecord(before)) return {};
  const gone = Object.keys(before).filter((each) => !Object.hasOwn(value, each));
  return { [name]: { ...value, ...Object.fromEntries(gone.map((each) => [each, null])) } };
}

function requestOf({ standing, merged }: Plan, secret: string | undefined): Write {
  const webHook: WebhookInput = { ...merged, uri: String(merged['uri']), ...(secret === undefined ? {} : { secret }) };
  const webhookId = textField(standing, 'id');
  return webhookId === undefined
    ? { operation: 'webhook.create', input: { path: {}, body: { webHook } } }
    : { operation: 'webhook.update', input: { path: { webhookId }, body: { webHook } } };
}

/** Published: a webhook that is replaced without a status is turned off. */
function statusNotShown(id: string): FiscalError {
  const message = {
    en: `the service does not show whether the webhook ${id} is active, and an update without a status turns it off: add --status active or --status inactive`,
    pt: `o serviço não mostra se o webhook ${id} está ativo, e uma alteração sem status o desativa: acrescente --status active ou --status inactive`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** All webhooks of the account, without a secret that a deployment may show. Errors: `service.unreadable`, those of a call. */
export async function listWebhooks(client: Client, options: CallOptions): Promise<readonly Webhook[]> {
  const { body } = await client.call('webhook.list', { path: {} }, options);
  const rows = fieldOf(body, 'webHooks');
  if (!Array.isArray(rows)) throw unreadable('webhook.list', noList);
  return rows.map((row) => shownWebhook(row, 'webhook.list'));
}

/** One webhook. Errors: `service.not_found`, with the command that lists them; `service.unreadable`; those of a call. */
export async function readWebhook(client: Client, webhookId: string, options: CallOptions): Promise<Webhook> {
  const { body } = await hintWhenAbsent(webhooksHint, () =>
    client.call('webhook.get', { path: { webhookId } }, options),
  );
  return shownWebhook(fieldOf(body, 'webHook'), 'webhook.get');
}

export const webhooksHint: Text = {
  en: 'the webhooks of the account: fiscal webhook list',
  pt: 'os webhooks da conta: fiscal webhook list',
};

function shownWebhook(row: unknown, operation: OperationId): Webhook {
  const webhook = webhookIn(row);
  if (webhook === undefined) throw unreadable(operation, noWebhook);
  return webhook;
}

/** Only what the program relies on is checked; the secret is dropped. */
function webhookIn(row: unknown): Webhook | undefined {
  const [id, uri] = [fieldOf(row, 'id'), fieldOf(row, 'uri')];
  if (typeof id !== 'string' || typeof uri !== 'string') return undefined;
  const shown = Object.entries(row ?? {}).filter(([name]) => name !== 'secret');
  return { ...Object.fromEntries(shown), id, uri };
}

function unreadable(operation: OperationId, reason: Text): FiscalError {
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
}

const noList: Text = { en: 'it has no list webHooks', pt: 'ela não tem a lista webHooks' };

const noWebhook: Text = { en: 'it is not a webhook with an id and a uri', pt: 'ela não é um webhook com id e uri' };
