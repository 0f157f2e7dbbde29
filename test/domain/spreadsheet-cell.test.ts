import { expect, test } from 'vitest';
import { withoutFormula } from '../../src/domain/spreadsheet-cell.js';

test.each([
  ['=1+1', "'=1+1"],
  ['+55 11 91234-5678', "'+55 11 91234-5678"],
  ['-2+3', "'-2+3"],
  ['-1.2.3', "'-1.2.3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\uFF1D1', "'\uFF1D1"],
])('%j may run as a formula', (text, cell) => {
  expect(withoutFormula(text)).toBe(cell);
});

test.each(['-12.5', '-12,5', '-3', '0', '12.50', 'Padaria', '', '2026-10-01'])('%j stays', (text) => {
  expect(withoutFormula(text)).toBe(text);
});
