import { fieldOf } from './record.js';

/** The time at which the service created or captured a row, by either published name. */
export function createdTime(row: unknown): string | undefined {
  return firstText(row, ['createdOn', 'createdAt']);
}

/** The time of the last change, by either published name. Only NFS-e of the national environment use the second one. */
export function modifiedTime(row: unknown): string | undefined {
  return firstText(row, ['modifiedOn', 'updatedAt']);
}

function firstText(row: unknown, names: readonly string[]): string | undefined {
  const values = names.map((name) => fieldOf(row, name));
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
