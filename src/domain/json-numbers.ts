import type { Text } from '../contract/text.js';
import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';

/**
 * A number as it was typed in JSON. `JSON.parse` alone loses digits: `18.10` becomes 18.1 and
 * `0.30000000000000000001` becomes 0.3. The service takes rates as text, so the program sends the typed digits.
 */
export class NumberLiteral {
  constructor(readonly text: string) {}

  toJSON(): number {
    return Number(this.text);
  }
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
 * Replaces literals with plain numbers. Reports a literal that a JavaScript number cannot represent instead of
 * rounding it, so that no amount changes.
 */
export function exactNumbers(
  value: unknown,
  field = '',
): { readonly value: unknown; readonly problems: readonly NumberFinding[] } {
  const problems: NumberFinding[] = [];
  return { value: exact(value, field, problems), problems };
}

/** `items` and 0 → `items[0]`; `items[0]` and `tax` → `items[0].tax`. */
export function joinField(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

function exact(value: unknown, field: string, problems: NumberFinding[]): unknown {
  if (value instanceof NumberLiteral) {
    const message = lossOf(value);
    if (message !== undefined) problems.push({ field, message });
    return value.toJSON();
  }
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => exact(entry, joinField(field, index), problems));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, exact(entry, joinField(field, name), problems)]),
  );
}

function lossOf(literal: NumberLiteral): Text | undefined {
  if (parseDecimalText(literal.text) === undefined) return withExponent;
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
