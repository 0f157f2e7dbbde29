import { expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
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

test('a value of any length leaves the sentence readable, with the words after it', () => {
  const columns = Array.from({ length: 1_000_000 }, (_, index) => `c${index}`).join(', ');
  const { message, text } = new FiscalError('input.unknown_column', { columns, path: 'many.csv' });
  expect([message.length < 2_500, text.pt.length < 2_500]).toEqual([true, true]);
  expect(message).toContain('c0, c1, c2');
  expect(message).toContain('…');
  expect(message).toContain('many.csv');
});

test('an error names at most 100 details, and counts the others', () => {
  const details = Array.from({ length: 5_000 }, (_, index) => ({ field: `f${index}`, message: 'is wrong' }));
  const shown = new FiscalError('input.invalid', { what: 'a.json' }, { details }).with({}).facts.details ?? [];
  expect(shown.slice(0, 99)).toEqual(details.slice(0, 99));
  expect(shown.slice(99)).toEqual([{ field: '…', message: { en: 'and 4901 more', pt: 'e mais 4901' } }]);
});
