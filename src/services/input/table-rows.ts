import type { Text } from '../../contract/text.js';
import { type CellReader, isRounded, rounded } from './cell-reader.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { plainTitle } from './column-title.js';
import { LineProblems } from './line-problems.js';
import { plainCell, withoutEdges } from './plain-cell.js';
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
  readonly rules: Pick<RecordRules, 'rows' | 'ignores'>;
  readonly reader: CellReader;
  /** Rows may be shorter than the header, and columns without a title are empty: so are those of spreadsheets. */
  readonly isSheet: boolean;
}

/** More titles than a report has above its table. */
const MOST_TITLES = 20;

/**
 * The records of a table. The first row that the rules take is the header; the rows above it are titles, and a notice says that
 * they are left out. So are rows of empty cells, the example of a template, and the columns that a sheet of errors adds.
 */
export async function* tableRecords(rows: AsyncIterable<TableRow>, table: Table): AsyncIterable<InputRecord> {
  const { name, rules, reader, isSheet } = table;
  const titles: Title[] = [];
  let read: ((cells: Cells) => Reading) | undefined;
  let header: Cells = [];
  let kept: readonly number[] = [];
  for await (const { cells: written, line, problem: fault, typed } of rows) {
    const cells = written.map(plainCell);
    if (cells.every((cell) => cell === '') && fault === undefined) continue;
    if (read === undefined) {
      const trimmed = cells.map(withoutEdges);
      header = isSheet ? withoutEmptyEnd(trimmed) : trimmed;
      kept = [...header.keys()].filter((at) => isOfInput(header[at] ?? '', isSheet));
      reader.row = { line, cells };
      try {
        read = rules.rows(take(header, kept), name);
      } catch (error) {
        if (!(error instanceof FiscalError) || !isOtherHeader(error)) throw error;
        titles.push({ line, cells, error });
        if (titles.length > MOST_TITLES) throw noHeader(titles, name);
        continue;
      }
      reader.header = take(header, kept);
      sayTitles(titles, reader);
      continue;
    }
    const filled = isSheet ? padded(cells, header.length) : cells;
    reader.row = { line, cells: [...take(filled, kept), ...filled.slice(header.length)] };
    reader.typed = new Set(kept.flatMap((at, index) => (typed?.has(at) === true ? [index] : [])));
    if (exampleMarks.includes(filled[0]?.trim() ?? '')) {
      reader.conversions.example(line);
      continue;
    }
    const values = take(filled, kept);
    const problem = fault ?? wrongWidth(filled, header, isSheet) ?? lostDigits(values, reader.header, rules);
    yield { line, ...(problem === undefined ? read(values) : { problem }) };
  }
  if (read === undefined && titles.length > 0) throw noHeader(titles, name);
}

/** A row above the header, and why it is no header itself. */
interface Title {
  readonly line: number;
  readonly cells: Cells;
  readonly error: FiscalError;
}

function sayTitles(titles: readonly Title[], { conversions }: CellReader): void {
  const [first] = titles;
  if (first !== undefined) conversions.titles(titles.length, first.cells.find((cell) => cell !== '') ?? '');
}

function isOtherHeader({ code }: FiscalError): boolean {
  return code === 'input.missing_column' || code === 'input.unknown_column';
}

/** A list without header, all of whose keys a spreadsheet has rounded, lacks its digits and no column. */
function noHeader(titles: readonly Title[], name: string): FiscalError {
  for (const { line, cells } of titles) {
    const at = cells.findIndex(isRounded);
    if (at === -1) continue;
    const problems = new LineProblems();
    problems.add(line, [{ field: '', message: rounded(columnLetters(at), cells[at] ?? '') }]);
    return problems.error(name);
  }
  const filled = ({ cells }: Title): number => cells.filter((cell) => cell !== '').length;
  const [likeliest] = titles.toSorted((one, other) => filled(other) - filled(one));
  return likeliest?.error ?? new FiscalError('input.empty', { path: name });
}

function withoutEmptyEnd(cells: Cells): Cells {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
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
  const at = cells.findIndex((cell, index) => (header[index] ?? '') === '' && cell !== '');
  return at === -1 ? undefined : withoutTitle(columnLetters(at));
}

/** The first cell, of those that the rules read, whose number a spreadsheet has rounded. */
function lostDigits(cells: Cells, header: Cells, rules: Table['rules']): Text | undefined {
  const at = cells.findIndex((cell, index) => isRounded(cell) && rules.ignores?.(index) !== true);
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
