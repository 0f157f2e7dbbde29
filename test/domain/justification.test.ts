import { expect, test } from 'vitest';
import { justificationProblem } from '../../src/domain/justification.js';

test.each(['a'.repeat(15), 'a'.repeat(255), 'Mercadoria não recebida ÿ', 'a \' quote & <tag> " here'])(
  '%j is accepted',
  (text) => {
    expect(justificationProblem(text)).toBeUndefined();
  },
);

test.each([
  ['a'.repeat(14), 'needs 15 to 255 characters and has 14'],
  ['a'.repeat(256), 'needs 15 to 255 characters and has 256'],
  ['', 'needs 15 to 255 characters and has 0'],
  ['not received\nby anybody', 'may not have a line break'],
  ['not received\rby anybody', 'may not have a line break'],
  [' goods not received', 'may not begin or end with a space'],
  ['goods not received ', 'may not begin or end with a space'],
  ['goods not\treceived', 'has the character U+0009, which the official layout does not allow'],
  ['goods – not received', 'has the character U+2013, which the official layout does not allow'],
  ['goods not received 📦', 'has the character U+1F4E6, which the official layout does not allow'],
  [15, 'must be text'],
])('%j is refused', (text, message) => {
  expect(justificationProblem(text)?.en).toBe(message);
});
