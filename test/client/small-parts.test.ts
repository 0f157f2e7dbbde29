import { expect, test } from 'vitest';
import { readLocation } from '../../src/client/read-answer.js';
import { matchOperation } from '../../src/client/prepared.js';
import { proxyFor } from '../../src/client/agents.js';
import { retryAfterMs } from '../../src/client/retry-policy.js';

const now = Date.UTC(2026, 10, 21, 12);

test.each([
  ['3', 3_000],
  [' 0 ', 0],
  ['1.5', 1_500],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  // A time so long as this one ends in a year of four digits.
  ['99999999999999999999', 1_000 * 365.25 * 86_400_000],
  ['Sat, 01 Jan 99999 00:00:00 GMT', 1_000 * 365.25 * 86_400_000],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

test.each([
  ['/events/1', 'https://api.example.com/events/1'],
  ['http://api.example.com/e?x=1', 'https://api.example.com/e?x=1'],
  ['http://api.example.com:8443/e', 'https://api.example.com:8443/e'],
  ['http://elsewhere.example/e', 'http://elsewhere.example/e'],
  ['http://[', undefined],
  [undefined, undefined],
])('Location %s is read as %s', (header, address) => {
  const host = new URL('https://api.example.com');
  expect(readLocation(header, new URL('https://api.example.com/x'), [host])).toBe(address);
});

test.each([
  ['api.example.com', undefined, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['api.example.com', undefined, { http_proxy: 'p:1' }, 'http://p:1/'],
  ['api.example.com', 'http://own:2', { HTTPS_PROXY: 'http://p:1' }, 'http://own:2/'],
  ['api.example.com', undefined, { HTTPS_PROXY: 'p:1', NO_PROXY: 'other, .example.com' }, undefined],
  ['api.example.com', undefined, { HTTPS_PROXY: 'p:1', NO_PROXY: 'api.example.com:8080' }, 'http://p:1/'],
  ['api.example.com', undefined, { HTTPS_PROXY: 'p:1', no_proxy: '*' }, undefined],
  ['notexample.com', undefined, { HTTPS_PROXY: 'p:1', NO_PROXY: 'example.com' }, 'http://p:1/'],
  ['api.example.com', undefined, {}, undefined],
])('the proxy for %s with flag %s and %j is %s', (...[host, chosen, env, proxy]) => {
  expect(proxyFor(new URL(`https://${host}`), chosen, env)).toBe(proxy);
});

test('an invalid proxy address is refused without showing it', () => {
  expect(() => proxyFor(new URL('https://h'), 'socks5://u:pw@h', {})).toThrow('"***" of proxy');
});

test('a path is matched with the operation that it belongs to', () => {
  expect(matchOperation('GET', '/v2/companies', { paths: {} })).toBe('company.list');
  expect(matchOperation('GET', '/v2/other', { paths: {} })).toBeUndefined();
  expect(matchOperation('POST', '/t1/products', { paths: {} })).toBe('product.create');
  expect(matchOperation('POST', '/v9/items', { paths: { 'product.create': '/v9/items' } })).toBe('product.create');
});
