import { isRecord } from '../domain/record.js';
import type { Sentence } from '../domain/outcome.js';
import { paintedAs, shownCell, shownText, signed } from './cell.js';
import { noticeLines } from './error-text.js';
import { jsonLine } from './json.js';
import { fieldAt, type OutputSchema, recordOf, titleOf } from './record.js';
import type { RenderOptions, View } from './render.js';
import { flatten, isScalar, scalarText, valueAt } from './scalar.js';
import { type Column, tableLines } from './table.js';
import { displayWidth, pad } from './width.js';

type Row = Readonly<Record<string, unknown>>;

const nothing = { en: 'nothing to show', pt: 'nada a mostrar' } as const;

/** An empty list in a detail. */
const none = { en: 'none', pt: 'nenhum' } as const;

/** A table for a list, one line per field for an object, both with the names of the fields: for fields that were asked for. */
export const genericView: View = (data, options) => {
  const lines: string[] = [];
  write(lines, data, { options, depth: 0, head: '', indent: '' });
  return lines;
};

/**
 * The same for people who asked for no fields. In English a field is called as in the data; in Portuguese it has the title and
 * the words of tables, where there are some.
 */
const detailView: View = (data, options) => {
  const lines: string[] = [];
  const record = recordOf(data, options.described);
  const isTitled = options.language === 'pt';
  write(lines, withoutType(data), { options, isTitled, record, depth: 0, head: '', indent: '' });
  return lines;
};

/** Where lines are written: the beginning of the first one, and of the others. */
interface Place {
  readonly options: RenderOptions;
  /** The fields have the titles of tables instead of their names. */
  readonly isTitled?: boolean;
  /** The description of the data. */
  readonly record?: OutputSchema | undefined;
  readonly depth: number;
  readonly head: string;
  readonly indent: string;
}

/** Deeper data are shown as JSON: every level indents all the lines below it. */
const deepest = 8;
/** Labels are aligned up to this width: every line has spaces for the longest of them. */
const widestLabel = 60;

function write(lines: string[], data: unknown, place: Place): void {
  const { options, depth } = place;
  if (depth <= deepest && isRecord(data)) return writeDetail(lines, data, place);
  const isList = depth <= deepest && Array.isArray(data);
  writeAll(lines, isList ? listLines(data, options) : scalarText(data).split('\n'), place);
}

function writeAll(lines: string[], given: readonly string[], { head, indent }: Place): void {
  for (const [index, line] of given.entries()) lines.push((index === 0 ? head : indent) + line);
}

function writeDetail(lines: string[], record: Row, place: Place): void {
  const { options, depth, indent, isTitled = false } = place;
  const titled = (name: string): string => (isTitled ? titleOf(place.record, name, options.language) : name);
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const longest = fields
    .filter(([, value]) => isOneLine(value))
    .reduce((widest, [name]) => Math.max(widest, displayWidth(titled(name))), 0);
  const width = Math.min(longest, widestLabel) + 1;
  const inner = { options, isTitled, depth: depth + 1, head: `${indent}  `, indent: `${indent}  ` };
  const shown = (name: string, value: unknown): string => {
    if (Array.isArray(value)) return options.paint.dim(none[options.language]);
    const field = { name, schema: fieldAt(place.record, name) };
    return isTitled ? shownCell(field, value, options).text : shownText(field, scalarText(value), options);
  };
  let { head } = place;
  for (const [name, value] of fields) {
    const label = `${titled(name)}:`;
    const { strong } = options.paint;
    lines.push(head + (isOneLine(value) ? `${strong(pad(label, width))} ${shown(name, value)}` : strong(label)));
    head = indent;
    if (isOneLine(value)) continue;
    const below = { ...inner, record: fieldAt(place.record, name) };
    if (Array.isArray(value)) writeEntries(lines, value, below);
    else write(lines, value, below);
  }
}

function isOneLine(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.length === 0);
}

function writeEntries(lines: string[], values: readonly unknown[], { indent, ...inner }: Place): void {
  const place = { ...inner, head: `${indent}- `, indent: `${indent}  ` };
  for (const value of values) {
    if (isScalar(value)) lines.push(place.head + scalarText(value));
    else write(lines, value, place);
  }
}

function listLines(rows: readonly unknown[], options: RenderOptions): readonly string[] {
  if (rows.length === 0) return [options.paint.dim(nothing[options.language])];
  if (!rows.every(isRecord)) return rows.map(scalarText);
  const { columns, unlisted } = columnsOf(rows);
  return tableLines(columns, options, { unlisted, isRaw: true });
}

/** More columns fit no terminal, and each has a cell for every row. */
const mostColumns = 30;

/**
 * One column per field that any row has, in order of first appearance. A company id next to the company's name comes
 * last, so that a narrow terminal shows the name.
 */
function columnsOf(rows: readonly Row[]): {
  readonly columns: readonly Column[];
  /** The titles of the columns beyond the first ones. */
  readonly unlisted: readonly string[];
} {
  const cells = new Map<string, unknown[]>();
  const unlisted = new Set<string>();
  for (const [index, row] of rows.entries()) {
    for (const [title, value] of flatten(row)) {
      if (!cells.has(title) && cells.size < mostColumns) cells.set(title, Array<unknown>(rows.length).fill(''));
      const column = cells.get(title);
      if (column === undefined) unlisted.add(title);
      else column[index] = value;
    }
  }
  const columns = [...cells].map(([title, values]) => ({ title, cells: values }));
  const id = columns.findIndex(({ title }) => title === 'companyId');
  if (id !== -1 && cells.has('companyName')) columns.push(...columns.splice(id, 1));
  return { columns, unlisted: [...unlisted] };
}

export interface ColumnRules {
  /** Never dropped, however narrow the terminal: the reason, the deadline, the state, the verdict. */
  readonly required?: readonly string[];
  /** Long texts, which go on lines of their own below the row where the table has no room for them. */
  readonly below?: readonly string[];
  /** Left out where all rows have the same: which machine, where only one has worked. */
  readonly varying?: readonly string[];
}

/**
 * A table with only these columns, of which the rightmost are dropped first; `--fields` or a machine output shows every field.
 * Records of several types are a table each, and columns without a value are left out. In the column `companyName`, a company
 * without a name shows its id.
 */
export function columnsView(names: readonly string[], rules: ColumnRules = {}): View {
  const view: View = (data, options) => {
    if (!Array.isArray(data)) return detailView(data, options);
    const rows = data.filter(isRecord);
    if (rows.length === 0) return genericView(data, options);
    const groups = names.includes('type') ? new Map([['', rows]]) : byType(rows);
    if (groups.size === 1) return rowsLines(rows, { names, rules }, options);
    return [...groups].flatMap(([type, some], index) => [
      ...(index === 0 ? [] : ['']),
      options.paint.strong(recordOf(some[0], options.described)?.titles?.[options.language] ?? type),
      ...(totals.has(type)
        ? some.flatMap((row) => totalLines(row, options))
        : rowsLines(some, { names, rules }, options)),
    ]);
  };
  return Object.assign(view, { columns: names, ...rules });
}

/** What a command shows without columns of its own: every field of a list, and the fields of an object by their names. */
export const defaultView: View = (data, options) => {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isRecord)) return detailView(data, options);
  const { columns, unlisted } = columnsOf(data);
  const isConstant = new Set(data.map((row) => row['type'])).size === 1;
  const shown = columns.filter(({ title, cells }) => (title === 'type' ? !isConstant : !cells.every(isEmpty)));
  return tableLines(shown, options, { unlisted, record: recordOf(data[0], options.described) });
};

/** The type of a record is for programs. */
function withoutType(data: unknown): unknown {
  if (!isRecord(data) || typeof data['type'] !== 'string') return data;
  const { type: _type, ...rest } = data;
  return rest;
}

function byType(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const type = scalarText(row['type']);
    const group = groups.get(type);
    if (group === undefined) groups.set(type, [row]);
    else group.push(row);
  }
  return groups;
}

interface Columns {
  readonly names: readonly string[];
  readonly rules: ColumnRules;
}

function rowsLines(
  rows: readonly Row[],
  { names, rules: { required = [], below = [], varying = [] } }: Columns,
  options: RenderOptions,
): readonly string[] {
  const isNamed = rows.some((row) => row['companyName'] !== undefined);
  const given = isNamed ? names : names.map((name) => (name === 'companyName' ? 'companyId' : name));
  const columns = [...new Set(given)].map((title) => ({
    title,
    cells: rows.map((row) => cellOf(row, title)),
    isRequired: required.includes(title),
    isBelow: below.includes(title),
  }));
  const isShown = ({ title, cells, isRequired }: (typeof columns)[number]): boolean =>
    !cells.every(isRequired ? isEmpty : isNothing) && !(varying.includes(title) && new Set(cells).size === 1);
  return tableLines(columns.filter(isShown), options, { record: recordOf(rows[0], options.described) });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isNothing(value: unknown): boolean {
  return value === 0 || isEmpty(value);
}

/** Types of which a command prints one record at its end, which sums up the others. */
const totals: ReadonlySet<string> = new Set(['summary', 'reconciliation']);
/** Fields of a sum that only programs use. */
const onlyForPrograms: ReadonlySet<string> = new Set(['type', 'exitCode', 'elapsedSeconds', 'rate', 'bytes']);

/** Counts that are not zero, and texts, by the titles of their columns: for a sum of what was done. */
export const totalsView: View = (data, options) =>
  isRecord(data) ? totalLines(data, options) : genericView(data, options);

/** One line per count that is not zero, and per text. */
function totalLines(row: Row, options: RenderOptions): readonly string[] {
  const fields = Object.entries(row).filter(
    ([name, value]) => !onlyForPrograms.has(name) && !isEmpty(value) && value !== 0 && isScalar(value),
  );
  const record = recordOf(row, options.described);
  const labels = fields.map(([name]) => `${titleOf(record, name, options.language)}:`);
  const width = labels.reduce((widest, label) => Math.max(widest, displayWidth(label)), 0);
  return fields.map(
    ([name, value], index) =>
      `  ${pad(labels[index] ?? '', width)} ${shownCell({ name, schema: fieldAt(record, name) }, value, options).text}`,
  );
}

function cellOf(row: Row, name: string): unknown {
  const value = valueAt(row, name);
  return name === 'companyName' ? (value ?? row['companyId']) : value;
}

/** One JSON document per line, on a terminal too. */
export const linesView: View = (data) => (Array.isArray(data) ? data.map(jsonLine) : [jsonLine(data)]);

/** `✓ COFFEE-250 created and active (1 billed call)`, wrapped at the width of the terminal, with a sign that shows how sure it is. */
export function sentenceLines(sentence: Sentence, options: RenderOptions): readonly string[] {
  const { tone } = sentence;
  const lines = noticeLines(signed(sentence[options.language], tone, options), options.columns - 1);
  if (tone === 'none') return lines;
  const [first = '', ...more] = lines;
  return [first.replace(/^\S+/, paintedAs(tone, options)), ...more];
}
