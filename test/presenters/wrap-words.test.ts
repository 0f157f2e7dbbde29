import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapWords } from '../../src/presenters/wrap-words.js';
import { displayWidth } from '../../src/presenters/width.js';

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
