import type { Text } from '../contract/text.js';
import { NumberLiteral } from './product-number.js';

/** A value as it will be sent, or why it cannot be. */
export type Read = { readonly value: unknown } | { readonly problem: Text };

export function readText(value: unknown, maxLength: number): Read {
  if (typeof value !== 'string') return { problem: mustBeText };
  const length = [...value].length;
  if (length <= maxLength) return { value };
  return {
    problem: {
      en: `has ${length} characters; at most ${maxLength} are allowed`,
      pt: `tem ${length} caracteres; o máximo é ${maxLength}`,
    },
  };
}

/** Codes such as NCM are text: as a number they would lose their leading zeros. */
export function readDigits(value: unknown, rule: { readonly length: number; readonly exact: boolean }): Read {
  if (typeof value !== 'string') return { problem: mustBeText };
  const isFit = rule.exact ? value.length === rule.length : value.length <= rule.length;
  if (isFit && /^\d+$/.test(value)) return { value };
  const { length } = rule;
  return {
    problem: rule.exact
      ? { en: `must have exactly ${length} digits`, pt: `deve ter exatamente ${length} dígitos` }
      : { en: `must have up to ${length} digits`, pt: `deve ter até ${length} dígitos` },
  };
}

/** An enum travels by name; on input the name is read in any letter case (§2, convention 2). */
export function readName(value: unknown, names: readonly string[]): Read {
  const wanted = typeof value === 'string' ? value.toLowerCase() : undefined;
  const found = names.find((name) => name.toLowerCase() === wanted);
  if (found !== undefined) return { value: found };
  const list = names.join(', ');
  return { problem: { en: `must be one of: ${list}`, pt: `deve ser um destes: ${list}` } };
}

/** A whole number; digits as text are accepted too, because a CSV cell has no other form. */
export function readInteger(value: unknown, range: { readonly min: number; readonly max: number }): Read {
  const number = wholeNumber(value);
  if (number !== undefined && number >= range.min && number <= range.max) return { value: number };
  const { min, max } = range;
  return {
    problem: {
      en: `must be a whole number from ${min} to ${max}`,
      pt: `deve ser um número inteiro de ${min} a ${max}`,
    },
  };
}

function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (value instanceof NumberLiteral) return wholeNumber(value.toJSON());
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

const mustBeText: Text = {
  en: 'must be text, in quotes',
  pt: 'deve ser texto, entre aspas',
};
