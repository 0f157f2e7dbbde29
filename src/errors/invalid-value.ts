import type { Text } from '../contract/text.js';
import { FiscalError } from './fiscal-error.js';

/** Longest excerpt of a value in an error, in characters. */
const MOST_SHOWN = 200;

/**
 * The error for an invalid value that a person typed. Nothing was sent.
 * @param name the flag, argument or field as the person knows it, such as `--since` or `KEY`
 */
export function invalidValue(name: string, value: string | number, expected: string | Text): FiscalError {
  const shown = typeof value === 'string' ? value.slice(0, MOST_SHOWN) : value;
  return new FiscalError('usage.invalid_value', { name, value: shown, expected }, { sent: 'no' });
}
