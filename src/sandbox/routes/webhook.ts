import type { OperationId } from '../../contract/operations.js';
import type { Webhook } from '../../contract/webhook.js';
import type { Core } from '../core/core.js';
import type { StoredWebhook } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { deliverTo, updateWebhookStatus } from '../webhook/announce.js';
import type { Reached } from '../webhook/sender.js';
import { eventTypes, readWebhook } from '../webhook/webhooks.js';

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
  return {
    status: 201,
    body: { webHook: shown(webhook) },
    effect: { created: 'webhook', id: webhook.id },
  };
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
