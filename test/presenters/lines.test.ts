import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { csvLine } from '../../src/presenters/csv.js';
import { errorJson } from '../../src/presenters/error-json.js';
import { errorLines } from '../../src/presenters/error-text.js';
import { columnsView, genericView } from '../../src/presenters/generic.js';
import { record } from '../../src/presenters/record.js';
import { createPaint, type RenderOptions, plainPaint } from '../../src/presenters/render.js';
import { displayWidth, fit } from '../../src/presenters/width.js';

const look: RenderOptions = { language: 'en', columns: 40, paint: plainPaint };

describe('a table', () => {
  test('is shortened to the width of the terminal, widest column first', () => {
    const rows = [{ id: 'a', name: 'a very long name that does not fit on the line at all', status: 'Active' }];
    expect(genericView(rows, look)).toEqual([
      ' id │ name                    │ status',
      ' a  │ a very long name that … │ Active',
    ]);
  });

  test('is aligned with wide characters', () => {
    const rows = [
      { name: '株式会社', x: '1' },
      { name: 'Ação', x: '2' },
    ];
    expect(genericView(rows, look)).toEqual([' name     │ x', ' 株式会社 │ 1', ' Ação     │ 2']);
  });

  test('is never wider than the terminal if columns can be shortened', () => {
    const row = fc.record({ a: fc.string({ maxLength: 80 }), b: fc.string({ maxLength: 80 }), c: fc.nat() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const plain = rows.map((entry) => ({
          ...entry,
          a: entry.a.replaceAll(/[^ -~]/g, '?'),
          b: entry.b.replaceAll(/[^ -~]/g, '?'),
        }));
        for (const line of genericView(plain, look)) expect(displayWidth(line)).toBeLessThanOrEqual(40);
      }),
    );
  });

  test('of companies shows their names if there is no room for their ids, which are never truncated', () => {
    const [id, other] = ['5a0dbe11-7e57-4c0d-9a6e-000000c09a27', '5a0dbe11-7e57-4c0d-9a6e-000000c09a28'];
    const rows = [
      { companyId: id, companyName: 'Padaria São João Ltda', companyTaxNumber: '33000167000101', state: 'done' },
      { companyId: other, state: 'off' },
    ];
    expect(genericView(rows, { ...look, columns: 60 })).toEqual([
      ' companyName           │ companyTaxNumber │ state',
      ' Padaria São João Ltda │ 33000167000101   │ done',
      '                       │                  │ off',
      'not shown: companyId (a wider terminal, --fields or -o',
      'json)',
    ]);
    const named = columnsView(['companyName', 'state']);
    const described = { records: { row: record('companyName companyId state') }, noun: 'row' };
    expect(named(rows, { ...look, columns: 60, described })).toEqual([
      ' company                              │ state',
      ' Padaria São João Ltda                │ done',
      ` ${other} │ off`,
    ]);
    expect(named(rows.slice(1), { ...look, columns: 50, described })).toEqual([
      ' company id                           │ state',
      ` ${other} │ off`,
    ]);
  });

  test('without rows says so, in both languages', () => {
    expect(genericView([], look)).toEqual(['nothing to show']);
    expect(genericView([], { ...look, language: 'pt' })).toEqual(['nada a mostrar']);
  });
});

test('one object is shown field by field, nested fields indented', () => {
  const data = { id: 'p', tax: { ncm: '1234' }, customTax: [{ operationCode: 1, a: 2 }], none: null };
  expect(genericView(data, look)).toEqual([
    'id: p',
    'tax:',
    '  ncm: 1234',
    'customTax:',
    '  - operationCode: 1',
    '    a:             2',
  ]);
});

test('a truncated text ends with an ellipsis and fits its column', () => {
  expect([fit('abc', 3), fit('abcd', 3), fit('株式会社', 5)]).toEqual(['abc', 'ab…', '株式…']);
});

test('a CSV line survives formatting and parsing, whatever it contains', async () => {
  const { parse } = await import('csv-parse/sync');
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 5 }), (cells) => {
      expect(parse(csvLine(cells), { relax_column_count: true, record_delimiter: '\r\n' })).toEqual([cells]);
    }),
  );
});

const fault = new FiscalError(
  'service.refused',
  { status: 422, message: 'bad\u001b[31m' },
  {
    details: [
      { field: 'customTax[0].cfop', message: { en: 'unknown', pt: 'desconhecido' } },
      { field: '', message: 'as it came' },
    ],
    httpStatus: 422,
    requestId: 'req-1',
    operation: 'product.create',
    attempts: 1,
    retryable: false,
    sent: 'yes',
    resume: 'fiscal job resume j1',
    hint: { en: 'correct the field', pt: 'corrija o campo' },
  },
);

test('an error is a sentence, then its details, the hint, how to continue and the request id', () => {
  expect(errorLines(fault, { ...look, columns: Number.POSITIVE_INFINITY, language: 'pt' })).toEqual([
    'fiscal: o serviço recusou a requisição (HTTP 422): bad\\u001b[31m',
    '  customTax[0].cfop: desconhecido',
    '  as it came',
    '  dica: corrija o campo',
    '  para continuar: fiscal job resume j1',
    '  id da requisição: req-1',
  ]);
});

test('an error as JSON has its fields in order, without absent ones', () => {
  expect(errorJson(fault, 6)).toBe(
    '{"type":"error","error":{"code":"service.refused","message":"the service refused the request (HTTP 422): bad\\u001b[31m",' +
      '"details":[{"field":"customTax[0].cfop","message":"unknown"},{"field":"","message":"as it came"}],' +
      '"httpStatus":422,"requestId":"req-1","operation":"product.create","attempts":1,"retryable":false,"sent":"yes",' +
      '"resume":"fiscal job resume j1","hint":"correct the field","exitCode":6}}',
  );
});

test('paint adds colour only if colour is enabled', async () => {
  expect((await createPaint(1)).bad('x')).toBe('\u001b[31mx\u001b[39m');
  expect((await createPaint(0)).bad('x')).toBe('x');
});
