import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandPath } from '../../src/client/prepared.js';
import { anyText } from '../support/any-text.js';

test('any value fills exactly one segment, or is refused', () => {
  fc.assert(
    fc.property(anyText(), (value) => {
      let path: string;
      try {
        path = expandPath('/{tenantId}/products', { tenantId: value });
      } catch {
        expect(value === '' || value === '.' || value === '..' || /\p{Surrogate}/u.test(value)).toBe(true);
        return;
      }
      const url = new URL(`https://host${path}`);
      const segments = url.pathname.split('/');
      expect(segments.length).toBe(3);
      expect(segments[2]).toBe('products');
      expect(decodeURIComponent(segments[1] ?? '')).toBe(value);
      expect(url.search + url.hash).toBe('');
    }),
  );
});

test.each(['..', '.', ''])('the value "%s" is refused', (tenantId) => {
  expect(() => expandPath('/{tenantId}/products', { tenantId })).toThrow(/tenantId/);
});

test('a missing value is named', () => {
  expect(() => expandPath('/{tenantId}/products', {})).toThrow('missing: tenantId');
});
