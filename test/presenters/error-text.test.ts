import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { errorLines, noticeLines } from '../../src/presenters/error-text.js';
import { type RenderOptions, plainPaint } from '../../src/presenters/render.js';
import { displayWidth } from '../../src/presenters/width.js';
import { runFiscal, testHost } from '../support/host.js';
import { anyText } from '../support/any-text.js';

const at = (columns: number): RenderOptions => ({ language: 'en', columns, paint: plainPaint });

test('long sentences are wrapped between words, with a hanging indent', () => {
  const error = new FiscalError(
    'service.refused',
    { status: 422, message: 'the product has a rule that is not one' },
    {
      details: [{ field: 'customTax[0].intraState.cfop', message: 'must be of four digits' }],
      hint: { en: 'correct the field and type the command again', pt: '' },
      resume: 'fiscal job resume 0192f0c1-0000-7000-8000-000000000001',
      requestId: 'req-0192f0c1-0000-7000-8000-000000000001',
    },
  );
  expect(errorLines(error, at(40))).toEqual([
    'fiscal: the service refused the request',
    '        (HTTP 422): the product has a',
    '        rule that is not one',
    '  customTax[0].intraState.cfop: must',
    '    be of four digits',
    '  hint: correct the field and type the',
    '        command again',
    '  to continue: fiscal job resume 0192f0c1-0000-7000-8000-000000000001',
    '  request id: req-0192f0c1-0000-7000-8000-000000000001',
  ]);
});

test('a command in a hint is not wrapped, so that it can be copied', () => {
  const hint = {
    en: 'the codes: fiscal tax codes operation-code --limit 10 (more of them: fiscal tax codes acquisition-purpose)',
    pt: 'execute "fiscal job list --all --state uncertain" para ver todos',
  };
  const error = new FiscalError('job.not_found', { id: 'x' }, { hint });
  expect(errorLines(error, at(40)).slice(1)).toEqual([
    '  hint: the codes:',
    '        fiscal tax codes operation-code --limit 10',
    '        (more of them:',
    '        fiscal tax codes acquisition-purpose)',
  ]);
  expect(errorLines(error, { ...at(40), language: 'pt' }).slice(2)).toEqual([
    '  dica: execute',
    '        "fiscal job list --all --state uncertain"',
    '        para ver todos',
  ]);
});

test('whatever the service says, a line is wider than the terminal only by a single word', () => {
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 40, max: 100 }), (message, columns) => {
      const lines = errorLines(new FiscalError('service.not_found', { message }), at(columns));
      const wide = lines.filter((line) => displayWidth(line) > columns);
      expect(wide.filter((line) => line.slice('fiscal: '.length).includes(' '))).toEqual([]);
    }),
  );
});

test('a pipe gets a sentence in one line, with its spaces unchanged', () => {
  const message = `${'so  long '.repeat(30)}.`;
  const error = new FiscalError('service.not_found', { message });
  expect(errorLines(error, at(Number.POSITIVE_INFINITY))).toEqual([`fiscal: not found (HTTP 404): ${message}`]);
});

test('sentences are wrapped only on a terminal, at 40 columns or more', async () => {
  const words = ['tax', 'calculate', '--color', 'never', '--lang', 'pt-BR', '--output', 'table'];
  const piped = await runFiscal(words);
  const narrow = await runFiscal(words, { isTerminal: true, columns: 20 });
  const wide = await runFiscal(words, { isTerminal: true, columns: 200 });
  const widths = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));
  const unwrapped = (text: string): string => text.replaceAll(/\n {8}/g, ' ');
  expect([unwrapped(narrow.stderr), wide.stderr]).toEqual([piped.stderr, piped.stderr]);
  expect([piped.stderr.split('\n').length, widths(narrow.stderr) <= 40]).toEqual([3, true]);
});

test('a notice on a terminal is wrapped at spaces, except for a command in it', () => {
  const sentence = 'only the first 100 are shown of many more; all of them: fiscal company list --all -o csv';
  expect(noticeLines(sentence, 40)).toEqual([
    'only the first 100 are shown of many',
    '  more; all of them:',
    '  fiscal company list --all -o csv',
  ]);
  expect(noticeLines(sentence, 100)).toEqual([sentence]);
});

test('the notices of a command fit the terminal, and are one line each in a pipe', async () => {
  const argv = ['inbound', 'list', '--local'];
  const options = { env: { NO_COLOR: '1' } };
  const inPipe = await runFiscal(argv, testHost(options));
  const onTerminal = await runFiscal(argv, testHost({ ...options, isTerminal: true, columns: 50 }));
  expect(inPipe.stderr.split('\n').some((line) => line.length > 50)).toBe(true);
  expect(onTerminal.stderr.split('\n').filter((line) => line.length > 50)).toEqual([]);
  expect(onTerminal.stderr.replaceAll('\n  ', ' ')).toBe(inPipe.stderr);
});

test('names the line of a file in the language of the reader', () => {
  const details = [{ field: 'line 4: sku', message: { en: 'is required', pt: 'é obrigatório' } }];
  const error = new FiscalError('usage.invalid', { message: 'x' }, { details });
  const lines = (language: 'en' | 'pt') => errorLines(error, { ...at(80), language });
  expect(lines('en')).toContain('  line 4: sku: is required');
  expect(lines('pt')).toContain('  linha 4: sku: é obrigatório');
});
