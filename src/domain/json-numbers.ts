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

/** Marks a rewritten number. Input that contains the mark is parsed without rewriting. */
const MARK = '\u0000';
const ESCAPED_MARK = '\\u0000';

/**
 * `JSON.parse` that keeps a `NumberLiteral` where a JavaScript number would print differently. Throws `SyntaxError`
 * as `JSON.parse` does, and for more than 64 levels.
 */
export function parseKeepingNumbers(text: string): unknown {
  const rewritten = rewriteNumbers(text);
  const plain: unknown = JSON.parse(text);
  if (rewritten === undefined || text.includes(ESCAPED_MARK)) return plain;
  return JSON.parse(rewritten, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new NumberLiteral(value.slice(1)) : value,
  );
}

/** Finds a number that may print differently: trailing zeros, an exponent, 16 characters, a tiny one, or `-0`. */
const PRINTS_DIFFERENTLY =
  /(?:^|[[:,\s])(?:-0|-?(?:\d+\.\d*0|\d[\d.]*[eE][\d+-]*|[\d.]{16,}|0\.0{6}\d*))(?=[,\]}\s]|$)/;

/** `parseKeepingNumbers` for answers and stored rows, most of which have no such number. */
export function parseExactJson(text: string): unknown {
  return PRINTS_DIFFERENTLY.test(text) ? parseKeepingNumbers(text) : JSON.parse(text);
}

/**
 * `JSON.stringify` that writes the digits of a `NumberLiteral`. Returns `null` for `undefined`. `indent`: the spaces of
 * one level; without it everything stands on one line.
 */
export function exactJson(value: unknown, indent = 0): string {
  if (!holdsLiteral(value)) return JSON.stringify(value ?? null, undefined, indent);
  return written(value, { indent: ' '.repeat(indent), margin: '' }) ?? 'null';
}

function holdsLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof NumberLiteral) return true;
  return Object.values(value).some(holdsLiteral);
}

interface Layout {
  readonly indent: string;
  /** The line break and the spaces before a closing bracket. */
  readonly margin: string;
}

/** `undefined` for what JSON leaves out. */
function written(value: unknown, layout: Layout): string | undefined {
  if (value instanceof NumberLiteral) return value.text;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  const inner = { ...layout, margin: layout.margin + layout.indent };
  if (Array.isArray(value)) {
    return block(
      '[]',
      value.map((entry: unknown) => written(entry, inner) ?? 'null'),
      inner,
      layout,
    );
  }
  const colon = layout.indent === '' ? ':' : ': ';
  const fields = Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const text = written(field, inner);
    return text === undefined ? [] : [`${JSON.stringify(name)}${colon}${text}`];
  });
  return block('{}', fields, inner, layout);
}

function block(brackets: '[]' | '{}', entries: readonly string[], inner: Layout, outer: Layout): string {
  if (entries.length === 0) return brackets;
  const line = (layout: Layout): string => (layout.indent === '' ? '' : `\n${layout.margin}`);
  const separator = `,${line(inner)}`;
  return `${brackets.charAt(0)}${line(inner)}${entries.join(separator)}${line(outer)}${brackets.charAt(1)}`;
}

/** The text with each such literal as a marked string. `undefined`: it has none. */
function rewriteNumbers(text: string): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} levels`);
    } else if (char === '}' || char === ']') {
      depth -= 1;
    } else if (isNumberChar(char)) {
      const end = endOfNumber(text, at);
      const literal = text.slice(at, end);
      if (isShownDifferently(literal)) {
        parts.push(text.slice(copied, at), `"${ESCAPED_MARK}${literal}"`);
        copied = end;
      }
      at = end - 1;
    }
  }
  return copied === 0 ? undefined : parts.join('') + text.slice(copied);
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '"') return at;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && /[\d.eE+-]/.test(text.charAt(end))) end += 1;
  return end;
}

function isNumberChar(char: string): boolean {
  return char === '-' || (char >= '0' && char <= '9');
}

function isShownDifferently(literal: string): boolean {
  return String(Number(literal)) !== literal;
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
  if ((parts.whole + parts.fraction).replace(/^0+/, '').replace(/0+$/, '').length <= 15) return undefined;
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
