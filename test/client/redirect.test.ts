import { expect, test } from 'vitest';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve } from './support/server.js';

const read = { path: { tenantId: 't', productId: 'p' } } as const;

test('a redirect on the same host keeps the key, one to another host loses it', async () => {
  const other = await serve(json(200, { id: 'p', status: 'Active' }));
  const server = await serve(
    { status: 302, headers: { location: '/moved' } },
    { status: 302, headers: { location: `${other.url}/far` } },
  );
  const { client } = bench(server.url);
  expect((await client.call('product.get', read)).body).toEqual({ id: 'p', status: 'Active' });
  expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/t/products/p', secret],
    ['/moved', secret],
  ]);
  expect(other.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/far', undefined]]);
});

test('a key in the query stays with its host', async () => {
  const other = await serve(json(200, { status: 'Active' }));
  const server = await serve(
    { status: 302, headers: { location: '/moved' } },
    { status: 307, headers: { location: `${other.url}/far?apikey=${secret}` } },
  );
  const { client } = bench(server.url, { settings: { keyIn: 'query' } });
  await client.call('product.get', read);
  expect(server.seen.map(({ path }) => path)).toEqual([`/t/products/p?apikey=${secret}`, `/moved?apikey=${secret}`]);
  expect(other.seen.map(({ path }) => path)).toEqual(['/far']);
});

test('at most five redirects are followed', async () => {
  const server = await serve({ status: 302, headers: { location: '/again' } });
  const { client } = bench(server.url);
  expect((await failureOf(client.call('product.get', read))).code).toBe('service.unreadable');
  expect(server.seen.length).toBe(6);
});

test.each(['http://api.example.com/x', 'file:///etc/passwd', 'ftp://h/x', 'http://['])(
  'a redirect to %s is not followed',
  async (location) => {
    const server = await serve({ status: 302, headers: { location } });
    const { client } = bench(server.url);
    expect((await failureOf(client.call('product.get', read))).code).toBe('service.unreadable');
    expect(server.seen.length).toBe(1);
  },
);
