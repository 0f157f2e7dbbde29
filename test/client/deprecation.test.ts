import { expect, test } from 'vitest';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve } from './support/server.js';

const read = { path: { tenantId: 't', productId: 'p' } } as const;
const sunset = 'Thu, 31 Dec 2026 23:59:59 GMT';

test('the recorder gets the announcement of any answer, errors included, without secrets', async () => {
  const server = await serve(
    json(404, {}, { sunset, deprecation: 'true', link: `</why?key=${secret}>; rel="sunset"` }),
  );
  const { client, exchanges } = bench(server.url);
  await failureOf(client.call('product.get', read));
  expect(exchanges.map(({ deprecation }) => deprecation)).toEqual([
    { deprecated: true, sunset: '2026-12-31T23:59:59.000Z', link: '/why?key=***' },
  ]);
});

test('the sunset of an address on another host is not that of the operation', async () => {
  const other = await serve(json(200, { id: 'p', status: 'Active' }, { sunset }));
  const server = await serve({ status: 302, headers: { location: `${other.url}/far` } });
  const { client, exchanges } = bench(server.url);
  await client.call('product.get', read);
  expect(exchanges.map(({ status, deprecation }) => [status, deprecation])).toEqual([[200, undefined]]);
});
