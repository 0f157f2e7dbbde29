import { isNumber } from '../../domain/json-numbers.js';

/** Lenient readers for service responses: any field may be missing or have another type. */

/** A non-empty text field. Identifiers may be numbers (§1, convention 4). */
export function textField(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * A text field with a status: services write the same one in different letter cases, so a status of the list is
 * returned as the list spells it. Any other one, also a number, is returned as it came.
 */
export function statusField(body: unknown, name: string, known: Iterable<string>): string | undefined {
  const status = textField(body, name);
  const plain = status?.toLowerCase();
  return [...known].find((one) => one.toLowerCase() === plain) ?? status;
}

/** A list field; `undefined` when missing or no list. */
export function listField(body: unknown, name: string): readonly unknown[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return Array.isArray(value) ? value : undefined;
}
