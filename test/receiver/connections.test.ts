import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../src/receiver/connections.js';
import type { Refusal } from '../../src/receiver/delivery.js';
import { schemes } from '../../src/receiver/schemes.js';
import { startReceiver, type ReceiverOptions } from '../../src/receiver/start.js';

const secret = '0123456789abcdef0123456789abcdef';
const event = '{"action":"product.active","payload":{"id":"p-1"}}';
const halfHead = 'POST /hook HTTP/1.1\r\nHost: x\r\n';

async function receive(options: Partial<ReceiverOptions> = {}) {
  const refused: Refusal[] = [];
  const running = await startReceiver({
    ...{ host: '127.0.0.1', port: 0, path: '/hook', secrets: [secret], maxBodyBytes: 1_000 },
    scheme: schemes['hub-sha1'],
    now: () => 0,
    accept: () => Promise.resolve(),
    refused: (refusal) => void refused.push(refusal),
    ...options,
  });
  onTestFinished(() => running.close(0));
  const { port } = new URL(running.url);
  return { running, port: Number(port), refused };
}

/** A client that never closes by itself, whatever the far side says. */
class SlowClient {
  /** By the far side, for one way at least. */
  isClosed = false;
  readonly #socket: Socket;
  readonly #closed: Promise<void>;

  constructor(port: number, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    this.#socket.on('error', () => undefined).resume();
    this.#socket.on('end', () => (this.isClosed = true)).on('close', () => (this.isClosed = true));
    this.#closed = new Promise((resolve) => this.#socket.on('close', () => resolve()));
    onTestFinished(() => void this.#socket.destroy());
  }

  async send(text: string): Promise<void> {
    if (this.#socket.connecting) await new Promise((resolve) => this.#socket.once('connect', resolve));
    await new Promise((resolve) => this.#socket.write(text, resolve));
  }

  /** Writes again and again, which fails once the far side has closed both ways. */
  async drip(text: string): Promise<void> {
    const timer = setInterval(() => this.#socket.write(text), 20);
    await this.#closed;
    clearInterval(timer);
  }
}

async function openSlow(port: number, count: number, localAddress: string): Promise<readonly SlowClient[]> {
  const clients: SlowClient[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const client = new SlowClient(port, localAddress);
    await client.send(halfHead);
    clients.push(client);
  }
  return clients;
}

function closedOf(clients: readonly SlowClient[]): number {
  return clients.filter(({ isClosed }) => isClosed).length;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function signedHeaders(id: string) {
  const headers = schemes['hub-sha1'].sign({ id, body: Buffer.from(event), now: 0 }, secret);
  return { ...headers, 'content-type': 'application/json', 'content-length': String(event.length) };
}

/** The status of a signed delivery over a connection of its own. */
async function deliver(port: number, localAddress: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/hook', method: 'POST', localAddress, agent: false };
    request({ ...options, headers: signedHeaders('d-1') })
      .on('response', (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end(event);
  });
}

describe('connections that deliver nothing', () => {
  test('are closed although they ignore the answer 408', async () => {
    const { port, refused } = await receive({ limits: { headersMs: 50, lingerMs: 100 } });
    const client = new SlowClient(port);
    await client.send(halfHead);
    await client.drip('x');
    expect(refused).toEqual(['slow']);
  });

  test('are closed although they go on to send what is no request', async () => {
    const limits = { headersMs: 50, requestMs: 100, idleMs: 100, lingerMs: 50 };
    const { port, refused } = await receive({ limits });
    const client = new SlowClient(port);
    const headers = Object.entries(signedHeaders('d-1')).map(([name, value]) => `${name}: ${value}\r\n`);
    await client.send(`${halfHead}${headers.join('')}\r\n${event}`);
    await client.drip('\r\n');
    expect(refused).toEqual(['slow']);
  });

  test('of one address push out each other, and no delivery of that or another address', async () => {
    const { port, refused } = await receive({ limits: { connections: 20, perAddress: 5 } });
    const clients = await openSlow(port, 30, '127.0.0.2');
    expect([await deliver(port, '127.0.0.2'), await deliver(port, '127.0.0.1')]).toEqual([200, 200]);
    await until(() => closedOf(clients) === 26);
    expect(refused).toEqual(Array.from({ length: 26 }, () => 'crowded'));
    // Those that are left came last.
    expect(clients.slice(26).map(({ isClosed }) => isClosed)).toEqual([false, false, false, false]);
  });

  test('of many addresses make room for a new one', async () => {
    const { port, refused } = await receive({ limits: { connections: 20, perAddress: 5 } });
    const clients: SlowClient[] = [];
    for (let host = 2; host < 12; host += 1) clients.push(...(await openSlow(port, 5, `127.0.0.${String(host)}`)));
    await until(() => closedOf(clients) === 30);
    expect(await deliver(port, '127.0.0.1')).toBe(200);
    expect(new Set(refused)).toEqual(new Set(['crowded']));
    expect(refused).toHaveLength(31);
  });

  test('close no connection whose delivery is being stored', async () => {
    const stored: (() => void)[] = [];
    const accept = () => new Promise<void>((resolve) => void stored.push(resolve));
    const { port } = await receive({ accept, limits: { connections: 4, perAddress: 2 } });
    const answers = [deliver(port, '127.0.0.2'), deliver(port, '127.0.0.2'), deliver(port, '127.0.0.2')];
    await until(() => stored.length === 3);
    const clients = await openSlow(port, 10, '127.0.0.2');
    await until(() => closedOf(clients) === 9);
    for (const finish of stored) finish();
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
  });

  test('keep no memory from the body of another one', async () => {
    const maxBodyBytes = 10 * 1024 * 1024;
    const { port, refused } = await receive({ maxBodyBytes });
    const head = `${halfHead}Content-Type: application/json\r\nContent-Length: ${String(maxBodyBytes)}\r\n\r\n`;
    for (let nth = 0; nth < 8; nth += 1) {
      const client = new SlowClient(port);
      await client.send(head);
      await client.send('x'.repeat(maxBodyBytes - 1));
    }
    expect(await deliver(port, '127.0.0.1')).toBe(200);
    expect(new Set(refused)).toEqual(new Set(['busy']));
  });

  test('and speak no TLS do not delay the end', async () => {
    const fixtures = join(import.meta.dirname, '../client/fixtures');
    const read = (name: string) => readFileSync(join(fixtures, name), 'utf8');
    const tls = { cert: read('tls-test.crt'), key: read('tls-test.key') };
    const { running, port } = await receive({ tls, limits: { connections: 3 } });
    const clients = await openSlow(port, 5, '127.0.0.1');
    await until(() => closedOf(clients) >= 2);
    await running.close(0);
    await until(() => closedOf(clients) === 5);
  });
});

test('the addresses of a /64 of IPv6 share one limit', () => {
  const closed: string[] = [];
  const limits = { connections: 100, perAddress: 2, waitMs: 60_000 };
  const connections = new Connections(limits, (why) => closed.push(why));
  const from = (remoteAddress: string, remotePort: number): Socket => {
    const socket = new Socket();
    Object.defineProperties(socket, { remoteAddress: { value: remoteAddress }, remotePort: { value: remotePort } });
    connections.add(socket);
    return socket;
  };
  const one = from('2001:db8::1', 1);
  const others = [from('2001:db8:0:0:ffff::2', 2), from('2001:db8:0:1::3', 3), from('::ffff:192.0.2.1', 4)];
  expect(closed).toEqual([]);
  others.push(from('2001:db8::4', 5));
  expect([closed, one.destroyed, others.map(({ destroyed }) => destroyed)]).toEqual([
    ['crowded'],
    true,
    [false, false, false, false],
  ]);
  connections.closeAll();
});
