import type { Text } from '../contract/text.js';
import { NumberLiteral } from './product-number.js';

/** A value of a tax group as it will be sent, or why it cannot be. */
export type TaxValue = { readonly text: string } | { readonly problem: Text };

const decimal = /^-?\d+(\.\d+)?$/;
const percentage = /^\d{1,3}(\.\d{1,4})?$/;
/** More digits than any rate, value or code of a tax group has. */
const MAX_DIGITS = 15;

/**
 * Tax groups hold text; numbers are accepted and become the text of the number typed (§2, convention 3).
 * A name that starts with `p` and a capital is a percentage: 0 to 100 with up to four decimals. A margin (`pMVA…`)
 * may be over 100.
 */
export function readTaxValue(name: string, value: unknown): TaxValue {
  const typed = typedNumber(value);
  if (typed !== undefined) return readNumber(name, typed);
  if (typeof value !== 'string') return { problem: mustBeText };
  return isPercentageName(name) ? readPercentage(name, value) : { text: value };
}

function typedNumber(value: unknown): string | undefined {
  if (value instanceof NumberLiteral) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}

function readNumber(name: string, literal: string): TaxValue {
  if (!decimal.test(literal) || literal.replaceAll(/\D/g, '').length > MAX_DIGITS) {
    return { problem: plainDecimal(literal) };
  }
  // A CST has two or three digits and begins with zeros; as a number it has lost them.
  if (name === 'cst' && literal.length < 2) return { problem: cstNeedsZeros };
  return isPercentageName(name) ? readPercentage(name, literal) : { text: literal };
}

function readPercentage(name: string, text: string): TaxValue {
  if (/^\d+,\d+$/.test(text)) return { problem: usePoint(text) };
  if (!percentage.test(text)) return { problem: notPercentage };
  if (!name.startsWith('pMVA') && Number(text) > 100) return { problem: outOfRange };
  return { text };
}

function isPercentageName(name: string): boolean {
  return /^p[A-Z]/.test(name);
}

const mustBeText: Text = {
  en: 'must be text or a number, e.g. "18.00"',
  pt: 'deve ser texto ou número, p. ex. "18.00"',
};

const notPercentage: Text = {
  en: 'must be a percentage as text with up to four decimals, e.g. "18.00"',
  pt: 'deve ser um percentual em texto com até quatro casas decimais, p. ex. "18.00"',
};

const outOfRange: Text = { en: 'must be between 0 and 100', pt: 'deve estar entre 0 e 100' };

const cstNeedsZeros: Text = {
  en: 'a number loses the zeros of the code: write it as text, e.g. "00"',
  pt: 'como número o código perde os zeros: escreva como texto, p. ex. "00"',
};

function usePoint(text: string): Text {
  const fixed = text.replace(',', '.');
  return {
    en: `the decimal separator is a point: "${fixed}"`,
    pt: `o separador decimal é o ponto: "${fixed}"`,
  };
}

function plainDecimal(literal: string): Text {
  const shown = literal.slice(0, 24);
  return {
    en: `the number ${shown} must be written as a plain decimal of at most ${MAX_DIGITS} digits`,
    pt: `o número ${shown} deve ser escrito como decimal simples, com no máximo ${MAX_DIGITS} dígitos`,
  };
}
