import { expect, test } from 'vitest';
import { csvStyles } from '../../src/presenters/csv.js';
import { plainCell } from '../../src/services/input/plain-cell.js';
import { withoutFormula } from '../../src/domain/spreadsheet-cell.js';

test.each([
  ['=1+1', "'=1+1"],
  ['+55 11 91234-5678', "'+55 11 91234-5678"],
  ['-2+3', "'-2+3"],
  ['-1.2.3', "'-1.2.3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\uFF1D1', "'\uFF1D1"],
  ['x;=1', "x;'=1"],
  ['x,=1', "x,'=1"],
  ['x\t@A1', "x\t'@A1"],
  ['x\r\n=1', "x\r\n'=1"],
  ['x; "=1', `x; "'=1`],
  ['x;-1+1;-2', "x;'-1+1;-2"],
  ['x,+1', "x,'+1"],
])('%j may run as a formula', (text, cell) => {
  expect(withoutFormula(text)).toBe(cell);
});

test.each(['-12.5', '-12,5', '-3', '0', '12.50', 'Padaria', '', '2026-10-01', 'a;b,c', '1;-2,5;-3', 'a=b, c'])(
  '%j stays',
  (text) => {
    expect(withoutFormula(text)).toBe(text);
  },
);

/** As a spreadsheet reads a line: quotes count only at the beginning of a cell. */
function cellsOf(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    for (; at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at] ?? ''); at += 1) cell += text[at];
    cells.push(cell);
  }
  return cells;
}

test.each([';', ',', '\t'])('no cell of the safe CSV runs where a locale separates by %j', (separator) => {
  const starts = ['=1', '+1+1', '-1+1', '@A1', '\uFF1D1'];
  const texts = starts.flatMap((start) =>
    [';', ',', '\t', '\n', '\r\n', ';"', ',"', '\t"', '; ', ', "'].flatMap((gap) => [
      ...[`x${gap}${start}`, `"${gap}${start}`, `1${gap}${start}`, `0${gap}${start}`, `${gap}${start}`],
    ]),
  );
  const safe = texts.map((text) => csvStyles['excel-br'].line(['a', text, text]));
  expect(safe.filter((line) => cellsOf(line, separator).some((cell) => /^[=+\-@\uFF1D]/.test(cell)))).toEqual([]);
  expect(texts.map((text) => plainCell(withoutFormula(text))).filter((text) => /'[=+\-@]/.test(text))).toEqual([]);
});
