import { expect, test } from 'vitest';
import { deprecationIn, deprecationNotice } from '../../src/domain/deprecation.js';

const docs = 'https://service.example/changes';

test.each([
  [{ deprecation: '@1767225600' }, { deprecated: true, since: '2026-01-01T00:00:00.000Z' }],
  [{ deprecation: 'Thu, 01 Jan 2026 00:00:00 GMT' }, { deprecated: true, since: '2026-01-01T00:00:00.000Z' }],
  [{ deprecation: '2026-01-01' }, { deprecated: true, since: '2026-01-01T00:00:00.000Z' }],
  [{ deprecation: 'true' }, { deprecated: true }],
  [{ deprecation: ['@1767225600', 'true'] }, { deprecated: true }],
  [{ deprecation: '@999999999999' }, { deprecated: true }],
  [{ sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' }, { deprecated: false, sunset: '2026-12-31T23:59:59.000Z' }],
  [
    { deprecation: 'true', link: `</next>; rel="next", <${docs}>; rel="other deprecation"; type="text/html"` },
    { deprecated: true, link: docs },
  ],
  [
    { deprecation: 'true', link: `</v3>; rel=successor-version, <${docs}>; rel=sunset` },
    { deprecated: true, link: docs },
  ],
])('%j is read', (headers, read) => {
  expect(deprecationIn(headers)).toEqual(read);
});

test.each([
  {},
  { deprecation: 'false' },
  { deprecation: '?0' },
  { deprecation: ' ' },
  { sunset: 'soon' },
  { sunset: 'Thu, 99 Foo 2026 00:00:00 GMT' },
  { link: `<${docs}>; rel="deprecation"` },
])('%j announces nothing', (headers) => {
  expect(deprecationIn(headers)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  '//other.example/x',
  'https://service.example@other.example/',
  'https://',
  '/a b',
  '/\u001b[2J',
  '/caf\u00e9',
  '/"fiscal',
  `/${'a'.repeat(300)}`,
])('the address %j is not shown', (address) => {
  expect(deprecationIn({ deprecation: 'true', link: `<${address}>; rel="deprecation"` })).toEqual({ deprecated: true });
});

test('a header is read up to its 4,000th character', () => {
  const link = `<${docs}>; rel="deprecation"`;
  const at = (length: number) =>
    deprecationIn({ deprecation: 'true', link: `${' '.repeat(length - link.length)}${link}` });
  expect([at(4_000), at(4_001)]).toEqual([{ deprecated: true, link: docs }, { deprecated: true }]);
});

test('the notice has the days in Brasília, in both languages', () => {
  const whole = { deprecated: true, since: '2026-01-01T00:00:00.000Z', sunset: '2026-12-31T12:00:00.000Z', link: docs };
  expect(deprecationNotice('product.get', whole)).toEqual({
    en: `product.get: the service marks this operation as deprecated as of 2025-12-31 and announces its end for 2026-12-31; see ${docs}`,
    pt: `product.get: o serviço marca esta operação como obsoleta a partir de 2025-12-31 e anuncia o fim dela para 2026-12-31; veja ${docs}`,
  });
  expect(deprecationNotice('product.get', { deprecated: true }).en).toBe(
    'product.get: the service marks this operation as deprecated',
  );
  expect(deprecationNotice('product.get', { deprecated: false, sunset: whole.sunset }).pt).toBe(
    'product.get: o serviço anuncia o fim dela para 2026-12-31',
  );
});
