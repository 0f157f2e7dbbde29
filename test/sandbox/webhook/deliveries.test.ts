import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { webhookSecret, webhooksPath } from '../../facts/webhook.js';
import { sendTo, testService } from '../../conformance/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openReceiver, type Received } from '../../support/webhook-receiver.js';

const service = testService();

async function subscribed(more: Readonly<Record<string, unknown>> = {}) {
  const receiver = await openReceiver();
  const webHook = { uri: receiver.url, secret: webhookSecret, ...more };
  const { json } = await service.send('POST', webhooksPath, { body: { webHook } });
  receiver.received.length = 0;
  return { receiver, id: String(json.webHook.id) };
}

const deliver = (more: Readonly<Record<string, unknown>> = {}) =>
  service.control('POST', 'deliveries', { event: 'product.active', ...more });
const fault = (rule: object) => service.control('POST', 'faults', rule);

function isSigned({ headers, raw }: Received): boolean {
  return headers['x-hub-signature'] === `sha1=${createHmac('sha1', webhookSecret).update(raw).digest('hex')}`;
}

afterEach(() => service.control('POST', 'reset'));

describe('requested deliveries', () => {
  it('are sent before the response, in order for each resource', async () => {
    const { receiver } = await subscribed();
    const answer = await deliver({ count: 200, resources: 4 });
    expect([answer.events, answer.genuine, answer.deliveries.length]).toEqual([200, { delivered: 200 }, 100]);
    const order = new Map<string, number[]>();
    for (const { json } of receiver.received) {
      const { id, sequence } = json.payload;
      order.set(id, [...(order.get(id) ?? []), sequence]);
    }
    expect([...order.keys()].toSorted()).toEqual(['resource-1', 'resource-2', 'resource-3', 'resource-4']);
    for (const sequences of order.values()) {
      expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
    }
  });

  it('contain the given payload', async () => {
    const { receiver } = await subscribed();
    await deliver({ event: 'some.new_event', resource: 'r-1', payload: { price: '1.00' } });
    expect(receiver.received.map(({ json }) => json)).toEqual([
      { action: 'some.new_event', payload: { id: 'r-1', sequence: 1, price: '1.00' } },
    ]);
  });

  it.each([
    [{ event: 'Ä' }, 'event'],
    [{ event: undefined }, 'event'],
    [{ count: 0 }, 'count'],
    [{ payload: [] }, 'payload'],
  ])('are refused with %o', async (body, field) => {
    await subscribed();
    expect((await deliver(body)).error.details[0].field).toBe(field);
  });

  it('are refused if no active webhook subscribes to them', async () => {
    expect((await deliver()).error.details[0].message).toBe('No active webhook of the account subscribes to it.');
    await subscribed({ status: 'Inactive' });
    await subscribed({ filters: ['service_invoice.*'] });
    expect((await deliver()).error.details[0].field).toBe('event');
  });

  it('are listed without their bodies', async () => {
    const { receiver, id } = await subscribed();
    await deliver({ resource: 'r-1' });
    const { deliveries } = await service.control('GET', 'deliveries');
    const { id: deliveryId, endedOn } = deliveries[0];
    expect(deliveries).toEqual([
      {
        position: 1,
        id: deliveryId,
        kind: 'genuine',
        event: 'product.active',
        resource: 'r-1',
        state: 'delivered',
        attempts: 1,
        webhookId: id,
        uri: receiver.url,
        status: 200,
        endedOn,
      },
    ]);
    expect((await service.control('GET', 'deliveries?after=1')).deliveries).toEqual([]);
  });
});

describe('faults of deliveries', () => {
  it('can send one twice: the same id, the same body, a valid signature', async () => {
    const { receiver } = await subscribed();
    await fault({ kind: 'doubled', count: 1 });
    const { genuine, copies } = await deliver({ count: 3 });
    expect([genuine, copies]).toEqual([{ delivered: 3 }, { delivered: 1 }]);
    expect(receiver.received.map(isSigned)).toEqual([true, true, true, true]);
    const seen = receiver.received.map(({ headers, raw }) => `${headers['x-hook-id']} ${raw}`);
    expect(new Set(seen).size).toBe(3);
  });

  it('can add one forged delivery to each genuine one, without a valid signature', async () => {
    const { receiver } = await subscribed();
    receiver.answer = (one, response) => void response.writeHead(isSigned(one) ? 200 : 401).end();
    await fault({ kind: 'forged' });
    const { genuine, forged } = await deliver({ count: 10 });
    expect([genuine, forged]).toEqual([{ delivered: 10 }, { failed: 10 }]);
    const signed = receiver.received.filter(isSigned);
    const others = receiver.received.filter((one) => !isSigned(one));
    expect(signed.map(({ json }) => json.payload.forged)).toEqual(Array.from({ length: 10 }));
    expect(others.map(({ json }) => json.payload.forged)).toEqual(Array.from({ length: 10 }, () => true));
    const ways = new Set(others.map(({ headers }) => 'x-hub-signature' in headers));
    expect([...ways].toSorted()).toEqual([false, true]);
  });

  it('can delay one, and reorder the others', async () => {
    const { receiver } = await subscribed();
    await service.control('POST', 'clock', { freeze: true });
    await fault({ kind: 'late', count: 1, delayMs: 3_600_000 });
    await fault({ kind: 'reordered', delayMs: 60_000 });
    await deliver({ count: 8 });
    expect(receiver.received).toEqual([]);
    await service.control('POST', 'clock', { advance: '1m' });
    const sequences = receiver.received.map(({ json }) => json.payload.sequence);
    expect(sequences).not.toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(sequences.toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8]);
    await service.control('POST', 'clock', { advance: '1h' });
    expect(receiver.received.at(-1)?.json.payload.sequence).toBe(1);
  });

  it('are listed and cleared with the other faults', async () => {
    const added = await fault({ kind: 'doubled', rate: 0.5 });
    const rule = { operation: 'deliveries', kind: 'doubled', rate: 0.5, skip: 0 };
    expect(added).toEqual({ ...rule, id: 1, seen: 0, applied: 0 });
    expect((await service.control('GET', 'faults')).faults).toEqual([added]);
    expect((await service.send('GET', webhooksPath)).status).toBe(200);
    expect(await service.control('DELETE', 'faults')).toEqual({ cleared: 1 });
  });

  it.each(['operation', 'retryAfter', 'to'])('cannot have a %s', async (name) => {
    const { error } = await fault({ kind: 'late', [name]: '*' });
    expect(error.details[0].field).toBe(name);
  });
});

describe('the signature of deliveries', () => {
  it('can be uppercase, and the header can name the webhook instead of the delivery', async () => {
    const { receiver, id } = await subscribed();
    await service.control('POST', 'signing', { hex: 'upper', hookId: 'webhook' });
    await deliver();
    const [first] = receiver.received;
    const digest = createHmac('sha1', webhookSecret)
      .update(first?.raw ?? '')
      .digest('hex');
    expect(first?.headers).toMatchObject({ 'x-hub-signature': `sha1=${digest.toUpperCase()}`, 'x-hook-id': id });
  });

  it('can follow Standard Webhooks', async () => {
    const { receiver } = await subscribed();
    expect(await service.control('POST', 'signing', { scheme: 'standard-webhooks' })).toEqual({
      scheme: 'standard-webhooks',
      hex: 'lower',
      hookId: 'delivery',
    });
    await deliver();
    const [first] = receiver.received;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = first?.headers ?? {};
    const digest = createHmac('sha256', webhookSecret).update(`${id}.${at}.${first?.raw}`).digest('base64');
    expect(signature).toBe(`v1,${digest}`);
    expect(Object.keys(first?.headers ?? {}).filter((name) => name.startsWith('x-h'))).toEqual([]);
  });

  it('is absent without a secret', async () => {
    const { receiver } = await subscribed({ secret: undefined });
    await deliver();
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('x-hub-signature');
  });

  it('returns to the default on reset', async () => {
    await service.control('POST', 'signing', { hex: 'upper' });
    await service.control('POST', 'reset');
    expect(await service.control('GET', 'signing')).toEqual({ scheme: 'hub-sha1', hex: 'lower', hookId: 'delivery' });
  });
});

describe('receivers', () => {
  it('that redirect are not followed', async () => {
    const { receiver } = await subscribed();
    const other = await openReceiver();
    receiver.answer = (_one, response) => void response.writeHead(307, { location: other.url }).end();
    const { deliveries } = await deliver();
    expect([deliveries[0].state, deliveries[0].status, other.received]).toEqual(['waiting', 307, []]);
  });

  it('that never end their response are cut off', async () => {
    const { receiver } = await subscribed();
    receiver.answer = (_one, response) => {
      response.writeHead(200);
      const more = (): void => void response.write(Buffer.alloc(32_768), () => setImmediate(more));
      response.on('error', () => undefined);
      more();
    };
    expect((await deliver()).genuine).toEqual({ delivered: 1 });
  });

  it('that cut the connection get the delivery again', async () => {
    const { receiver } = await subscribed();
    receiver.answer = (_one, response) => void response.destroy();
    expect((await deliver()).deliveries[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    receiver.answer = (_one, response) => void response.writeHead(200).end();
    await service.control('POST', 'clock', { advance: '5s' });
    expect((await service.control('GET', 'deliveries')).genuine).toEqual({ delivered: 1 });
  });
});

describe('the end of a process', () => {
  it('between send and answer loses nothing: the next process sends it again', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const receiver = await openReceiver();
    const first = await startSandbox({ path });
    const { invoiceKey: key } = first.ready;
    const body = { webHook: { uri: receiver.url, secret: webhookSecret } };
    expect((await sendTo(first.url)('POST', webhooksPath, { key, body })).status).toBe(201);
    receiver.answer = () => undefined;
    const asked = sendTo(first.url)('POST', '/__sandbox/deliveries', { body: { event: 'product.active' } });
    await receiver.arrived(2);
    await Promise.all([first.close(), asked.catch(() => undefined)]);
    receiver.answer = (_one, response) => void response.writeHead(200).end();
    const second = await startSandbox({ path });
    const all = await receiver.arrived(3);
    await second.close();
    expect(all[2]?.raw.toString()).toBe(all[1]?.raw.toString());
    expect(all[2]?.headers['x-hook-id']).toBe(all[1]?.headers['x-hook-id']);
  });

  it('of an embedded sandbox sends what is due before it closes', async () => {
    const receiver = await openReceiver();
    const sandbox = await startSandbox({ path: ':memory:', keepsProcess: false, validationDelayMs: 0 });
    const { invoiceKey: key } = sandbox.ready;
    const send = sendTo(sandbox.url);
    await send('POST', webhooksPath, { key, body: { webHook: { uri: receiver.url } } });
    await send('POST', '/__sandbox/documents', { body: { family: 'nfe' } });
    await sandbox.close();
    expect(receiver.received.map(({ json }) => json.action)).toEqual(['ping', 'product_invoice_inbound.received']);
  });
});
