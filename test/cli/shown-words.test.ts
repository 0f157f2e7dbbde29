import { expect, test } from 'vitest';
import { parseOptionText } from '../../src/cli/option-value.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { documentStatuses } from '../../src/contract/inbound.js';

const spec = { kind: 'choice', choices: documentStatuses, summary: { en: '', pt: '' } } as const;

function read(text: string): unknown {
  try {
    return parseOptionText(spec, text, '--status');
  } catch (error) {
    if (error instanceof FiscalError) return [error.exitCode, error.text.en];
    throw error;
  }
}

test.each([
  ['Processed', 'Processed'],
  ['processed', 'Processed'],
  ['Processado', 'Processed'],
  ['PDF PENDENTE', 'PdfPending'],
  ['falha no pdf', 'PdfFailed'],
  ['Com falha', 'Failed'],
])('the word %s that the screen shows is the state %s', (typed, code) => {
  expect(read(typed)).toBe(code);
});

test('an unknown word is refused, with the one that is nearest', () => {
  expect(read('Procesado')).toEqual([
    2,
    'the value "Procesado" of --status is not valid: one of Received, Processed, Reprocessed, PdfPending, PdfFailed, Pending, Failed is expected; did you mean Processed?',
  ]);
  expect(read('xyz')).toEqual([2, expect.not.stringContaining('did you mean')]);
});

test('each entry of a list of words is read in the same way', () => {
  const list = { kind: 'list', value: 'a,b', choices: ['company', 'operation'], summary: spec.summary } as const;
  expect(parseOptionText(list, 'Company, operation', '--by')).toEqual(['company', 'operation']);
  expect(() => parseOptionText(list, 'company,operatoin', '--by')).toThrow(
    'the value "operatoin" of --by is not valid: one of company, operation is expected; did you mean operation?',
  );
});
