import { expect, test } from 'vitest';
import { invalidValue } from '../../src/errors/invalid-value.js';

const expected = { en: 'a day is expected', pt: 'espera-se um dia' };

test('an invalid value is shown with its place and what is expected, and nothing is sent', () => {
  const error = invalidValue('--since', 'soon', expected);
  expect([error.code, error.facts.sent]).toEqual(['usage.invalid_value', 'no']);
  for (const part of ['--since', 'soon', 'a day is expected']) expect(error.text.en).toContain(part);
  expect(error.text.pt).toContain('espera-se um dia');
});

test('only the beginning of a long value is shown', () => {
  const { text } = invalidValue('KEY', 'x'.repeat(10_000), expected);
  expect([text.en.match(/x+/)?.[0].length, text.en.length < 400]).toEqual([200, true]);
});
