import { parseDecimalText } from '../../domain/decimal-text.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { type SheetValue, workbookBytes } from '../../io/workbook.js';
import { csvLine, csvQuoted, csvStyles } from '../../presenters/csv.js';
import type { ColumnKind, TableColumn, TableRow } from './table-column.js';

export const tableForms = ['csv', 'csv-excel-br', 'xlsx'] as const;
export type TableForm = (typeof tableForms)[number];

interface FormRequest {
  readonly form: TableForm;
  /** Of the sheet. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
}

/** A table as the bytes of a file, while its rows are made. */
export function tableBytes(
  rows: AsyncIterable<TableRow>,
  { form, name, columns }: FormRequest,
): AsyncIterable<Uint8Array> {
  const kinds = columns.map(({ kind }) => kind);
  const names = columns.map((column) => column.name);
  if (form === 'csv') return csvBytes(rows, names, { beginning: '', line: csvLine });
  if (form === 'csv-excel-br') {
    const { beginning } = csvStyles['excel-br'];
    return csvBytes(rows, names, { beginning, line: (row) => excelLine(row, kinds) });
  }
  const typed = columns.map((column) => ({ title: column.name, kind: sheetKinds[column.kind] }));
  return workbookBytes(sheetRows(rows, kinds), { name, columns: typed });
}

const PIECE = 64 * 1024;

interface CsvForm {
  readonly beginning: string;
  line(cells: TableRow): string;
}

async function* csvBytes(
  rows: AsyncIterable<TableRow>,
  names: readonly string[],
  { beginning, line }: CsvForm,
): AsyncIterable<Uint8Array> {
  let text = beginning + line(names);
  for await (const row of rows) {
    text += line(row);
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function excelLine(row: TableRow, kinds: readonly ColumnKind[]): string {
  const cells = row.map((cell, index) => (cell === undefined ? '' : excelCell(cell, kinds[index] ?? 'text')));
  return `${cells.map((cell) => csvQuoted(cell, ';')).join(';')}\r\n`;
}

function excelCell(text: string, kind: ColumnKind): string {
  if (kind === 'amount') return fitsNumber(text) ? text.replace('.', ',') : asText(text.replace('.', ','));
  if (kind === 'day' || kind === 'time') return brazilianTime(text);
  return asText(text);
}

/** Excel keeps 255 characters of a text in a formula. */
const MOST_IN_FORMULA = 255;

/**
 * A text that Excel keeps as it is: what begins like a number or a date (a key, a CNPJ, `1-2`, `12E34`) as `="…"`, what it would
 * run as a formula behind an apostrophe.
 */
function asText(text: string): string {
  if (
    /^[+-]?[.,]?\d/.test(text) &&
    text.length <= MOST_IN_FORMULA &&
    !/\p{Cc}/u.test(text) &&
    withoutFormula(text.slice(1)) === text.slice(1)
  )
    return `="${text.replaceAll('"', '""')}"`;
  return withoutFormula(text);
}

/** `05/10/2026 09:30:00`, by the clock of the document. */
function brazilianTime(text: string): string {
  const [date = '', time = ''] = text.split('T');
  const clock = /^\d{2}:\d{2}(?::\d{2})?/.exec(time)?.[0] ?? '';
  return [date.split('-').reverse().join('/'), clock].filter((part) => part !== '').join(' ');
}

/** Excel keeps 15 digits of a number. */
const EXCEL_DIGITS = 15;

/** Whether Excel keeps every digit; zeros at the end of the decimals are none. */
function fitsNumber(text: string): boolean {
  const parts = parseDecimalText(text);
  if (parts === undefined) return false;
  let end = parts.fraction.length;
  while (parts.fraction[end - 1] === '0') end -= 1;
  const digits = parts.whole === '0' ? parts.fraction.slice(0, end) : parts.whole + parts.fraction.slice(0, end);
  return digits.length <= EXCEL_DIGITS;
}

const sheetKinds = { text: 'text', code: 'text', amount: 'number', day: 'date', time: 'time', offset: 'text' } as const;

async function* sheetRows(
  rows: AsyncIterable<TableRow>,
  kinds: readonly ColumnKind[],
): AsyncIterable<readonly SheetValue[]> {
  for await (const row of rows)
    yield row.map((cell, index) => (cell === undefined ? null : sheetCell(cell, kinds[index] ?? 'text')));
}

function sheetCell(text: string, kind: ColumnKind): SheetValue {
  if (kind === 'amount') return fitsNumber(text) ? Number(text) : text;
  if (kind !== 'day' && kind !== 'time') return text;
  // The clock of the document: workbooks know no zone.
  const clock = /^[\d-]{10}(?:T\d{2}:\d{2}(?::\d{2})?)?/.exec(text)?.[0] ?? text;
  const date = new Date(clock.length > 10 ? `${clock}Z` : clock);
  return date.getUTCFullYear() >= FIRST_YEAR ? date : text;
}

/** Of the dates of Excel. */
const FIRST_YEAR = 1901;
