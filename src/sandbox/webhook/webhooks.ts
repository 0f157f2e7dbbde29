import type { OperationId } from '../../contract/operations.js';
import type { Webhook } from '../../contract/webhook.js';
import { type Check, flag, object, oneOf, readBody } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import type { Fields, StoredWebhook } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { deliverTo, eventTypes, matches, updateWebhookStatus } from './announce.js';
import type { Reached } from './sender.js';

/** Administration of webhooks: §4 names it; paths and bodies are public. */
export const webhookHandlers: HandlersOf<Extract<OperationId, `webhook.${string}`>> = {
  'webhook.list': list,
  'webhook.create': create,
  'webhook.get': (core, call) => ({ status: 200, body: { webHook: shown(find(core, call)) } }),
  'webhook.update': update,
  'webhook.delete': remove,
  'webhook.ping': ping,
  'webhook.eventTypes': () => ({ status: 200, body: { eventTypes } }),
};

const most = 100;

function list(core: Core, call: Call<'webhook.list'>): Reply {
  return { status: 200, body: { webHooks: core.webhooks.of(call.caller.tenantId).map(shown) } };
}

/** Two webhooks may have the same address (assumed). */
function create(core: Core, call: Call<'webhook.create'>): Reply {
  const { tenantId } = call.caller;
  const given = readWebhook(call.body, 'Active');
  if (core.webhooks.of(tenantId).length >= most) {
    throw new Refusal('conflict', `An account can have at most ${most} webhooks.`);
  }
  requireReached(call.prepared.reached);
  const at = core.clock.now();
  const webhook: StoredWebhook = {
    secret: null,
    ...given,
    id: core.chance.uuid(),
    tenantId,
    createdOn: at,
    modifiedOn: at,
  };
  core.webhooks.put(webhook);
  return { status: 201, body: { webHook: shown(webhook) }, effect: { created: 'webhook', id: webhook.id } };
}

/** The address must answer 2xx to a ping (public). */
function requireReached(reached: Reached | undefined): void {
  if (reached === undefined) throw invalid('webHook.uri', 'Must answer 2xx to a ping: it was not called.');
  const { status } = reached;
  if (status !== null && status >= 200 && status < 300) return;
  const answered = status === null ? reached.error : `it answered ${status}.`;
  throw invalid('webHook.uri', `Must answer 2xx to a ping: ${answered}`);
}

/**
 * Replaces the whole webhook: without a status it becomes inactive (public). Without a secret the old one stays, because
 * reads do not show it (assumed).
 */
function update(core: Core, call: Call<'webhook.update'>): Reply {
  const { id, tenantId, secret, createdOn } = find(core, call);
  const webhook: StoredWebhook = {
    secret,
    ...readWebhook(call.body, 'Inactive'),
    id,
    tenantId,
    createdOn,
    modifiedOn: core.clock.now(),
  };
  core.webhooks.put(webhook);
  return { status: 200, body: { webHook: shown(webhook) }, effect: { updated: 'webhook', id } };
}

function remove(core: Core, call: Call<'webhook.delete'>): Reply {
  const { id } = find(core, call);
  core.webhooks.remove(id, core.clock.now());
  for (const documentId of core.deliveries.drop(id)) updateWebhookStatus(core, documentId);
  return { status: 204, effect: { deleted: 'webhook', id } };
}

/** Sends one delivery, regardless of filters and status. */
function ping(core: Core, call: Call<'webhook.ping'>): Reply {
  const { id, tenantId, uri, filters } = find(core, call);
  const target = { webhookId: id, uri };
  const payload = { id, uri, filters };
  deliverTo(core, target, { tenantId, event: 'ping', resource: id, payload, at: core.clock.now() });
  return { status: 204, effect: { pinged: 'webhook', id } };
}

type Named = Call<'webhook.get' | 'webhook.update' | 'webhook.delete' | 'webhook.ping'>;

function find(core: Core, call: Named): StoredWebhook {
  const webhook = core.webhooks.find(call.caller.tenantId, call.path.webhookId);
  if (webhook !== undefined) return webhook;
  throw new Refusal('not_found', 'There is no webhook with this id.');
}

function shown(webhook: StoredWebhook): Webhook {
  const { id, uri, status, filters, headers, insecureSsl, properties, createdOn, modifiedOn } = webhook;
  return {
    id,
    uri,
    contentType: 'json',
    status,
    filters,
    headers,
    insecureSsl,
    properties,
    createdOn: new Date(createdOn).toISOString(),
    modifiedOn: new Date(modifiedOn).toISOString(),
  };
}

/** The fields of a request; without `secret` the webhook keeps its own. */
type GivenWebhook = Omit<StoredWebhook, 'id' | 'tenantId' | 'secret' | 'status' | 'createdOn' | 'modifiedOn'> & {
  readonly secret?: string;
  readonly status: 'Active' | 'Inactive';
};

const statuses = ['Active', 'Inactive'] as const;
const mostFilters = 100;
const mostHeaders = 20;
const longestUri = 2_048;
/** RFC 9110: a token, and the characters of a value. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e]{0,1000}$/;
const ownHeaders = /^(x-hub-.*|x-hook-.*|webhook-.*|host|content-.*|connection|transfer-encoding|expect|upgrade)$/i;

const uri: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.length > longestUri || !URL.canParse(value)) {
    return void report.push({ field: path, message: `Must be an address of at most ${longestUri} characters.` });
  }
  const { protocol, username, password } = new URL(value);
  if (!/^https?:$/.test(protocol)) report.push({ field: path, message: 'Must begin with http or https.' });
  if (username !== '' || password !== '') {
    report.push({ field: path, message: 'Must not contain a user name or password.' });
  }
};

const secret: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.length < 32 || value.length > 64) {
    report.push({ field: path, message: 'Must have 32 to 64 characters.' });
  }
};

const filters: Check = (value, path, report) => {
  if (!Array.isArray(value) || value.length > mostFilters) {
    return void report.push({ field: path, message: `Must be a list of at most ${mostFilters} names.` });
  }
  for (const [index, filter] of value.entries()) {
    const names = typeof filter === 'string' && filter.length <= 100;
    if (names && eventTypes.some(({ id }) => matches(filter, id))) continue;
    report.push({ field: `${path}[${index}]`, message: 'Matches no event: see GET /v2/webhooks/eventtypes.' });
  }
};

const headers: Check = (value, path, report) => {
  if (!isRecord(value) || Object.keys(value).length > mostHeaders) {
    return void report.push({ field: path, message: `Must be an object of at most ${mostHeaders} headers.` });
  }
  for (const [name, each] of Object.entries(value)) {
    const field = `${path}.${name}`;
    if (!headerName.test(name)) report.push({ field: path, message: 'Contains an invalid header name.' });
    else if (ownHeaders.test(name)) report.push({ field, message: 'Is set by the service.' });
    else if (typeof each !== 'string' || !headerValue.test(each)) {
      report.push({ field, message: 'Must be a valid header value.' });
    }
  }
};

const check = object({
  required: {
    webHook: object({
      required: { uri },
      optional: {
        secret,
        contentType: oneOf(['json']),
        status: oneOf(statuses),
        filters,
        headers,
        insecureSsl: flag,
        properties: object({}),
      },
    }),
  },
});

/**
 * Checks the wrapped body of create and update (public). `otherwise` is the status of a body without one. Throws a 400
 * with all problems.
 */
export function readWebhook(body: unknown, otherwise: GivenWebhook['status']): GivenWebhook {
  if (!isRecord(body) || !isRecord(body['webHook'])) {
    throw invalid('webHook', 'Is required: the body is {"webHook": {…}}.');
  }
  readBody(body, check, 'webhook');
  return given(body['webHook'], otherwise);
}

function given(fields: Fields, otherwise: GivenWebhook['status']): GivenWebhook {
  const { uri: address, secret: key, filters: names, headers: extra, properties } = fields;
  return {
    uri: String(address),
    ...(typeof key === 'string' ? { secret: key } : {}),
    status: statuses.find((status) => status === fields['status']) ?? otherwise,
    filters: Array.isArray(names) ? names.map(String) : [],
    headers: isRecord(extra) ? textsOf(extra) : {},
    insecureSsl: fields['insecureSsl'] === true,
    properties: isRecord(properties) ? properties : {},
  };
}

function textsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
