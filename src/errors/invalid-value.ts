import type { Text } from '../contract/text.js';
import { FiscalError } from './fiscal-error.js';

/** So much of what was written is told back. */
const MOST_SHOWN = 200;

/**
 * What a person wrote and cannot be used, as an error. Nothing was sent.
 * @param name The flag, argument or field as the person knows it, e.g. `--since`, `KEY`.
 */
export function invalidValue(name: string, value: string | number, expected: string | Text): FiscalError {
  const shown = typeof value === 'string' ? value.slice(0, MOST_SHOWN) : value;
  return new FiscalError('usage.invalid_value', { name, value: shown, expected }, { sent: 'no' });
}
