import type { Look, View } from './look.js';
import { isRecord } from '../domain/record.js';
import { flatten, isScalar, scalarText } from './scalar.js';
import { tableLines, type Column } from './table.js';
import { pad, displayWidth } from './width.js';

const nothing = { en: 'nothing to show', pt: 'nada a mostrar' } as const;

/** The view of a command that brings none: a table for a list, field by field for one object. */
export const genericView: View = (data, look) => {
  if (Array.isArray(data)) return listLines(data, look);
  if (isRecord(data)) return detailLines(data, look);
  return scalarText(data).split('\n');
};

/** `field: value`, deeper fields indented. */
export function detailLines(record: Readonly<Record<string, unknown>>, look: Look): readonly string[] {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(
    0,
    ...fields.filter(([, value]) => isScalar(value)).map(([name]) => displayWidth(name)),
  );
  const label = (name: string): string => look.paint.strong(pad(`${name}:`, width + 1));
  return fields.flatMap(([name, value]) => {
    if (isScalar(value)) return [`${label(name)} ${scalarText(value)}`];
    const inner = Array.isArray(value) ? entriesLines(value, look) : genericView(value, look);
    return [look.paint.strong(`${name}:`), ...inner.map((line) => `  ${line}`)];
  });
}

function entriesLines(values: readonly unknown[], look: Look): readonly string[] {
  return values.flatMap((value) => {
    const lines = isScalar(value) ? [scalarText(value)] : genericView(value, look);
    return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
  });
}

function listLines(rows: readonly unknown[], look: Look): readonly string[] {
  if (rows.length === 0) return [look.paint.dim(nothing[look.language])];
  if (!rows.every(isRecord)) return rows.map(scalarText);
  return tableLines(columnsOf(rows.map((row) => flatten(row))), look);
}

/**
 * One column per field that any row has, in the order in which they first appear. The id of a company that has its name
 * beside it comes last: a narrow terminal shows the name.
 */
function columnsOf(rows: readonly ReadonlyMap<string, unknown>[]): readonly Column[] {
  const titles = new Set(rows.flatMap((row) => [...row.keys()]));
  if (titles.has('companyName') && titles.delete('companyId')) titles.add('companyId');
  return [...titles].map((title) => ({ title, cells: rows.map((row) => scalarText(row.get(title))) }));
}
