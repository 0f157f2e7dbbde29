import type { ApiErrorDetail } from '../../contract/error-body.js';
import { join } from './canonical-names.js';

/** A tax group with its values as text: JSON numbers are accepted and converted (§2, convention 3). */
export function taxGroup(value: unknown, path: string, report: ApiErrorDetail[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report.push({ field: path, message: 'Must be an object.' });
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, taxValue(field, join(path, name), report)]),
  );
}

function taxValue(value: unknown, path: string, report: ApiErrorDetail[]): unknown {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainText(value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return taxGroup(value, path, report);
  }
  report.push({ field: path, message: 'Must be text or a number.' });
  return value;
}

/** Digits and a point, never an exponent. */
function plainText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}
