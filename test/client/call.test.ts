import { expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve } from './support/server.js';

/** The least that a product, and a list of companies, must be. */
const active = { status: 'Active', companies: [] };

const product = { path: { tenantId: 't 1', productId: 'p/1' } } as const;

test('a read sends the raw key and returns the body with the request id', async () => {
  const server = await serve(json(200, { id: 'p/1', status: 'Active' }, { 'x-request-id': 'r1' }));
  const { client, exchanges } = bench(server.url);
  expect(await client.call('product.get', product)).toEqual({
    status: 200,
    attempts: 1,
    servedAt: expect.any(Number),
    requestId: 'r1',
    body: { id: 'p/1', status: 'Active' },
  });
  expect(server.seen.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ['GET', '/t%201/products/p%2F1', secret],
  ]);
  expect(exchanges).toEqual([
    {
      at: 1_800_000_000_000,
      operation: 'product.get',
      method: 'GET',
      url: `${server.url}/t%201/products/p%2F1`,
      attempt: 1,
      status: 200,
      requestId: 'r1',
      durationMs: 0,
      sent: 'yes',
      billed: false,
    },
  ]);
});

test('every Node version requests the same encodings, so that each can read the answer', async () => {
  const server = await serve(json(200, { id: 'p/1', status: 'Active' }));
  await bench(server.url).client.call('product.get', product);
  expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
});

test('a write sends JSON with its length and the idempotency key', async () => {
  const server = await serve(json(201, { id: '1' }, { location: '/t/products/1' }));
  const { client } = bench(server.url);
  const input = { path: { tenantId: 't' }, body: { sku: 'ção' }, idempotencyKey: 'k1' };
  const answer = await client.call('product.create', input);
  expect(answer).toEqual({
    status: 201,
    attempts: 1,
    servedAt: expect.any(Number),
    location: `${server.url}/t/products/1`,
    createdId: '1',
    body: { id: '1' },
  });
  const [seen] = server.seen;
  expect(seen?.body).toBe('{"sku":"ção"}');
  expect(seen?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': '15',
    'idempotency-key': 'k1',
  });
});

test('a POST without body sends a length of zero, and a 204 has no body', async () => {
  const server = await serve({ status: 204 });
  const { client } = bench(server.url);
  expect(await client.call('nfse.reactivate', { path: { companyId: 'c' } })).toEqual({
    status: 204,
    attempts: 1,
    servedAt: expect.any(Number),
    body: undefined,
  });
  expect(server.seen[0]?.headers['content-length']).toBe('0');
});

test('a dry run sends reads and no write', async () => {
  const server = await serve(json(200, { id: 'p/1', status: 'Active' }));
  const { client } = bench(server.url, { settings: { dryRun: true } });
  await client.call('product.get', product);
  const failure = await failureOf(client.call('product.revalidate', product));
  expect(failure).toMatchObject({ code: 'usage.dry_run', facts: { sent: 'no' } });
  expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
});

test('a JWT goes as Bearer', async () => {
  const server = await serve(json(200, active));
  const { client } = bench(server.url, { credential: { scheme: 'bearer', secret: 'eyJh.eyJi.c' } });
  await client.call('product.get', product);
  expect(server.seen[0]?.headers.authorization).toBe('Bearer eyJh.eyJi.c');
});

test('the key goes in the query string only if profile and operation say so', async () => {
  const server = await serve(json(200, active));
  const { client, exchanges } = bench(server.url, { settings: { keyIn: 'query' } });
  await client.call('product.get', product);
  await client.call('company.list', { path: {}, query: { limit: 1, startingAfter: undefined } });
  expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    [`/t%201/products/p%2F1?apikey=${secret}`, undefined],
    ['/v2/companies?limit=1', secret],
  ]);
  expect(exchanges[0]?.url).toBe(`${server.url}/t%201/products/p%2F1?apikey=***`);
});

test('a profile may override the path of an operation and add a path to a host', async () => {
  const server = await serve(json(200, active));
  const { client } = bench(server.url, {
    settings: { hosts: { product: `${server.url}/base/` }, paths: { 'product.get': '/v9/items/{productId}' } },
  });
  await client.call('product.get', product);
  expect(server.seen[0]?.path).toBe('/base/v9/items/p%2F1');
});

test('a query host falls back to query', async () => {
  const server = await serve(json(200, { name: 'X' }));
  const { client } = bench('http://127.0.0.1:1', { settings: { hosts: { query: server.url } } });
  await client.call('lookup.cnpj', { path: { numero: '12ABC34501DE35' } });
  expect(server.seen[0]?.path).toBe('/v1/cnpj/12ABC34501DE35');
});

test('a missing host of the profile is named with the ways to set it', async () => {
  const { client } = bench('', { settings: { hosts: {} } });
  expect(await failureOf(client.call('product.get', product))).toEqual({
    code: 'config.missing_host',
    facts: {
      sent: 'no',
      hint: {
        en: 'fiscal config set hosts.product https://…  (or set FISCAL_PRODUCT_URL)',
        pt: 'fiscal config set hosts.product https://…  (ou defina FISCAL_PRODUCT_URL)',
      },
    },
  });
});

test('plain http to another machine is refused before anything is sent', async () => {
  const { client, exchanges } = bench('http://api.example.com');
  expect((await failureOf(client.call('product.get', product))).code).toBe('config.insecure_host');
  expect(exchanges).toEqual([]);
});

test('a sandbox key never leaves this machine, and a live key never goes to the sandbox', async () => {
  const server = await serve(json(200, active));
  const away = bench('https://api.example.com', { credential: { secret: 'sbx_abc' } });
  expect((await failureOf(away.client.call('product.get', product))).code).toBe('config.key_host_mismatch');
  const live = bench(server.url, { settings: { profile: 'sandbox' } });
  expect((await failureOf(live.client.call('product.get', product))).code).toBe('config.key_host_mismatch');
  const elsewhere = bench('https://api.example.com', {
    settings: { profile: 'sandbox' },
    credential: { secret: 'live' },
  });
  expect((await failureOf(elsewhere.client.call('product.get', product))).code).toBe('config.key_host_mismatch');
  const home = bench(server.url, { settings: { profile: 'sandbox' }, credential: { secret: 'sbx_abc' } });
  expect((await home.client.call('product.get', product)).status).toBe(200);
  expect(server.seen.length).toBe(1);
});

test('each key is read once', async () => {
  const server = await serve(json(200, active));
  let asked = 0;
  const { client } = bench(server.url, {
    credential: {
      get secret() {
        asked += 1;
        return 'k';
      },
    },
  });
  await client.call('product.get', product);
  const afterOne = asked;
  await client.call('product.get', product);
  expect(asked).toBe(afterOne);
});

test('a preview shows the request masked and sends nothing', async () => {
  const { client, exchanges } = bench('https://api.example.com', { settings: { keyIn: 'query' } });
  const body = { sku: 'a', description: 'CPF 529.982.247-25' };
  expect(await client.preview('product.create', { path: { tenantId: 't' }, body })).toEqual({
    method: 'POST',
    url: 'https://api.example.com/t/products?apikey=***',
    headers: { accept: 'application/json', 'user-agent': 'fiscal-cli', 'content-type': 'application/json' },
    body: { sku: 'a', description: 'CPF ***.***.***-25' },
  });
  expect(exchanges).toEqual([]);
});

test('the debug output masks the secret fields of an answer that is too long to show whole', async () => {
  const tax = { loginPassword: 'PW-LONG-9', rest: 'x'.repeat(20_000) };
  const { url } = await serve({ status: 200, body: JSON.stringify(tax) });
  const { client, lines } = bench(url);
  await client.raw({ method: 'GET', path: '/v2/companies', host: 'product', key: 'invoice' });
  const written = lines.join('\n');
  expect(written).toContain('"loginPassword":"***"');
  expect(written).toContain('… (');
  expect(written.length).toBeLessThan(6_000);
});

test('--debug shows the exchange without key, JWT, CPF or secret fields', async () => {
  const server = await serve(json(200, { echo: secret, cpf: '52998224725', token: 'abc' }));
  const { client, lines } = bench(server.url);
  await client.call('product.create', {
    path: { tenantId: 't' },
    body: { password: 'hunter2', note: `apikey=x ${secret}` },
  });
  const text = lines.join('\n');
  expect(text).toContain('> POST http://127.0.0.1');
  expect(text).toContain('> authorization: ***');
  expect(text).toContain('< HTTP 200');
  expect(text).toContain('"echo":"***"');
  for (const canary of [secret, 'hunter2', '52998224725', '"abc"']) expect(text).not.toContain(canary);
});

test.each([
  { errors: [{ field: 'loginPassword', message: 'PWLEAK9"é is too short' }] },
  { message: 'USERLEAK9 and PWLEAK9"é', details: [{ field: 'code', message: 'CSCLEAK9' }] },
  'loginPassword PWLEAK9"é, in JSON PWLEAK9\\"é, in a query PWLEAK9%22%C3%A9: refused',
])('a service that quotes the secrets of the request shows none of them', async (answer) => {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const server = await serve({ status: 422, headers: { 'x-request-id': 'r-USERLEAK9' }, body });
  const { client, lines } = bench(server.url);
  const municipalTax = {
    loginName: 'USERLEAK9',
    loginPassword: 'PWLEAK9"é',
    securityCredential: { id: 1, code: 'CSCLEAK9' },
  };
  const path = '/v2/companies/c/municipaltaxes/m';
  const request = { method: 'PUT', path, host: 'product', key: 'invoice' } as const;
  const error: unknown = await client
    .raw({ ...request, body: JSON.stringify({ municipalTax }) })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FiscalError);
  const { facts, text } = error as FiscalError;
  const written = [JSON.stringify({ facts, text }), ...lines].join('\n');
  expect(written).toContain('***');
  expect(written).not.toMatch(/LEAK9/);
});

test('a short secret of the request masks no other text', async () => {
  const server = await serve(json(422, { message: 'limit of 100 characters' }));
  const { client } = bench(server.url);
  const request = { method: 'PUT', path: '/x', host: 'product', key: 'invoice' } as const;
  const body = JSON.stringify({ loginName: '100', loginPassword: '' });
  const error: unknown = await client.raw({ ...request, body }).catch((caught: unknown) => caught);
  expect((error as FiscalError).text.en).toContain('limit of 100 characters');
});

test('a success whose body is not JSON is distinguished from a missing answer', async () => {
  const server = await serve({ status: 201, body: '{"id": "1"' });
  const { client } = bench(server.url);
  expect(await failureOf(client.call('product.create', { path: { tenantId: 't' }, body: {} }))).toEqual({
    code: 'service.unreadable',
    facts: { operation: 'product.create', httpStatus: 201, sent: 'yes', retryable: false, attempts: 1 },
  });
});

test('a raw call sends the text as written and returns the bytes unchanged', async () => {
  const server = await serve({ status: 200, body: '{ "a": 1.10 }' });
  const { client, exchanges } = bench(server.url);
  const request = { method: 'POST', path: '/x/y?z=1', host: 'product', key: 'invoice', body: '{"n":1.0}' } as const;
  const answer = await client.raw(request);
  expect(new TextDecoder().decode(answer.body)).toBe('{ "a": 1.10 }');
  expect(server.seen.map(({ path, body }) => [path, body])).toEqual([['/x/y?z=1', '{"n":1.0}']]);
  expect(exchanges[0]?.operation).toBe('api');
});

test('a raw call of a known operation is recorded under its name', async () => {
  const server = await serve(json(200, active));
  const { client, exchanges } = bench(server.url);
  await client.raw({ method: 'GET', path: `${server.url}/v2/companies`, host: 'product', key: 'invoice' });
  expect(exchanges[0]?.operation).toBe('company.list');
});

test.each([
  '/v2/companies/c1/inbound/nfse/./fetch-by-access-key',
  '/v2/companies/c1/inbound/nfse/x/../fetch-by-access-key',
  '/v2/companies/c1/inbound/nfse/fetch%2Dby-access-key',
  '/v2//Companies/c1/inbound/NFSE/fetch-by-access-key/',
  'HOST/v2/companies/c1/inbound/nfse/fetch-by-access-key',
])('a raw call of a billed operation is billed however its path is written: %s', async (path) => {
  const server = await serve(json(200, {}));
  const base = `${server.url}/proxy`;
  const { client, exchanges } = bench(base);
  const body = '{"accessKey":"1"}';
  await client.raw({ ...{ method: 'POST', path: path.replace('HOST', base), host: 'product', key: 'invoice', body } });
  expect(exchanges[0]).toMatchObject({ operation: 'nfse.fetchByKey', companyId: 'c1', billed: true });
});

test('a raw call with a broken escape is sent as it is', async () => {
  const server = await serve(json(200, {}));
  const { client } = bench(server.url);
  await client.raw({ method: 'GET', path: '/v2/companies/%ZZ', host: 'product', key: 'invoice' });
  expect(server.seen.map(({ path }) => path)).toEqual(['/v2/companies/%ZZ']);
});

test('a raw call to an address outside the profile is refused', async () => {
  const { client } = bench('https://api.example.com');
  const request = { method: 'GET', path: 'https://evil.example/', host: 'product', key: 'invoice' } as const;
  expect((await failureOf(client.raw(request))).code).toBe('config.key_host_mismatch');
});
