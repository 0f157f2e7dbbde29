import type { Text } from '../../contract/text.js';
import { Conversions } from './conversions.js';
import type { Encoding } from './table-text.js';

type DecimalMark = 'comma' | 'point';

/** What a user says about a table; absent: it is read from the table. */
export interface TableForm {
  readonly encoding?: Encoding | undefined;
  readonly decimal?: DecimalMark | undefined;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
}

export type CellReading = { readonly text: string } | { readonly problem: Text };

interface NumberCell {
  readonly column: string;
  /** Its position among the columns of the rules. */
  readonly at?: number;
  /** No value of this column is greater. */
  readonly atMost?: number;
}

/** Reads the cells of one table as spreadsheets write them, and counts what it changes. */
export class CellReader {
  readonly conversions = new Conversions();
  readonly encoding: Encoding | undefined;
  readonly sheet: string | undefined;
  /** What is being read; absent for JSON. */
  table: { readonly form: 'csv' | 'xlsx'; readonly separator: string } | undefined;
  /** The titles of the columns of the rules. */
  header: readonly string[] = [];
  /** The place in `header` of each field that has a column. */
  columns: ReadonlyMap<string, number> = new Map();
  /** The row of the record that was given last: its cells for the header, and those beyond it. */
  row: { readonly line: number; readonly cells: readonly string[] } = { line: 0, cells: [] };
  /** Columns of that row, as the rules count them, whose cell is a number of the spreadsheet. */
  typed: ReadonlySet<number> = new Set();
  readonly #decimal: DecimalMark | undefined;

  constructor({ encoding, decimal, sheet }: TableForm) {
    this.encoding = encoding;
    this.sheet = sheet;
    this.#decimal = decimal;
  }

  /**
   * A number with a decimal point and the digits of the cell: `1.234,56` → `1234.56`. What is no number stays as it is. A
   * number with two readings, such as `1.234`, is a problem, unless `--decimal` or the largest value decides.
   */
  number(cell: string, { column, at, atMost }: NumberCell): CellReading {
    if (at !== undefined && this.typed.has(at)) return { text: cell.replace(/%$/, '') };
    const bare = cell.replace(/^R\$\s*/, '');
    const readings = this.#readings(bare);
    const [one, other] = readings.filter((text) => atMost === undefined || Number(text) <= atMost);
    const text = one ?? readings[0];
    if (text === undefined) return { text: cell };
    if (one !== undefined && other !== undefined) return { problem: twoReadings(column, cell, [one, other]) };
    if (text !== cell) this.conversions.add('number', cell, text);
    return { text };
  }

  /** A code without its dots, hyphens and spaces: `0901.21.00` → `09012100`. What is no such code stays as it is. */
  code(cell: string): string {
    if (!/^\d[\d.\s/-]*\d$/.test(cell) || /^\d+$/.test(cell)) return cell;
    const text = cell.replaceAll(/\D/g, '');
    this.conversions.add('code', cell, text);
    return text;
  }

  /** The numbers that a cell can stand for, by `--decimal` if it is given. */
  #readings(cell: string): readonly string[] {
    const marks = this.#decimal === undefined ? (['point', 'comma'] as const) : [this.#decimal];
    return [...new Set(marks.flatMap((mark) => readAs(cell, mark) ?? []))];
  }
}

const forms = {
  point: { grouped: /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/, plain: /^-?\d+(?:\.\d+)?$/ },
  comma: { grouped: /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/, plain: /^-?\d+(?:,\d+)?$/ },
} as const;

function readAs(cell: string, mark: DecimalMark): string | undefined {
  const { grouped, plain } = forms[mark];
  if (!plain.test(cell) && !grouped.test(cell)) return undefined;
  return mark === 'point' ? cell.replaceAll(',', '') : cell.replaceAll('.', '').replace(',', '.');
}

function twoReadings(column: string, cell: string, [point, comma]: readonly [string, string]): Text {
  return {
    en: `column ${column}: "${cell}" can be ${point} or ${comma}; give --decimal point or --decimal comma`,
    pt: `coluna ${column}: "${cell}" pode ser ${point} ou ${comma}; informe --decimal point ou --decimal comma`,
  };
}

/** How a spreadsheet writes a long number, of which it has lost digits: `3,52610E+43`, and others `3.5E43`; `3E43` may be a code. */
export function isRounded(cell: string): boolean {
  return /^\d(?:[.,]\d+E\+?|E\+)\d{2,3}$/i.test(cell);
}

export function rounded(column: string, cell: string): Text {
  return {
    en: `column ${column}: "${cell}" is a number that a spreadsheet has rounded, and its digits are lost; format the column as text (Excel: Format Cells, Text) and enter the value again`,
    pt: `coluna ${column}: "${cell}" é um número que a planilha arredondou, e os dígitos se perderam; formate a coluna como texto (Excel: Formatar Células, Texto) e digite o valor de novo`,
  };
}
