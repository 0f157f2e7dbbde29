import { isNumber } from '../../domain/json-numbers.js';
import { asKey } from '../../domain/access-key.js';
import { fieldOf } from '../../domain/record.js';

/** Longest text of a field that is kept in a column; the metadata keep all of it. */
export const MAX_TEXT = 500;

/** A row while it is filled. */
export type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** What is not there stays away: an absent field is no field of `undefined`. */
export function put<Row, Name extends keyof Row>(row: Row, name: Name, value: Row[Name] | undefined): void {
  if (value !== undefined) row[name] = value;
}

/** The access key of a row. */
export function keyTextIn(raw: unknown, name: string): string | undefined {
  const text = textIn(raw, name);
  return text && asKey(text);
}

/** A text or a number of a row of the service, as text; `undefined` for anything else. */
export function textIn(raw: unknown, name: string): string | undefined {
  const value = fieldOf(raw, name);
  const text = isNumber(value) ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_TEXT) : undefined;
}
