import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemorySink } from '../../src/client/receive.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { listening, tunnel } from '../support/tunnel.js';
import { bench, failureOf, secret } from './support/client.js';

// A self-signed certificate for service.test and loopback, made for these tests; its key opens nothing else.
const caCert = join(import.meta.dirname, 'fixtures', 'tls-test.crt');
const cert = readFileSync(caCert);
const key = readFileSync(join(import.meta.dirname, 'fixtures', 'tls-test.key'));

const read = { path: { tenantId: 't', productId: 'p' } } as const;

async function tlsServer(): Promise<number> {
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(201, { location: 'http://localhost/x' }).end('{"id":"p","status":"Active"}');
  });
  return await listening(server);
}

test('an untrusted certificate ends the call before the key is sent, without a retry', async () => {
  const port = await tlsServer();
  const { client, exchanges } = bench(`https://localhost:${String(port)}`);
  const failure = await failureOf(client.call('product.create', { path: { tenantId: 't' }, body: {} }));
  expect([failure.code, failure.facts.sent, failure.facts.retryable]).toEqual(['network.untrusted', 'no', false]);
  expect(exchanges.length).toBe(1);
});

test('--ca-cert adds trust', async () => {
  const port = await tlsServer();
  const { client } = bench(`https://localhost:${String(port)}`, { settings: { caCert } });
  const answer = await client.call('product.create', { path: { tenantId: 't' }, body: {} });
  expect([answer.body, answer.location]).toEqual([{ id: 'p', status: 'Active' }, 'https://localhost/x']);
});

test.each([
  ['/no/such/file.pem', 'input.unreadable'],
  [join(import.meta.dirname, 'tls-and-proxy.test.ts'), 'input.syntax'],
])('--ca-cert %s is refused before anything is sent', async (path, code) => {
  const { client } = bench('https://localhost:1', { settings: { caCert: path } });
  expect((await failureOf(client.call('product.get', read))).code).toBe(code);
});

test('an empty NODE_EXTRA_CA_CERTS is none, and one without a certificate is refused with --ca-cert', async () => {
  const address = `https://localhost:${String(await tlsServer())}`;
  const call = async (extra: string) => {
    const env = { NODE_EXTRA_CA_CERTS: extra };
    return await bench(address, { settings: { caCert }, env }).client.call('product.get', read);
  };
  expect((await call('')).body).toEqual({ id: 'p', status: 'Active' });
  const empty = join(temporaryFolder(), 'empty.pem');
  writeFileSync(empty, '');
  expect(await failureOf(call(empty))).toMatchObject({ code: 'input.syntax', facts: { sent: 'no' } });
  expect((await failureOf(call('/no/such.pem'))).code).toBe('input.unreadable');
});

test('a call uses the tunnel of a proxy, which never sees the key', async () => {
  const proxy = await tunnel(await tlsServer());
  const { client } = bench('https://service.test', {
    settings: { caCert },
    env: { HTTPS_PROXY: `http://me:pw@127.0.0.1:${String(proxy.port)}` },
  });
  expect((await client.call('product.get', read)).body).toEqual({ id: 'p', status: 'Active' });
  expect(proxy.asked).toEqual([
    { target: 'service.test:443', authorization: `Basic ${Buffer.from('me:pw').toString('base64')}`, head: '' },
  ]);
  expect(JSON.stringify(proxy.asked)).not.toContain(secret);
});

test('a download uses the same trust and tunnel, and sends the key only to the service', async () => {
  const port = await tlsServer();
  const proxy = await tunnel(port);
  const { client } = bench('https://service.test', {
    settings: { caCert, proxy: `http://127.0.0.1:${String(proxy.port)}` },
  });
  const wanted = { path: { companyId: 'c1', accessKey: '1'.repeat(44) } } as const;
  const done = await client.download('nfe.inbound.xml', wanted, { sink: new MemorySink() });
  expect(done.status).toBe(201);
  expect(proxy.asked.map(({ target }) => target)).toEqual(['service.test:443']);
  expect(JSON.stringify(proxy.asked)).not.toContain(secret);
  const untrusting = bench(`https://localhost:${String(port)}`).client;
  const distrust = await failureOf(untrusting.download('nfe.inbound.xml', wanted, { sink: new MemorySink() }));
  expect([distrust.code, distrust.facts.sent]).toEqual(['network.untrusted', 'no']);
});

test('a refusing proxy is reported with its status, and nothing is sent', async () => {
  const proxy = await tunnel(1, 407);
  const { client } = bench('https://service.test', { settings: { proxy: `127.0.0.1:${String(proxy.port)}` } });
  const failure: unknown = await client.call('product.get', read, { attempts: 'once' }).catch((it: unknown) => it);
  expect(String(failure)).toContain('cannot reach service.test: proxy: HTTP 407');
  expect(failure).toMatchObject({ facts: { sent: 'no' } });
});

test('loopback is never reached through a proxy', async () => {
  const port = await tlsServer();
  const { client } = bench(`https://localhost:${String(port)}`, { settings: { caCert, proxy: 'http://127.0.0.1:1' } });
  expect((await client.call('product.get', read)).body).toEqual({ id: 'p', status: 'Active' });
});
