import type { Text } from '../contract/text.js';
import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';
import { NumberLiteral } from './product-number.js';

export interface NumberFinding {
  /** Path of the field, e.g. `items[0].quantity`; empty for the whole. */
  readonly field: string;
  readonly message: Text;
}

/**
 * The value with plain numbers in the place of literals. A literal whose value a number of the program cannot hold is told
 * instead of being rounded: nobody's amount may change on its way.
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
  en: 'has more digits than a JSON number can hold; write it as text, in quotes',
  pt: 'tem mais dígitos do que um número JSON comporta; escreva como texto, entre aspas',
};

const withExponent: Text = {
  en: 'has an exponent; write it as a plain decimal',
  pt: 'tem expoente; escreva como decimal simples',
};
