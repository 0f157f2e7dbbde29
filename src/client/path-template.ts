import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';

/** Characters that `encodeURIComponent` leaves alone though RFC 3986 reserves them. */
const LEFT_ALONE = /[!'()*]/g;

/** Half of a character pair: it has no encoding. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Fills `/{tenantId}/products` with values. Every value becomes exactly one path segment: a slash is
 * encoded, and `.` and `..` are refused, because URL parsers resolve them even when percent-encoded.
 * Throws `usage.invalid_value` naming the parameter.
 */
export function expandPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeSegment(name, values[name]));
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw missing(name);
  if (value === '.' || value === '..' || LONE_SURROGATE.test(value)) {
    throw invalidValue(name, value, '[A-Za-z0-9_-]');
  }
  return encodeURIComponent(value).replaceAll(LEFT_ALONE, percentEncode);
}

/** A company comes from the shared flag, whichever path asks for it. */
function missing(name: string): FiscalError {
  return new FiscalError(
    'usage.missing',
    { names: name === 'companyId' ? '--company' : name },
    { sent: 'no' },
  );
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
