import type { Text } from '../../contract/text.js';
import { type CellReader, isRounded, rounded } from './cell-reader.js';
import { plainTitle } from './column-title.js';
import { exampleMarks, reportTitles } from './report-columns.js';
import type { Cells, InputRecord, Reading, RecordRules } from './record.js';

/** A row of a table, from CSV or a spreadsheet. */
export interface TableRow {
  readonly line: number;
  readonly cells: Cells;
  /** Columns whose cell is a number of the spreadsheet, and not a text that looks like one. */
  readonly typed?: ReadonlySet<number>;
  /** A problem of the row, found while it was read. */
  readonly problem?: Text | undefined;
}

interface Table {
  readonly name: string;
  readonly rules: Pick<RecordRules, 'rows'>;
  readonly reader: CellReader;
  /** Rows may be shorter than the header, and columns without a title are empty: so are those of spreadsheets. */
  readonly isSheet: boolean;
}

/**
 * The records of a table. The first row is the header; rows of empty cells and the example of a template are left out, and so
 * are the columns that a sheet of errors adds.
 */
export async function* tableRecords(rows: AsyncIterable<TableRow>, table: Table): AsyncIterable<InputRecord> {
  const { name, rules, reader, isSheet } = table;
  let read: ((cells: Cells) => Reading) | undefined;
  let header: Cells = [];
  let kept: readonly number[] = [];
  for await (const row of rows) {
    const { line, cells } = row;
    if (cells.every((cell) => cell.trim() === '') && row.problem === undefined) continue;
    if (read === undefined) {
      header = isSheet ? withoutEmptyEnd(cells) : cells.map((cell) => cell.trim());
      kept = [...header.keys()].filter((at) => isOfInput(header[at] ?? '', isSheet));
      read = rules.rows(take(header, kept), name);
      reader.header = take(header, kept);
      continue;
    }
    const filled = isSheet ? padded(cells, header.length) : cells;
    reader.row = { line, cells: [...take(filled, kept), ...filled.slice(header.length)] };
    reader.typed = new Set(kept.flatMap((at, index) => (row.typed?.has(at) === true ? [index] : [])));
    if (exampleMarks.includes(filled[0]?.trim() ?? '')) {
      reader.conversions.example(line);
      continue;
    }
    const problem = row.problem ?? wrongWidth(filled, header, isSheet) ?? lostDigits(header, filled);
    yield { line, ...(problem === undefined ? read(take(filled, kept)) : { problem }) };
  }
}

function withoutEmptyEnd(cells: Cells): Cells {
  const titles = cells.map((cell) => cell.trim());
  return titles.slice(0, titles.findLastIndex((title) => title !== '') + 1);
}

function isOfInput(title: string, isSheet: boolean): boolean {
  return !reportTitles.includes(plainTitle(title)) && !(isSheet && title === '');
}

function take(cells: Cells, kept: readonly number[]): Cells {
  return kept.map((at) => cells[at] ?? '');
}

function padded(cells: Cells, length: number): Cells {
  const missing = Math.max(0, length - cells.length);
  return missing === 0 ? cells : [...cells, ...Array.from({ length: missing }, () => '')];
}

function wrongWidth(cells: Cells, header: Cells, isSheet: boolean): Text | undefined {
  if (!isSheet) return cells.length === header.length ? undefined : otherWidth(cells.length, header.length);
  const at = cells.findIndex((cell, index) => (header[index] ?? '') === '' && cell.trim() !== '');
  return at === -1 ? undefined : withoutTitle(columnLetters(at));
}

/** The first cell whose number a spreadsheet has rounded. */
function lostDigits(header: Cells, cells: Cells): Text | undefined {
  const at = cells.findIndex(isRounded);
  return at === -1 ? undefined : rounded(header[at] ?? '', cells[at] ?? '');
}

/** 27 → `AB`, as a spreadsheet names its columns. */
export function columnLetters(index: number): string {
  const rest = index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1);
  return rest + String.fromCharCode(65 + (index % 26));
}

function otherWidth(found: number, expected: number): Text {
  return {
    en: `has ${found} cells where the header has ${expected}`,
    pt: `tem ${found} células e o cabeçalho tem ${expected}`,
  };
}

function withoutTitle(column: string): Text {
  return {
    en: `has a value in column ${column}, which has no title`,
    pt: `tem um valor na coluna ${column}, que não tem título`,
  };
}
