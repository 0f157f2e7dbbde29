import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, fit, wrapWords } from '../../src/presenters/width.js';
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

const word = fc
  .oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('株式会社', 'Ação', '👍'))
  .filter((text) => !text.includes(' '));
const words = fc.array(word, { minLength: 1, maxLength: 40 });
const columns = fc.integer({ min: 1, max: 60 });

test('lines contain the same words in order', () => {
  fc.assert(
    fc.property(words, columns, (given, width) => {
      expect(wrapWords(given, width, displayWidth).join(' ')).toBe(given.join(' '));
    }),
  );
});

test('a line is no wider than the terminal, unless a single word is', () => {
  fc.assert(
    fc.property(words, columns, (given, width) => {
      const wide = wrapWords(given, width, displayWidth).filter((line) => displayWidth(line) > width);
      expect(wide.filter((line) => line.includes(' '))).toEqual([]);
    }),
  );
});

test('a line ends only where the next word has no room', () => {
  fc.assert(
    fc.property(words, columns, (given, width) => {
      const lines = wrapWords(given, width, displayWidth);
      const loose = lines.slice(1).filter((line, index) => {
        const [next = ''] = line.split(' ');
        return displayWidth(`${lines[index] ?? ''} ${next}`) <= width;
      });
      expect(loose).toEqual([]);
    }),
  );
});
