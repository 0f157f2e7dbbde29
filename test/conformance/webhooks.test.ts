import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { nfePath, nfsePath, webhookAgainPath, nfeSettingsPath } from '../facts/inbound.js';
import {
  eventTypesPath,
  pingsPath,
  retryPauses,
  webhookPath,
  webhookSecret,
  webhooksPath,
  webhookStatuses,
} from '../facts/webhook.js';
import { openReceiver, type Receiver } from '../support/webhook-receiver.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;

const create = (webHook: unknown) => service.send('POST', webhooksPath, { body: { webHook } });

/** A webhook for a new receiver, whose ping is forgotten. */
async function subscribed(more: Readonly<Record<string, unknown>> = {}) {
  const receiver = await openReceiver();
  const { json } = await create({ uri: receiver.url, secret: webhookSecret, ...more });
  receiver.received.length = 0;
  return { receiver, id: String(json.webHook.id) };
}

/** The clock stands, so that only `advance` makes a delivery due again. */
const freeze = () => service.control('POST', 'clock', { freeze: true });
const advance = (advance: string) => service.control('POST', 'clock', { advance });

async function captured(family: string): Promise<string> {
  return (await service.control('POST', 'documents', { family })).accessKey;
}

const statusOf = async (path: string): Promise<string> => (await service.send('GET', path)).json.webhookStatus;

function refusing(receiver: Receiver, status: number): void {
  receiver.answer = (_received, response) => void response.writeHead(status).end();
}

/** Until it is released, no answer comes. */
function holding(receiver: Receiver): () => void {
  const held: (() => void)[] = [];
  const usual = receiver.answer;
  receiver.answer = (one, response) => void held.push(() => usual(one, response));
  return () => {
    receiver.answer = usual;
    for (const answer of held) answer();
  };
}

afterEach(() => service.control('POST', 'reset'));

describe('webhooks of the account (public)', () => {
  it('are created in a wrapper and never show their secret', async () => {
    const receiver = await openReceiver();
    const given = {
      uri: receiver.url,
      secret: webhookSecret,
      contentType: 'json',
      status: 'Active',
      filters: ['product.*', 'service_invoice_inbound.received'],
      headers: { 'X-Mine': '1' },
      insecureSsl: false,
      properties: { team: 'fiscal' },
    };
    const { status, json, text } = await create(given);
    const { secret: _secret, ...shown } = given;
    const { id, createdOn } = json.webHook;
    expect([status, json]).toEqual([201, { webHook: { id, ...shown, createdOn, modifiedOn: createdOn } }]);
    expect(text).not.toContain(webhookSecret);
    const read = await service.send('GET', webhookPath(id));
    expect([read.status, read.json]).toEqual([200, json]);
    const list = await service.send('GET', webhooksPath);
    expect([list.status, list.json]).toEqual([200, { webHooks: [json.webHook] }]);
  });

  it('call their address on creation, signed over the raw body, with their own headers', async () => {
    const receiver = await openReceiver(204);
    await create({ uri: receiver.url, secret: webhookSecret, headers: { 'X-Mine': '1' } });
    const [ping] = await receiver.arrived(1);
    const digest = createHmac('sha1', webhookSecret)
      .update(ping?.raw ?? '')
      .digest('hex');
    expect([receiver.received.length, ping?.method, ping?.path, ping?.json.action]).toEqual([
      1,
      'POST',
      '/hook',
      'ping',
    ]);
    expect(ping?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-hub-signature': `sha1=${digest}`,
      'x-hook-event': 'ping',
      'x-hook-attempts': '1',
      'x-mine': '1',
    });
  });

  it('are not created if their address does not answer 2xx or is on another machine', async () => {
    const refuser = await openReceiver(302);
    const answers = [
      await create({ uri: refuser.url }),
      await create({ uri: 'http://127.0.0.1:1/' }),
      await create({ uri: 'https://example.com/hook' }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.details[0].field])).toEqual([
      [400, 'webHook.uri'],
      [400, 'webHook.uri'],
      [400, 'webHook.uri'],
    ]);
    expect((await service.send('GET', webhooksPath)).json).toEqual({ webHooks: [] });
  });

  it('make no call for a refused request', async () => {
    const receiver = await openReceiver();
    const answers = [
      await service.send('POST', webhooksPath, { key: null, body: { webHook: { uri: receiver.url } } }),
      await service.send('POST', webhooksPath, { raw: '{' }),
      await create({ uri: receiver.url, secret: 'short' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 400]);
    expect(receiver.received).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['webHook', 'x'],
    ['webHook.uri', {}],
    ['webHook.uri', { uri: 'ftp://127.0.0.1/' }],
    ['webHook.uri', { uri: 'http://user:word@127.0.0.1/' }],
    ['webHook.secret', { uri: 'http://127.0.0.1/', secret: 'a'.repeat(65) }],
    ['webHook.contentType', { uri: 'http://127.0.0.1/', contentType: 'form' }],
    ['webHook.status', { uri: 'http://127.0.0.1/', status: 'Gone' }],
    ['webHook.filters[1]', { uri: 'http://127.0.0.1/', filters: ['*', 'no.such_event'] }],
    ['webHook.headers.X-Hub-Signature', { uri: 'http://127.0.0.1/', headers: { 'X-Hub-Signature': 'a' } }],
    ['webHook.headers.X-A', { uri: 'http://127.0.0.1/', headers: { 'X-A': 'a\r\nB: c' } }],
  ])('answer 400 that names %s', async (field, webHook) => {
    const { status, json } = await create(webHook);
    expect([status, json.error.code, json.error.details[0].field]).toEqual([400, 'validation_error', field]);
  });

  it('are replaced as a whole, but keep a secret that is not sent again', async () => {
    const { id, receiver } = await subscribed({ headers: { 'X-Mine': '1' }, filters: ['product.*'] });
    const { status, json } = await service.send('PUT', webhookPath(id), {
      body: { webHook: { uri: receiver.url, status: 'Active' } },
    });
    expect([status, json.webHook.headers, json.webHook.filters]).toEqual([200, {}, []]);
    await service.control('POST', 'deliveries', { event: 'product.active' });
    expect(receiver.received.map(({ headers }) => 'x-hub-signature' in headers)).toEqual([true]);
  });

  it('are turned off by a replacement without a status (public)', async () => {
    const { id, receiver } = await subscribed();
    const { json } = await service.send('PUT', webhookPath(id), { body: { webHook: { uri: receiver.url } } });
    expect(json.webHook.status).toBe('Inactive');
    await service.control('POST', 'deliveries', { event: 'product.active' });
    expect(receiver.received).toEqual([]);
  });

  it('no longer exist after a delete', async () => {
    const { id } = await subscribed();
    const answers = [
      await service.send('DELETE', webhookPath(id)),
      await service.send('DELETE', webhookPath(id)),
      await service.send('GET', webhookPath(id)),
      await service.send('PUT', pingsPath(id)),
    ];
    expect(answers.map(({ status, text }) => [status, text === ''])).toEqual([
      [204, true],
      [404, false],
      [404, false],
      [404, false],
    ]);
  });

  it('send a ping on PUT, as published, and only on PUT', async () => {
    const { id, receiver } = await subscribed({ filters: ['product.*'] });
    const pinged = await service.send('PUT', `/v2/webhooks/${id}/pings`);
    expect([pinged.status, pinged.text]).toEqual([204, '']);
    const posted = await service.send('POST', `/v2/webhooks/${id}/pings`);
    expect([posted.status, posted.json.error.code]).toEqual([404, 'not_found']);
    expect(posted.json.error.message).toContain('PUT');
    const [ping, ...others] = await receiver.arrived(1);
    expect([others, ping?.headers['x-hook-event'], ping?.json]).toEqual([
      [],
      'ping',
      { action: 'ping', payload: { id, uri: receiver.url, filters: ['product.*'] } },
    ]);
  });

  it.each(['eventtypes', 'eventTypes', 'EVENTTYPES'])(
    'list their events at %s (seen live: case does not count)',
    async (name) => {
      const { status, json } = await service.send('GET', `/v2/webhooks/${name}`);
      const ids = json.eventTypes.map(({ id }: { id: string }) => id);
      expect([status, ids.includes('product.active')]).toEqual([200, true]);
    },
  );

  it('can subscribe to the events that the service lists', async () => {
    const { status, json } = await service.send('GET', eventTypesPath);
    const ids = json.eventTypes.map(({ id }: { id: string }) => id);
    expect([status, ids.includes('product.active'), ids.includes('ping')]).toEqual([200, true, false]);
    const receiver = await openReceiver();
    expect((await create({ uri: receiver.url, filters: ids })).status).toBe(201);
  });
});

describe('deliveries', () => {
  it('contain a product that became active', async () => {
    const { receiver } = await subscribed({ filters: ['product.*'] });
    await freeze();
    const path = `/${service.ready().tenantId}/products`;
    const { json } = await service.send('POST', path, { body: { sku: 'A-1' } });
    await advance('1m');
    const [first, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(first?.json).toEqual({
      action: 'product.active',
      payload: { id: json.id, tenantId: service.ready().tenantId, sku: 'A-1', status: 'Active' },
    });
    expect(first?.headers['x-hook-event']).toBe('product.active');
  });

  it.each([
    ['nfe', 'product_invoice_inbound.received', nfePath],
    ['nfse', 'service_invoice_inbound.received', nfsePath],
  ])('contain a captured %s, whose webhookStatus becomes Delivered (§2)', async (family, event, pathOf) => {
    const { receiver } = await subscribed();
    const release = holding(receiver);
    const key = await captured(family);
    expect(await statusOf(pathOf(companyId(), key))).toBe(webhookStatuses.waiting);
    release();
    await advance('1s');
    expect(receiver.received.map(({ json }) => [json.action, json.payload.accessKey])).toEqual([[event, key]]);
    expect(await statusOf(pathOf(companyId(), key))).toBe(webhookStatuses.taken);
  });

  it('are skipped if no webhook subscribes to them (§2)', async () => {
    const { receiver } = await subscribed({ filters: ['product.*'] });
    const key = await captured('nfe');
    expect(await statusOf(nfePath(companyId(), key))).toBe(webhookStatuses.nobody);
    await service.control('POST', 'deliveries', { event: 'product.error' });
    expect(receiver.received.map(({ json }) => json.action)).toEqual(['product.error']);
  });

  it('of an NF-e are limited to the events that the company requested (§6)', async () => {
    await subscribed();
    const ask = (webhookEvents: readonly string[]) =>
      service.send('PUT', nfeSettingsPath(companyId()), { body: { webhookEvents } });
    await ask(['product_invoice_inbound.cancelled']);
    expect(await statusOf(nfePath(companyId(), await captured('nfe')))).toBe(webhookStatuses.nobody);
    await ask(['product_invoice_inbound.*']);
    expect(await statusOf(nfePath(companyId(), await captured('nfe')))).not.toBe(webhookStatuses.nobody);
  });

  it('are retried with growing pauses, then given up (assumed)', async () => {
    const { receiver } = await subscribed();
    refusing(receiver, 500);
    await freeze();
    const key = await captured('nfe');
    const seen: [number, string][] = [];
    const look = async () => seen.push([receiver.received.length, await statusOf(nfePath(companyId(), key))]);
    await advance('1ms');
    await look();
    for (const pause of retryPauses) {
      await advance(pause);
      await look();
    }
    await advance('30d');
    await look();
    expect(seen).toEqual([
      [1, webhookStatuses.again],
      [2, webhookStatuses.again],
      [3, webhookStatuses.again],
      [4, webhookStatuses.again],
      [5, webhookStatuses.again],
      [6, webhookStatuses.givenUp],
      [6, webhookStatuses.givenUp],
    ]);
    expect(receiver.received.map(({ headers }) => headers['x-hook-attempts'])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-hook-id'])).size).toBe(1);
  });

  it('are sent again on request, with a new id', async () => {
    const { receiver } = await subscribed();
    await freeze();
    const key = await captured('nfe');
    await advance('1s');
    const release = holding(receiver);
    expect((await service.send('POST', webhookAgainPath(companyId(), key))).status).toBe(200);
    expect(await statusOf(nfePath(companyId(), key))).toBe(webhookStatuses.waiting);
    release();
    await advance('1s');
    expect(await statusOf(nfePath(companyId(), key))).toBe(webhookStatuses.taken);
    expect(receiver.received.map(({ json }) => json.payload.accessKey)).toEqual([key, key]);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-hook-id'])).size).toBe(2);
  });
});
