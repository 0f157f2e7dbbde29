import { expect, test } from 'vitest';
import { sentenceOf } from '../../src/domain/sentence.js';
import { batchView } from '../../src/presenters/batch.js';
import { dryRunView } from '../../src/presenters/dry-run.js';
import { record } from '../../src/presenters/record.js';
import { plainPaint, type RenderOptions } from '../../src/presenters/render.js';
import { sentenceLines } from '../../src/presenters/generic.js';

const look: RenderOptions = { language: 'en', columns: 40, paint: plainPaint };
const created = { en: 'COFFEE-250 created and active', pt: 'COFFEE-250 criado e ativo' };

test('a sentence has the sign of what is known, and the billed calls', () => {
  expect(sentenceLines(sentenceOf('good', created), look)).toEqual(['✓ COFFEE-250 created and active']);
  expect(sentenceLines(sentenceOf('open', created, 2), { ...look, columns: 80, language: 'pt' })).toEqual([
    '… COFFEE-250 criado e ativo (2 chamadas cobradas)',
  ]);
  expect(sentenceLines(sentenceOf('warn', created), { ...look, isAscii: true })).toEqual([
    '! COFFEE-250 created and active',
  ]);
  expect(sentenceLines(sentenceOf('good', created), { ...look, isAscii: true })).toEqual([
    '+ COFFEE-250 created and active',
  ]);
  expect(sentenceLines(sentenceOf('none', created), look)).toEqual(['COFFEE-250 created and active']);
});

test('a sentence is wrapped at the width of the terminal, and only its sign is coloured', () => {
  const paint = { ...plainPaint, good: (text: string) => `<${text}>` };
  expect(sentenceLines(sentenceOf('good', created, 1), { ...look, paint })).toEqual([
    '<✓> COFFEE-250 created and active (1',
    '  billed call)',
  ]);
});

const preview = {
  type: 'dry-run',
  operation: 'product.update',
  request: { method: 'PUT', url: 'https://api.example/t-1/products/p%2F1', headers: {}, body: { sku: 'C-1' } },
  billedCalls: 1,
};

test('a dry run shows what it is for and what it carries; the request only with --verbose', () => {
  const lines = dryRunView(preview, look);
  expect(lines).toEqual([
    'Dry run, nothing was sent: Replace a',
    '  product',
    'tenantId:  t-1',
    'productId: p/1',
    'sku:       C-1',
    'billedCalls: 1',
    '(-v shows the request)',
  ]);
  expect(dryRunView(preview, { ...look, isVerbose: true }).join('\n')).toContain('method:');
});

test('a dry run of a file counts its records, in the language of the reader', () => {
  const ofFile = { ...preview, records: 3, valid: 2, invalid: 1 };
  const described = { records: { 'dry-run': record('billedCalls') }, noun: 'product' };
  expect(dryRunView(ofFile, { ...look, language: 'pt', described })).toEqual([
    expect.stringContaining('Simulação, nada foi enviado'),
    ...dryRunView(preview, { ...look, language: 'pt' }).slice(1, -2),
    '3 registros: válidos 2, inválidos 1',
    'chamadas cobradas: 1',
    '(-v mostra a requisição)',
  ]);
});

test('a plan without rows has no job and no time', () => {
  const nothing = [{ type: 'summary', total: 0, changed: 0, exitCode: 0 }];
  expect(batchView(nothing, look)).toEqual(['0 items']);
});

test('a dry run of a change shows the change instead of the whole body', () => {
  const changes = [{ field: 'name', from: 'A', to: 'B' }];
  const text = dryRunView({ ...preview, changes }, look).join('\n');
  expect(text).toContain('field: name');
  expect(text).not.toContain('C-1');
});

test('a dry run to an address of the profile names no parameters', () => {
  const request = { ...preview.request, url: 'https://api.example/elsewhere' };
  expect(dryRunView({ ...preview, request }, look).join('\n')).not.toContain('tenantId');
});
