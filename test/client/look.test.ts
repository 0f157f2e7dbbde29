import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve } from './support/server.js';

const companies = { host: 'product', path: '/v2/companies?limit=1', key: 'invoice' } as const;

test.each([200, 302, 401, 404, 500])('a look gives a %d as it came, after one request', async (status) => {
  const headers = { location: 'https://elsewhere.example/x' };
  const server = await serve(json(status, { companies: [] }, headers));
  const { client, exchanges, observed } = bench(server.url);
  const look = await client.look(companies);
  expect([look.status, JSON.parse(Buffer.from(look.bytes).toString())]).toEqual([status, { companies: [] }]);
  expect([look.headers['location'], look.tls]).toEqual([headers.location, undefined]);
  expect([server.seen.length, exchanges.length, observed.length]).toEqual([1, 1, 1]);
  expect(server.seen[0]).toMatchObject({ method: 'GET', path: companies.path });
  expect(server.seen[0]?.headers.authorization).toBe(secret);
  expect(exchanges[0]).toMatchObject({ operation: 'company.list', status });
});

test('a look without a key sends none, and asks for none', async () => {
  const server = await serve({ status: 401 });
  const { client } = bench(server.url, { credential: { secret: 'never-asked' } });
  expect((await client.look({ host: 'product', path: '/v2/companies' })).status).toBe(401);
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
});

test('what a look gives has no key in it, wherever the service repeats it', async () => {
  const server = await serve(json(200, { [secret]: [secret] }, { 'x-echo': `key ${secret}` }));
  const { client } = bench(server.url);
  const { headers, bytes } = await client.look(companies);
  expect(headers['x-echo']).toBe('key ***');
  expect(Buffer.from(bytes).toString()).toBe('{"***":["***"]}');
});

test('a look that finds nobody there rejects, with nothing sent', async () => {
  const { client } = bench('http://127.0.0.1:1');
  const failure = await failureOf(client.look(companies));
  expect([failure.code, failure.facts.sent]).toEqual(['network.unreachable', 'no']);
});

test('a look waits for the shared rate limit, and is interrupted as any call', async () => {
  const server = await serve({ status: 200 });
  const entered: string[] = [];
  const pace = { enter: async (host: string) => void entered.push(host), observe: async () => undefined };
  const { client } = bench(server.url, { pace });
  await client.look(companies);
  expect(entered).toEqual([new URL(server.url).host]);
  const failure = await failureOf(client.look(companies, { signal: AbortSignal.abort() }));
  expect(failure.code).toBe('job.interrupted');
});

test('a look over https shows the protocol and the expiry of the certificate', async () => {
  const fixtures = join(import.meta.dirname, 'fixtures');
  const caCert = join(fixtures, 'tls-test.crt');
  const pair = { cert: readFileSync(caCert), key: readFileSync(join(fixtures, 'tls-test.key')) };
  const server = createServer(pair, (_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void [server.closeAllConnections(), server.close()]);
  // A listening TCP server has an address with a port.
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { tls } = await bench(url, { settings: { caCert } }).client.look(companies);
  expect(tls?.protocol).toMatch(/^TLSv1\.[23]$/);
  expect(Date.parse(tls?.validUntil ?? '')).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
  const failure = await failureOf(bench(url).client.look(companies));
  expect([failure.code, failure.facts.sent]).toEqual(['network.untrusted', 'no']);
});
