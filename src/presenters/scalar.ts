import { isRecord } from '../domain/record.js';
/** A value as one cell of a table, a CSV file or a detail line. Text stays as it is; structures become JSON. */
export function scalarText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** True for what stands in one cell by itself. */
export function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

/** `{ tax: { ncm } }` → `tax.ncm`: one column per leaf. Lists stay whole. */
export function flatten(record: Readonly<Record<string, unknown>>, prefix = ''): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    if (isRecord(value) && Object.keys(value).length > 0) {
      for (const [path, cell] of flatten(value, `${prefix}${name}.`)) cells.set(path, cell);
    } else {
      cells.set(prefix + name, value);
    }
  }
  return cells;
}

/** The value at a dotted path; `undefined` where the path ends early. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      value,
    );
}
