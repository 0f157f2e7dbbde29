import { exactJson, isNumber } from '../domain/json-numbers.js';
import { Prose } from '../domain/prose.js';
import { isRecord } from '../domain/record.js';

/** A value as one cell of a table, a CSV file or a detail line. Structures become JSON. */
export function scalarText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Prose) return value.en;
  if (typeof value === 'object') return exactJson(value);
  return String(value);
}

/** True for a value that fits one cell. */
export function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object' || isNumber(value) || value instanceof Prose;
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
    .reduce<unknown>((found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined), value);
}

/**
 * Only the fields in `paths` (`id`, `tax.ncm`), in that order, nested as before; lists are searched element by element.
 */
export function selectFields(value: unknown, paths: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  return paths.reduce<Readonly<Record<string, unknown>>>((kept, path) => merge(kept, pick(value, path.split('.'))), {});
}

function pick(value: unknown, path: readonly string[]): unknown {
  const [name, ...deeper] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => pick(entry, path));
  if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
  const picked = pick(value[name], deeper);
  // `fromEntries` creates an own field even for the name `__proto__`.
  return picked === undefined ? undefined : Object.fromEntries([[name, picked]]);
}

function merge(left: unknown, right: unknown): Readonly<Record<string, unknown>> {
  const merged = mergeValues(left, right);
  return isRecord(merged) ? merged : {};
}

function mergeValues(left: unknown, right: unknown): unknown {
  if (right === undefined) return left;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.map((entry: unknown, index) => mergeValues(entry, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return right;
  const fields = new Map(Object.entries(left));
  for (const [name, value] of Object.entries(right)) fields.set(name, mergeValues(fields.get(name), value));
  return Object.fromEntries(fields);
}
