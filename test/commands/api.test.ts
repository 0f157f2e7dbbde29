import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, serve, serveSocket } from '../client/support/server.js';
import { runFiscal, testHost } from '../support/host.js';

function hostFor(url: string, stdin = '') {
  const env = { FISCAL_INVOICE_KEY: 'i-key', FISCAL_DATA_KEY: 'd-key', FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url };
  return testHost({ env, stdin });
}

test('the body is printed unchanged, with the key of the host', async () => {
  const server = await serve({ status: 200, body: '{ "a":  1.10 }\n' });
  const host = hostFor(server.url);
  expect(await runFiscal(['api', 'GET', '/v2/x?y=1'], host)).toEqual({
    exitCode: 0,
    stdout: '{ "a":  1.10 }\n',
    stderr: '',
  });
  await runFiscal(['api', 'get', '/v1/cnpj/1', '--host', 'query'], host);
  expect(server.seen.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ['GET', '/v2/x?y=1', 'i-key'],
    ['GET', '/v1/cnpj/1', 'd-key'],
  ]);
});

test('with a format or a query the body is parsed', async () => {
  const server = await serve(json(200, { items: [{ id: 'a' }, { id: 'b' }] }));
  const result = await runFiscal(['api', 'GET', '/x', '--query', 'items[].id', '-o', 'json'], hostFor(server.url));
  expect(JSON.parse(result.stdout)).toEqual(['a', 'b']);
});

test('a body from stdin or a file is checked and sent as written', async () => {
  const server = await serve({ status: 204 });
  const host = hostFor(server.url, '{"n": 1.0}');
  expect(await runFiscal(['api', 'POST', '/x', '--data-file', '-'], host)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  writeFileSync(join(host.cwd, 'body.json'), '{"n": 2.0}');
  await runFiscal(['api', 'PUT', '/x', '--data-file', 'body.json'], host);
  expect(server.seen.map(({ method, body }) => [method, body])).toEqual([
    ['POST', '{"n": 1.0}'],
    ['PUT', '{"n": 2.0}'],
  ]);
});

test('a dry run shows the request and sends nothing', async () => {
  const server = await serve({ status: 204 });
  const words = ['api', 'POST', '/t/products', '--data-file', '-', '--dry-run', '-o', 'json'];
  const result = await runFiscal(words, hostFor(server.url, '{"sku":"a"}'));
  expect(JSON.parse(result.stdout)).toMatchObject({
    method: 'POST',
    url: `${server.url}/t/products`,
    headers: { authorization: '***' },
    body: { sku: 'a' },
  });
  expect(server.seen).toEqual([]);
});

test('a write with an unknown outcome exits 3, without advice to retry', async () => {
  const url = await serveSocket((socket) => socket.once('data', () => socket.destroy()));
  const result = await runFiscal(['api', 'POST', '/x', '--data-file', '-'], hostFor(url, '{}'));
  expect([result.exitCode, result.stdout]).toEqual([3, '']);
  expect(result.stderr).toContain('its outcome is unknown: the connection to');
});

test.each([
  ['an address elsewhere', ['GET', 'https://evil.example/x'], 'may not be sent to evil.example'],
  ['another method', ['PATCH', '/x'], 'one of GET, POST, PUT, DELETE is expected'],
  ['a path that is none', ['GET', 'v2/companies'], 'is expected'],
  ['a path that names a host', ['GET', '//evil.example/x'], 'is expected'],
  ['a body for a GET', ['GET', '/x', '--data-file', '-'], 'a GET has no body'],
  ['a body that is no JSON', ['POST', '/y', '--data-file', 'nope.json'], 'there is no file nope.json'],
])('%s is refused before anything is sent', async (_name, words, sentence) => {
  const server = await serve({ status: 200 });
  const result = await runFiscal(['api', ...words], hostFor(server.url, '{}'));
  expect([result.exitCode, result.stdout]).toEqual([2, '']);
  expect(result.stderr).toContain(sentence);
  expect(server.seen).toEqual([]);
});
