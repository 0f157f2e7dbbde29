import Table from 'cli-table3';
import type { Language } from '../contract/text.js';
import { isLongId, paintedAs, shortId, shownCell, type ShownField, shownText, type Cell } from './cell.js';
import { layOut, type Layout, type LayoutColumn } from './layout.js';
import { fieldAt, innerOf, type OutputSchema, titleOf } from './record.js';
import type { RenderOptions } from './render.js';
import { scalarText } from './scalar.js';
import { displayWidth, fit, pad, padStart, wrapWords } from './width.js';

export interface Column {
  /** The name of the field; people see its title. */
  readonly title: string;
  readonly cells: readonly unknown[];
  /** Cut cells of this column would be useless, so the column is left out instead. */
  readonly isWhole?: boolean;
  /** Never left out. */
  readonly isRequired?: boolean;
  /** Its text goes below the row where the table has no room for it. */
  readonly isBelow?: boolean;
}

export interface TableChoices {
  /** Fields of further columns, which are only named. */
  readonly unlisted?: readonly string[];
  /** The titles are the names of the fields and ids are whole, as for columns that were asked for by name. */
  readonly isRaw?: boolean;
  /** The description of the rows. */
  readonly record?: OutputSchema | undefined;
}

/** So many rows are drawn by cli-table3, which takes 30 µs for a cell; more of them are joined in the same form. */
const drawnRows = 50;

/** Of columns that are not shown, so many are named, each with so many characters. */
const mostNamed = 50;
const longestName = 60;

function namesOf(fields: readonly string[]): string {
  const named = fields.slice(0, mostNamed).map((field) => fit(field, longestName));
  return [...named, ...(fields.length > mostNamed ? [`… +${fields.length - mostNamed}`] : [])].join(', ');
}

const words: Readonly<Record<Language, Readonly<Record<'hidden' | 'shortened' | 'how', string>>>> = {
  en: { hidden: 'not shown', shortened: 'shortened', how: 'a wider terminal, --fields or -o json' },
  pt: { hidden: 'não mostrados', shortened: 'abreviados', how: 'um terminal mais largo, --fields ou -o json' },
};

/** The names of the fields that are not shown or shortened, as `--fields` takes them, and how to see them. */
function hiddenLine(left: readonly string[], shortened: readonly string[], options: RenderOptions): string[] {
  const word = words[options.language];
  const parts = [
    ...(left.length > 0 ? [`${word.hidden}: ${namesOf(left)}`] : []),
    ...(shortened.length > 0 ? [`${word.shortened}: ${namesOf(shortened)}`] : []),
  ];
  if (parts.length === 0) return [];
  const text = `${parts.join('; ')} (${word.how})`;
  return wrapWords(text.split(' '), options.columns - 1, displayWidth).map(options.paint.dim);
}

/**
 * A table with light borders. When it is too wide, free text is shortened first, then long ids in the middle, then columns are
 * dropped from the right and named below. The cells are already sanitised.
 */
export function tableLines(
  columns: readonly Column[],
  options: RenderOptions,
  { unlisted = [], isRaw = false, record }: TableChoices = {},
): readonly string[] {
  const prepared = columns.map((column) => prepare(column, options, { isRaw, record }));
  const room = options.columns - 1;
  const { layout, below } = choose(prepared, room);
  if (layout.shown.length === 0) return [];
  const rows = drawn(layout, prepared, options);
  const lines = below.length === 0 ? rows : withBelow(rows, below, options);
  const shortened = layout.shown.filter(({ isShort }) => isShort).map(({ column }) => column.field);
  return [...lines, ...hiddenLine([...layout.left, ...unlisted], shortened, options)];
}

interface Prepared extends LayoutColumn {
  readonly isNumeric: boolean;
  readonly tones: readonly Cell['tone'][];
  readonly isBelow: boolean;
}

function prepare(
  column: Column,
  options: RenderOptions,
  { isRaw = false, record }: Pick<TableChoices, 'isRaw' | 'record'>,
): Prepared {
  const { title: field, cells, isWhole = false, isRequired = false, isBelow = false } = column;
  const described = { name: field, schema: fieldAt(record, field) };
  const shown = cells.map((value) => (isRaw ? rawCell(value, options) : shownCell(described, value, options)));
  const texts = shown.map(({ text }) => text);
  return {
    field,
    title: isRaw ? field : titleOf(record, field, options.language),
    cells: texts,
    tones: shown.map(({ tone }) => tone),
    isWhole: isWhole || (isRaw ? field === 'companyId' : isUnbroken(described, texts)) || texts.some(isTimeOrDay),
    isNumeric: isNumeric(field, texts),
    isRequired,
    mayShorten: !isRaw,
    isBelow,
  };
}

const emptyCell: Cell = { text: '', tone: 'none' };

/** The value as it is in the data, with times as people read them. */
function rawCell(value: unknown, options: RenderOptions): Cell {
  if (value === '') return emptyCell;
  return { text: shownText({ name: '' }, scalarText(value), options), tone: 'none' };
}

/** Counts and amounts; numbers that name something are text. */
function isNumeric(field: string, cells: readonly string[]): boolean {
  if (naming.test(field)) return false;
  const given = cells.filter((cell) => cell !== '');
  return given.length > 0 && given.every((cell) => cell.length <= 15 && number.test(cell));
}

/** `1234.5`, and `1.234,50` in Portuguese. */
const number = /^-?(?:\d+(?:\.\d+)?|\d{1,3}(?:\.\d{3})*,\d+)$/;

const naming =
  /(?:[tT]axNumber|[kK]ey|[iI]d|[cC]ode|label|sku|value|protocol|thumbprint|[nN]umber|serie|ncm|cfop|cst)$/;

/** Half of a number, a state or a name of an operation would be read as another one. */
function isUnbroken({ name, schema }: ShownField, cells: readonly string[]): boolean {
  const shown = innerOf(schema)?.shown;
  const isWord = shown === 'state' || shown === 'word' || shown === 'name' || shown === 'cnpj';
  return (isWord || isNumeric(name, cells)) && longest(cells) <= longestWhole;
}

const longestWhole = 40;

const shownTime = /^(?:\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d{4})(?: \d\d:\d\dZ?)?$/;

function isTimeOrDay(text: string): boolean {
  return text.length >= 10 && text.length <= 17 && shownTime.test(text);
}

/** Long texts are a column if everything fits with them, and lines below the rows otherwise. */
function choose(
  columns: readonly Prepared[],
  room: number,
): { readonly layout: Layout; readonly below: readonly Prepared[] } {
  const below = columns.filter(({ isBelow }) => isBelow);
  const whole = layOut(columns, room);
  const isCut = whole.shown.some(
    ({ column, width }) => below.some(({ field }) => field === column.field) && width < longest(column.cells),
  );
  if (below.length === 0 || (whole.left.length === 0 && !isCut)) return { layout: whole, below: [] };
  return {
    layout: layOut(
      columns.filter((column) => !column.isBelow),
      room,
    ),
    below,
  };
}

function longest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, cell.length), 0);
}

/** The title and one line per row. */
function drawn(layout: Layout, prepared: readonly Prepared[], options: RenderOptions): readonly string[] {
  const segmenter = new Intl.Segmenter();
  const widths = layout.shown.map(({ width }) => width);
  const head = layout.shown.map(({ column, width }) => options.paint.strong(fit(column.title, width, segmenter)));
  const isRight = new Set(prepared.flatMap((column) => (column.isNumeric ? [column.field] : [])));
  const colAligns = layout.shown.map(({ column }) => (isRight.has(column.field) ? 'right' : 'left'));
  const painted = layout.shown.map(({ column, width, isShort }) => {
    const tones = prepared.find(({ field }) => field === column.field)?.tones ?? [];
    return (row: number): string => {
      const text = column.cells[row] ?? '';
      const cut = fit(isShort ? shortId(text, options) : text, width, segmenter);
      return paintedAs(tones[row] ?? 'none', options)(cut);
    };
  });
  const rows = [...(prepared[0]?.cells.keys() ?? [])];
  const cellsOf = (row: number): readonly string[] => painted.map((cellOf) => cellOf(row));
  const style = { widths, colAligns, head };
  return [
    ...tableOf(rows.slice(0, drawnRows).map(cellsOf), style),
    ...rows.slice(drawnRows).map((row) => joined(cellsOf(row), style)),
  ];
}

/** So many lines of a text below a row; the data have it whole. */
const mostBelow = 6;

/** The first line of `rows` is the title. */
function withBelow(rows: readonly string[], below: readonly Prepared[], options: RenderOptions): readonly string[] {
  const width = Math.max(options.columns - 6, 20);
  const arrow = options.isAscii === true ? '->' : '↳';
  return rows.flatMap((line, index) => [
    line,
    ...below.flatMap(({ cells }) => {
      const text = cells[index - 1] ?? '';
      if (index === 0 || text === '') return [];
      const start = isLongId(text) ? text : fit(text, width * mostBelow);
      return wrapWords(start.split(' '), width, displayWidth).map((part, at) =>
        at === 0 ? `   ${arrow} ${part}` : `     ${part}`,
      );
    }),
  ]);
}

interface TableStyle {
  readonly widths: readonly number[];
  readonly colAligns: readonly ('left' | 'right')[];
  readonly head: readonly string[];
}

/** One line, as cli-table3 draws it; the cells fit their columns. */
function joined(row: readonly string[], { widths, colAligns }: TableStyle): string {
  const cells = row.map((cell, at) => {
    const width = widths[at] ?? 0;
    return colAligns[at] === 'right' ? padStart(cell, width) : pad(cell, width);
  });
  return ` ${cells.join(' │ ')}`.trimEnd();
}

function tableOf(rows: readonly (readonly string[])[], { widths, colAligns, head }: TableStyle): readonly string[] {
  const table = new Table({
    head: [...head],
    colWidths: widths.map((width) => width + 2),
    colAligns: [...colAligns],
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true },
    chars: lightBorders,
  });
  for (const row of rows) table.push([...row]);
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
