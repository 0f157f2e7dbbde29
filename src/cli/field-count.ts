import { isRecord } from '../domain/record.js';
import { selectFields } from '../presenters/select-fields.js';

/** `--fields`, and which of them were never there: a misspelt field must not pass for an empty one. */
export interface FieldCount {
  /** A record, or a list of records, with the chosen fields only. */
  select(data: unknown): unknown;
  /** Fields that no record had; empty when there was no record. */
  unseen(): readonly string[];
}

export function countFields(fields: readonly string[]): FieldCount {
  const unseen = new Set(fields);
  let records = 0;
  const select = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(select);
    if (fields.length === 0 || !isRecord(data)) return data;
    records += 1;
    for (const field of unseen) if (hasPath(data, field.split('.'))) unseen.delete(field);
    return selectFields(data, fields);
  };
  return { select, unseen: () => (records === 0 ? [] : [...unseen]) };
}

function hasPath(value: unknown, path: readonly string[]): boolean {
  const [name, ...deeper] = path;
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((entry) => hasPath(entry, path));
  return isRecord(value) && Object.hasOwn(value, name) && hasPath(value[name], deeper);
}
