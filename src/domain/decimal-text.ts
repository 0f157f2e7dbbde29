import type { Text } from '../contract/text.js';

/** Money and rates are text with a point, never `number`: a binary fraction cannot hold 0.10. */

export interface DecimalParts {
  readonly negative: boolean;
  /** Without leading zeros, at least one digit. */
  readonly whole: string;
  /** As written, trailing zeros included; may be empty. */
  readonly fraction: string;
}

/** Parses `-?digits[.digits]`. `undefined` for other text: exponents, commas, a plus sign, spaces. */
export function parseDecimalText(text: string): DecimalParts | undefined {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '0', fraction = ''] = match;
  return { negative: sign === '-', whole: whole.replace(/^0+(?=[0-9])/, ''), fraction };
}

const MOST_SHOWN = 40;

/** Why a value is no amount, rate or quantity. */
export function notDecimal(value: unknown): Text {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_SHOWN)) : undefined;
  return {
    en: `must be a decimal with a point, such as 12.50${shown === undefined ? '' : `, not ${shown}`}`,
    pt: `deve ser um decimal com ponto, como 12.50${shown === undefined ? '' : `, não ${shown}`}`,
  };
}

/** Compares two decimal texts: -1, 0 or 1. Throws `RangeError` for other text. */
export function compareDecimalText(left: string, right: string): -1 | 0 | 1 {
  const difference = scaled(left, right) - scaled(right, left);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The shortest decimal text of a number. `undefined` for a number that is not finite or needs an exponent. */
export function numberToDecimalText(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(Object.is(value, -0) ? 0 : value);
  return parseDecimalText(text) === undefined ? undefined : text;
}

/** `text` as an integer, scaled to the larger number of decimals of the two texts. */
function scaled(text: string, other: string): bigint {
  const parts = mustParse(text);
  const decimals = Math.max(parts.fraction.length, mustParse(other).fraction.length);
  const digits = BigInt(parts.whole + parts.fraction.padEnd(decimals, '0'));
  return parts.negative ? -digits : digits;
}

function mustParse(text: string): DecimalParts {
  const parts = parseDecimalText(text);
  if (parts === undefined) throw new RangeError(`not a decimal text: ${text.slice(0, 40)}`);
  return parts;
}
