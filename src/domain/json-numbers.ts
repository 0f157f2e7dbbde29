import { parse, stringify } from 'lossless-json';
import type { Text } from '../contract/text.js';
import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';

/**
 * A number as it was written in JSON. `JSON.parse` alone loses digits: `18.10` becomes 18.1 and
 * `0.30000000000000000001` becomes 0.3. What is sent, stored and printed has the digits as they came.
 */
export class NumberLiteral {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  /** For comparisons by value; `exactJson` writes the digits. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** True for a number of a JSON value, in either form. `String` gives its digits, `Number` its value. */
export function isNumber(value: unknown): value is number | NumberLiteral {
  return typeof value === 'number' || value instanceof NumberLiteral;
}

/** The service has no body that is nearly as deep. */
const MAX_DEPTH = 64;
/** What walks over a value calls itself, so that the levels of what strangers write are limited everywhere. */
const MAX_FOREIGN_DEPTH = 256;

/** The text is JSON, and nested deeper than the program reads. */
export class TooDeep extends SyntaxError {}

/** `JSON.parse` for text from outside. Throws `SyntaxError`, and `TooDeep` for more than 256 levels. */
export function parseForeignJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Each level takes two characters.
  if (text.length > 2 * MAX_FOREIGN_DEPTH) checkDepth(value, MAX_FOREIGN_DEPTH);
  return value;
}

/** Finds a number that may print differently: trailing zeros, an exponent, 16 characters, a tiny one, or `-0`. */
const PRINTS_DIFFERENTLY =
  /(?:^|[[:,\s])(?:-0|-?(?:\d+\.\d*0|\d[\d.]*[eE][\d+-]*|[\d.]{16,}|0\.0{6}\d*))(?=[,\]}\s]|$)/;

/**
 * `JSON.parse` that keeps a `NumberLiteral` where a JavaScript number would print differently. Throws `SyntaxError`
 * as `JSON.parse` does, and for more than 64 levels.
 */
export function parseKeepingNumbers(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  checkDepth(plain, MAX_DEPTH);
  return PRINTS_DIFFERENTLY.test(text) ? parseLiterals(text) : plain;
}

/** `parseKeepingNumbers` for answers and stored rows: up to 256 levels where no number must keep its digits. */
export function parseExactJson(text: string): unknown {
  const plain = parseForeignJson(text);
  if (!PRINTS_DIFFERENTLY.test(text)) return plain;
  checkDepth(plain, MAX_DEPTH);
  return parseLiterals(text);
}

function parseLiterals(text: string): unknown {
  const parseNumber = (digits: string): number | NumberLiteral => {
    const number = Number(digits);
    return String(number) === digits ? number : new NumberLiteral(digits);
  };
  // The last of two fields of one name counts, as with JSON.parse.
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Where text stops being JSON, which `JSON.parse` does not always tell; `undefined` for JSON. */
export function jsonBreaksAt(text: string): number | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    const found = error instanceof SyntaxError ? /at position (\d+)$/.exec(error.message)?.[1] : undefined;
    return found === undefined ? undefined : Number(found);
  }
}

function checkDepth(value: unknown, levels: number): void {
  if (isDeeper(value, levels)) throw new TooDeep(`more than ${levels} levels`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}

/**
 * `JSON.stringify` that writes the digits of a `NumberLiteral`. Returns `null` for `undefined`. `indent`: the spaces of
 * one level; without it everything stands on one line.
 */
export function exactJson(value: unknown, indent = 0): string {
  if (!holdsLiteral(value)) return JSON.stringify(value ?? null, undefined, indent);
  return stringify(value, undefined, indent, [literals]) ?? 'null';
}

const literals = { test: (value: unknown) => value instanceof NumberLiteral, stringify: String };

function holdsLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof NumberLiteral) return true;
  return Object.values(value).some(holdsLiteral);
}

interface NumberFinding {
  /** Path of the field, e.g. `items[0].quantity`; empty for the whole value. */
  readonly field: string;
  readonly message: Text;
}

/**
 * The literals that the service cannot take as numbers: with an exponent, or with more digits than a JSON number
 * represents.
 */
export function inexactNumbers(value: unknown, field = ''): readonly NumberFinding[] {
  if (value instanceof NumberLiteral) {
    const message = lossOf(value);
    return message === undefined ? [] : [{ field, message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const steps: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return steps.flatMap(([step, entry]) => inexactNumbers(entry, joinField(field, step)));
}

/** `items` and 0 → `items[0]`; `items[0]` and `tax` → `items[0].tax`. */
export function joinField(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

function lossOf(literal: NumberLiteral): Text | undefined {
  const parts = parseDecimalText(literal.text);
  if (parts === undefined) return withExponent;
  // Every decimal of 15 significant digits survives as a double.
  if ((parts.whole + parts.fraction).replace(/^0+/, '').replace(/(?<!0)0+$/, '').length <= 15) return undefined;
  const held = numberToDecimalText(literal.toJSON());
  return held !== undefined && compareDecimalText(held, literal.text) === 0 ? undefined : tooLong;
}

const tooLong: Text = {
  en: 'has more digits than a JSON number can represent; write it as text, in quotes',
  pt: 'tem mais dígitos do que um número JSON comporta; escreva como texto, entre aspas',
};

const withExponent: Text = {
  en: 'has an exponent; write it as a plain decimal',
  pt: 'tem expoente; escreva como decimal simples',
};
