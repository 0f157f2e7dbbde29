import { LosslessNumber, parse, stringify } from 'lossless-json';

/** A number that JavaScript would print otherwise than it was written: `10.50`, `1e3`, or one of 20 digits. */
export type ExactNumber = LosslessNumber;

export function isExactNumber(value: unknown): value is ExactNumber {
  return value instanceof LosslessNumber;
}

/** A decimal text as a number with the same digits. */
export function exactNumber(digits: string): ExactNumber {
  return new LosslessNumber(digits);
}

/** Finds texts that may contain such a number: where a number may begin, so that the digits of an id do not count. */
const mayHoldOne = /(?:^|[[:,\s])-?(?:[\d.]{16}|\d+(?:e|\.\d*[0e])|(?<=-)0)/i;

/** `JSON.parse` with an `ExactNumber` for each such number. Throws `SyntaxError`. */
export function parseExactly(text: string): unknown {
  if (!mayHoldOne.test(text)) return JSON.parse(text);
  return parse(text, undefined, { parseNumber: readNumber, onDuplicateKey: ({ newValue }) => newValue });
}

function readNumber(digits: string): number | ExactNumber {
  const number = Number(digits);
  return String(number) === digits ? number : new LosslessNumber(digits);
}

/** `JSON.stringify` that writes the digits of an `ExactNumber`. */
export function writeExactly(value: unknown): string {
  return holdsOne(value) ? (stringify(value) ?? 'null') : JSON.stringify(value);
}

function holdsOne(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(holdsOne);
}

/** A JSON object; a number with its digits is none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** A text that says something. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The fields that have a value: neither null nor undefined. */
export function onlySet<Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as { readonly [Name in keyof Values]?: NonNullable<Values[Name]> };
}
