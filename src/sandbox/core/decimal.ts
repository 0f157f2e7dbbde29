import { isExactNumber } from './exact-json.js';

/** An exact decimal: `units` divided by ten to the power of `scale`. Never negative. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/**
 * Parses text such as `12.50`, or a JSON number (§1, convention 3), whose last zeros do not count; `undefined` for
 * anything else.
 */
export function readDecimal(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' || isExactNumber(value) ? plainText(String(value)) : value;
  if (typeof text !== 'string' || !/^\d{1,15}(\.\d{1,20})?$/.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  return { units: BigInt(whole + decimals), scale: decimals.length };
}

/** Expands `1e-7`; numbers with more than 15 digits before the point stay as they are and fail. */
function plainText(digits: string): string {
  const text = /e/i.test(digits) ? String(Number(digits)) : digits;
  const plain = text.includes('e-') ? Number(text).toFixed(20) : text;
  return plain.includes('.') ? plain.replace(/\.?(?<!0)0+$/, '') : plain;
}

export function product(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, scale: one.scale + other.scale };
}

/** Rounds to hundredths, half up. */
export function centsOf({ units, scale }: Decimal): bigint {
  if (scale <= 2) return units * 10n ** BigInt(2 - scale);
  const divisor = 10n ** BigInt(scale - 2);
  return (units + divisor / 2n) / divisor;
}

/** Hundredths as text with two decimals. */
export function centsText(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Text with exactly `decimals` decimals, as in the layouts; the value never has more. */
export function fixedText({ units, scale }: Decimal, decimals: number): string {
  const digits = String(units * 10n ** BigInt(Math.max(0, decimals - scale)));
  const places = Math.max(decimals, scale);
  const padded = digits.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
