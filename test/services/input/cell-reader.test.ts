import { describe, expect, test } from 'vitest';
import { CellReader, isRounded } from '../../../src/services/input/cell-reader.js';

describe('a number', () => {
  test.each([
    ['1.234,56', '1234.56'],
    ['-1.234.567,8', '-1234567.8'],
    ['1,234.56', '1234.56'],
    ['1.234.567', '1234567'],
    ['18,00', '18.00'],
    ['0,650', '0.650'],
    ['1234,567', '1234.567'],
    ['R$ 10,50', '10.50'],
    ['12.5', '12.5'],
    ['100', '100'],
    ['12345678901234567890,123456789', '12345678901234567890.123456789'],
  ])('%s is read as %s, with all its digits', (cell, text) => {
    expect(new CellReader({}).number(cell, { column: 'price' })).toEqual({ text });
  });

  test.each(['', 'coffee', '1.2.3', '1,23,456.7', '01.234,5.6', '.5', '1e5', '١٢'])(
    'the cell %j is none and stays as it is',
    (cell) => {
      expect(new CellReader({}).number(cell, { column: 'price' })).toEqual({ text: cell });
    },
  );

  test.each([
    ['1.234', '1.234', '1234'],
    ['1,234', '1234', '1.234'],
    ['-999.000', '-999.000', '-999000'],
  ])('%s has two readings, of which --decimal chooses one', (cell, point, comma) => {
    const column = 'items[0].quantity';
    expect(new CellReader({}).number(cell, { column })).toEqual({
      problem: {
        en: `column ${column}: "${cell}" can be ${point} or ${comma}; give --decimal point or --decimal comma`,
        pt: `coluna ${column}: "${cell}" pode ser ${point} ou ${comma}; informe --decimal point ou --decimal comma`,
      },
    });
    expect(new CellReader({ decimal: 'point' }).number(cell, { column })).toEqual({ text: point });
    expect(new CellReader({ decimal: 'comma' }).number(cell, { column })).toEqual({ text: comma });
  });

  test('has one reading where the other is greater than the column allows', () => {
    const percent = { column: 'pICMS', atMost: 100 };
    expect(new CellReader({}).number('12.345', percent)).toEqual({ text: '12.345' });
    expect(new CellReader({}).number('12,345', percent)).toEqual({ text: '12.345' });
  });
});

test('a code loses its punctuation; what is no code stays as it is', () => {
  const cells = new CellReader({});
  const written = ['0901.21.00', '17.096.00', '09012100', 'isento', '.', 'A.1'];
  expect(written.map((cell) => cells.code(cell))).toEqual([
    ...['09012100', '1709600', '09012100', 'isento', '.', 'A.1'],
  ]);
});

test('conversions are counted, with their first three values, in both languages', () => {
  const cells = new CellReader({});
  for (const cell of ['1,5', '2,50', '3', '4,75', '5,25']) cells.number(cell, { column: 'price' });
  cells.code('0901.21.00');
  expect(cells.conversions.texts('p.csv')).toEqual([
    {
      en: 'p.csv: reads 4 numbers with a decimal point (1,5 → 1.5, 2,50 → 2.50, 4,75 → 4.75, …)',
      pt: 'p.csv: lê 4 números com ponto decimal (1,5 → 1.5, 2,50 → 2.50, 4,75 → 4.75, …)',
    },
    {
      en: 'p.csv: reads 1 code without its punctuation (0901.21.00 → 09012100)',
      pt: 'p.csv: lê 1 código sem a pontuação (0901.21.00 → 09012100)',
    },
  ]);
});

test('a number that a spreadsheet rounded is known by its form', () => {
  expect(['3,52610E+43', '3.52610E+43', '4E+12'].map(isRounded)).toEqual([true, true, true]);
  expect(['3E10', 'E+43', 'CAFE+10', '12E+43', '3,5E-05', '3,5E+4'].some(isRounded)).toBe(false);
});
