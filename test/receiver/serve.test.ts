import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { GenuineDelivery, Refusal } from '../../src/receiver/delivery.js';
import { schemes } from '../../src/receiver/schemes.js';
import { startReceiver, type ReceiverOptions, type RunningReceiver } from '../../src/receiver/start.js';

const secret = '0123456789abcdef0123456789abcdef';
const now = Date.UTC(2026, 10, 21, 12);
const event = '{"action":"product.active","payload":{"id":"p-1","note":"ação"}}';

interface Received {
  readonly url: string;
  readonly taken: GenuineDelivery[];
  readonly refused: Refusal[];
}

let running: RunningReceiver | undefined;

afterEach(async () => {
  await running?.close(0);
  running = undefined;
});

async function receive(options: Partial<ReceiverOptions> = {}): Promise<Received> {
  const taken: GenuineDelivery[] = [];
  const refused: Refusal[] = [];
  running = await startReceiver({
    ...{ host: '127.0.0.1', port: 0, path: '/hook', secrets: [secret], maxBodyBytes: 1_000 },
    scheme: schemes['hub-sha1'],
    now: () => now,
    accept: (delivery) => Promise.resolve(void taken.push(delivery)),
    refused: (refusal) => void refused.push(refusal),
    ...options,
  });
  return { url: running.url, taken, refused };
}

async function post(url: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const bytes = Buffer.from(body);
  const signed = schemes['hub-sha1'].sign({ id: 'd-1', body: bytes, now }, secret);
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return await fetch(url, { method: 'POST', headers: { ...type, ...signed, ...headers }, body: bytes });
}

/** Writes raw bytes and gives all that came back until the far side closed. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('a genuine delivery', () => {
  test('is passed on with its bytes, and answered 200 with an empty body', async () => {
    const { url, taken, refused } = await receive();
    const answer = await post(`${url}?source=test`, event, { 'x-hook-event': 'another.name' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(taken).toEqual([
      {
        ...{ scheme: 'hub-sha1', hookId: 'd-1', signedId: '', event: 'product.active', resource: 'p-1' },
        ...{ body: Buffer.from(event), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
    expect(refused).toEqual([]);
  });

  test('is answered only after it is stored', async () => {
    const order: string[] = [];
    const accept = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('stored');
    };
    const { url } = await receive({ accept });
    const answer = post(url, event).finally(() => void order.push('answered'));
    expect((await answer).status).toBe(200);
    expect(order).toEqual(['stored', 'answered']);
  });

  test('that cannot be stored is answered 503, so that the sender tries again', async () => {
    const { url, refused } = await receive({ accept: () => Promise.reject(new Error('no space')) });
    const answer = await post(url, event);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused).toEqual(['unstored']);
  });

  test('may be signed with a secret that was stored later', async () => {
    const secrets = ['old'];
    const renew = (): Promise<boolean> => Promise.resolve(secrets.push(secret) > 0);
    const { url, taken } = await receive({ secrets, renew });
    expect((await post(url, event)).status).toBe(200);
    expect(taken).toHaveLength(1);
  });
});

describe('a refused request is not passed on', () => {
  const forged = { 'x-hub-signature': `sha1=${'0'.repeat(40)}` };
  const cases: readonly [Refusal, number, (url: string) => Promise<Response>][] = [
    ['path', 404, (url) => post(`${url}/other`, event)],
    ['method', 405, (url) => fetch(url)],
    ['type', 415, (url) => post(url, event, { 'content-type': 'text/plain' })],
    ['too-large', 413, (url) => post(url, 'x'.repeat(1_001))],
    ['forged', 401, (url) => post(url, event, forged)],
    ['unsigned', 401, (url) => post(url, event, { 'x-hub-signature': '' })],
    ['syntax', 400, (url) => post(url, '{"action":')],
    ['syntax', 400, (url) => post(url, Uint8Array.of(0x22, 0xff, 0x22))],
  ];

  test.each(cases)('%s is answered %i', async (refusal, status, send) => {
    const { url, taken, refused } = await receive();
    const answer = await send(url);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
    expect({ taken, refused }).toEqual({ taken: [], refused: [refusal] });
    // The next one goes on.
    expect((await post(url, event)).status).toBe(200);
  });

  test('a signature from another time is answered 503 in the scheme with a time', async () => {
    const scheme = schemes['standard-webhooks'];
    const { url, refused } = await receive({ scheme });
    const headers = scheme.sign({ id: 'm-1', body: Buffer.from(event), now: now - 600_000 }, secret);
    // It may come again when the clock of this machine is right.
    const answer = await post(url, event, { ...headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(refused).toEqual(['stale']);
  });
});

describe('a hostile sender', () => {
  test('that announces 100 MB is refused before the body is read', async () => {
    const { url, refused } = await receive();
    const head = 'POST /hook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const answer = await raw(url, `${head}Content-Length: 104857600\r\nExpect: 100-continue\r\n\r\n`);
    expect(answer.split('\r\n', 1)).toEqual(['HTTP/1.1 413 Payload Too Large']);
    expect(refused).toEqual(['too-large']);
  });

  test('with an endless body is cut off at the limit', async () => {
    const { url, refused } = await receive();
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) });
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: endless, duplex: 'half' } as const;
    const sent = fetch(url, options);
    // Whether the answer or the reset is seen first is up to the machine.
    const status = await sent.then(
      (answer) => answer.status,
      () => 413,
    );
    expect([status, refused]).toEqual([413, ['too-large']]);
  });

  test('with slow headers or a slow body is cut off, and does not delay others', async () => {
    const limits = { headersMs: 150, requestMs: 200 };
    const { url, taken, refused } = await receive({ limits });
    const slow = [
      raw(url, 'POST /hook HTTP/1.1\r\nHost: x\r\n'),
      raw(url, 'POST /hook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'),
    ];
    expect((await post(url, event)).status).toBe(200);
    expect((await Promise.all(slow)).map((answer) => answer.split('\r\n', 1)[0])).toEqual([
      'HTTP/1.1 408 Request Timeout',
      'HTTP/1.1 408 Request Timeout',
    ]);
    expect(taken).toHaveLength(1);
    expect(new Set(refused)).toContain('slow');
  });

  test('that does not send HTTP gets 400', async () => {
    const { url, refused } = await receive();
    expect((await raw(url, 'hello\r\n\r\n')).split('\r\n', 1)).toEqual(['HTTP/1.1 400 Bad Request']);
    expect(refused).toEqual(['malformed']);
  });
});

test('a connection that its client resets is counted as that', async () => {
  const { url, refused } = await receive();
  const { hostname, port } = new URL(url);
  for (const text of ['', 'POST /hook HTTP/1.1\r\nHost: x\r\n']) {
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    if (text !== '') await new Promise((sent) => socket.write(text, sent));
    // The server has the connection once another client has its answer.
    expect((await post(url, event)).status).toBe(200);
    socket.resetAndDestroy();
  }
  await expect.poll(() => refused).toEqual(['reset', 'reset']);
});

describe('the start', () => {
  test('on a port in use fails with the reason', async () => {
    const { url } = await receive();
    const second = startReceiver({
      ...{ host: '127.0.0.1', port: Number(new URL(url).port), path: '/', secrets: [], maxBodyBytes: 1 },
      scheme: schemes['hub-sha1'],
      now: () => now,
      accept: () => Promise.resolve(),
      refused: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ code: 'webhook.port_taken', exitCode: 5 });
  });
});
