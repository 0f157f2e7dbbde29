import Table from 'cli-table3';
import type { RenderOptions } from './render.js';
import { displayWidth, fit } from './width.js';

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  /** Cut cells of this column would be useless, so the column is left out instead. */
  readonly isWhole?: boolean;
}

const narrowest = 6;
/** The narrowest readable company name. */
const narrowestName = 18;
const gap = 3; // A space, a border and a space between columns.
/** cli-table3's time grows faster than the number of rows; parts with equal widths look like one table. */
const rowsAtOnce = 200;

const hidden = {
  en: (names: string) => `not shown: ${names} (a wider terminal, --fields or -o json)`,
  pt: (names: string) => `não mostrados: ${names} (um terminal mais largo, --fields ou -o json)`,
} as const;

/**
 * A table with light borders. When it is too wide, free text is shortened first, then columns are dropped from the
 * right and named below. Ids are shortened last, because people copy them into the next command. The cells are already
 * sanitised.
 */
export function tableLines(columns: readonly Column[], options: RenderOptions): readonly string[] {
  const cells = columns.map((column) => ({ ...column, cells: column.cells.map(shortTime) }));
  const { shown, widths, left } = choose(cells, options.columns - 1);
  if (shown.length === 0) return [];
  const rows = shown[0]?.cells.length ?? 0;
  const head = shown.map((column, index) => options.paint.strong(fit(column.title, widths[index] ?? 0)));
  const lines: string[] = [];
  for (let start = 0; start < Math.max(rows, 1); start += rowsAtOnce) {
    const part = shown.map(({ cells: all }) => all.slice(start, start + rowsAtOnce));
    lines.push(...piece(part, { widths, head: start === 0 ? head : [] }));
  }
  if (left.length > 0) lines.push(options.paint.dim(hidden[options.language](left.join(', '))));
  return lines;
}

interface PieceStyle {
  readonly widths: readonly number[];
  readonly head: readonly string[];
}

function piece(cells: readonly (readonly string[])[], { widths, head }: PieceStyle): readonly string[] {
  const table = new Table({
    head: [...head],
    colWidths: widths.map((width) => width + 2),
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1 },
    chars: lightBorders,
  });
  const rows = cells[0]?.length ?? 0;
  for (let row = 0; row < rows; row += 1) {
    table.push(cells.map((column, index) => fit(column[row] ?? '', widths[index] ?? 0)));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const lightBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  right: '',
  middle: '│',
  mid: '',
  'left-mid': '',
  'mid-mid': '',
  'right-mid': '',
} as const;

function naturalWidth(column: Column): number {
  return column.cells.reduce(
    (widest, cell) => Math.max(widest, displayWidth(cell)),
    displayWidth(column.title),
  );
}

/** Shows `2026-11-21T12:24:33.120Z` as `2026-11-21 12:24Z`; the data keep every digit. */
function shortTime(cell: string): string {
  const time = utcTime.exec(cell);
  return time === null ? cell : `${time[1]} ${time[2]}Z`;
}

const utcTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?Z$/;

/** Columns that people copy, which are useless when cut. */
function isIdentifier({ title }: Column): boolean {
  return /(^|\.)id$|^(product|job|item)Id$|^thumbprint$|[kK]ey$/.test(title);
}

/** Half a time or company id is useless: such a column is shown complete or not at all. */
function isWhole({ title, cells, isWhole: isAsked }: Column): boolean {
  return isAsked === true || title === 'companyId' || cells.some((cell) => shownTime.test(cell));
}

const shownTime = /^\d{4}-\d\d-\d\d \d\d:\d\dZ$/;

interface Choice {
  readonly shown: readonly Column[];
  readonly widths: readonly number[];
  /** The titles of the dropped columns. */
  readonly left: readonly string[];
}

function choose(columns: readonly Column[], room: number): Choice {
  const shown = [...columns];
  const left: string[] = [];
  for (;;) {
    const widths = fitWidths(shown, room - gap * (shown.length - 1) - 2);
    const last = shown.findLastIndex((column, index) => index > 0 && !isIdentifier(column));
    if (widths.isWhole || last === -1) return { shown, widths: widths.columns, left };
    left.unshift(shown[last]?.title ?? '');
    shown.splice(last, 1);
  }
}

/** Shortens the widest column of free text; `isWhole` is false when that was not enough and ids had to be shortened. */
function fitWidths(
  columns: readonly Column[],
  room: number,
): { columns: readonly number[]; isWhole: boolean } {
  const widths = columns.map(naturalWidth);
  const free = columns.map((column) => !isWhole(column) && !isIdentifier(column));
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  const least = columns.map(({ title }) => (title === 'companyName' ? narrowestName : narrowest));
  excess = shrink(
    widths,
    excess,
    widths.map((width, index) => (free[index] === true ? (least[index] ?? narrowest) : width)),
  );
  if (excess <= 0) return { columns: widths, isWhole: true };
  shrink(
    widths,
    excess,
    widths.map(() => narrowest),
  );
  return { columns: widths, isWhole: false };
}

/** Shortens the widest shrinkable column, one character at a time; returns the remaining excess. */
function shrink(widths: number[], excess: number, least: readonly number[]): number {
  let left = excess;
  while (left > 0) {
    const wide = widths.filter((width, index) => width > (least[index] ?? width));
    if (wide.length === 0) break;
    const widest = Math.max(...wide);
    const at = widths.findIndex((width, index) => width === widest && width > (least[index] ?? width));
    widths[at] = widest - 1;
    left -= 1;
  }
  return left;
}
