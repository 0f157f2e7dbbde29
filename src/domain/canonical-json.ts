import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';
import { NumberLiteral } from './json-numbers.js';
import { Prose } from './prose.js';

/**
 * Serializes a value to a canonical JSON text: field names in code unit order, no spaces, no `undefined` fields. For
 * digests: the same input finds the same job. Throws `TypeError` for what JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value instanceof NumberLiteral) return canonicalLiteral(value);
  if (value instanceof Prose) return canonicalJson(value.en);
  if (Array.isArray(value)) return `[${value.map((entry: unknown) => canonicalJson(entry ?? null)).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value);
  throw new TypeError(`JSON cannot hold a ${typeof value}`);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('JSON cannot hold a number that is not finite');
  return JSON.stringify(value);
}

/** The same text for the same value, whatever zeros were typed; digits that a JavaScript number loses stay. */
function canonicalLiteral({ text }: NumberLiteral): string {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const held = numberToDecimalText(number);
  const isDecimal = parseDecimalText(text) !== undefined;
  if (isDecimal && (held === undefined || compareDecimalText(held, text) !== 0)) return text;
  return canonicalNumber(number);
}

function canonicalObject(value: object): string {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
