import { isRecord } from '../domain/record.js';
import { jsonLine } from './json.js';
import type { RenderOptions, View } from './render.js';
import { flatten, isScalar, scalarText, valueAt } from './scalar.js';
import { type Column, tableLines } from './table.js';
import { displayWidth, pad } from './width.js';

const nothing = { en: 'nothing to show', pt: 'nada a mostrar' } as const;

/** The default view: a table for a list, one line per field for an object. */
export const genericView: View = (data, options) => {
  if (Array.isArray(data)) return listLines(data, options);
  if (isRecord(data)) return detailLines(data, options);
  return scalarText(data).split('\n');
};

/** `field: value`, with nested fields indented. */
export function detailLines(
  record: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): readonly string[] {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(
    0,
    ...fields.filter(([, value]) => isScalar(value)).map(([name]) => displayWidth(name)),
  );
  const label = (name: string): string => options.paint.strong(pad(`${name}:`, width + 1));
  return fields.flatMap(([name, value]) => {
    if (isScalar(value)) return [`${label(name)} ${scalarText(value)}`];
    const inner = Array.isArray(value) ? entriesLines(value, options) : genericView(value, options);
    return [options.paint.strong(`${name}:`), ...inner.map((line) => `  ${line}`)];
  });
}

function entriesLines(values: readonly unknown[], options: RenderOptions): readonly string[] {
  return values.flatMap((value) => {
    const lines = isScalar(value) ? [scalarText(value)] : genericView(value, options);
    return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
  });
}

function listLines(rows: readonly unknown[], options: RenderOptions): readonly string[] {
  if (rows.length === 0) return [options.paint.dim(nothing[options.language])];
  if (!rows.every(isRecord)) return rows.map(scalarText);
  return tableLines(columnsOf(rows.map((row) => flatten(row))), options);
}

/**
 * One column per field that any row has, in order of first appearance. A company id next to the company's name comes
 * last, so that a narrow terminal shows the name.
 */
function columnsOf(rows: readonly ReadonlyMap<string, unknown>[]): readonly Column[] {
  const titles = new Set(rows.flatMap((row) => [...row.keys()]));
  if (titles.has('companyName') && titles.delete('companyId')) titles.add('companyId');
  return [...titles].map((title) => ({ title, cells: rows.map((row) => scalarText(row.get(title))) }));
}

/**
 * A table with only these columns; `--fields` or a machine output shows every field. In the column `companyName`, a
 * company without a name shows its id.
 */
export function columnsView(names: readonly string[]): View {
  return (data, options) => {
    if (!Array.isArray(data)) return genericView(data, options);
    const rows = data.filter(isRecord);
    const isNamed = rows.some((row) => row['companyName'] !== undefined);
    const columns = isNamed ? names : names.map((name) => (name === 'companyName' ? 'companyId' : name));
    const used = [...new Set(columns)].filter((name) => rows.some((row) => cellOf(row, name) !== undefined));
    return genericView(
      rows.map((row) => Object.fromEntries(used.map((name) => [name, cellOf(row, name)]))),
      options,
    );
  };
}

function cellOf(row: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = valueAt(row, name);
  return name === 'companyName' ? (value ?? row['companyId']) : value;
}

/** One JSON document per line, on a terminal too. */
export const linesView: View = (data) => (Array.isArray(data) ? data.map(jsonLine) : [jsonLine(data)]);
