import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, fit } from '../../src/presenters/width.js';
import { anyText } from '../support/any-text.js';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), anyText());

test('wide characters and emoji take two columns, marks and colour codes none', () => {
  const widths = ['Ação', '株式会社', '👍🏽', 'a\u0301', '\u001b[1mab\u001b[22m'].map(displayWidth);
  expect(widths).toEqual([4, 8, 2, 1, 2]);
});

test('a fitted text is never wider than its column, and is complete if it fits', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (given, columns) => {
      const fitted = fit(given, columns);
      expect(displayWidth(fitted)).toBeLessThanOrEqual(columns);
      if (displayWidth(given) <= columns) expect(fitted).toBe(given);
    }),
  );
});
