import { isRecord } from './record.js';
import type { Text } from '../contract/text.js';
import { notDecimal, parseDecimalText, numberToDecimalText, type DecimalParts } from './decimal-text.js';
import { isNumber, joinField, NumberLiteral } from './json-numbers.js';
import { checkCnpj, checkCpf } from './tax-number.js';

/** A problem of one field; `field` is its path, e.g. `items[0].quantity`. */
export interface InvoiceFinding {
  readonly field: string;
  readonly message: Text;
}

/** Returns the problems of a value. Absent and null values never reach a rule. */
export type Rule = (value: unknown, field: string) => readonly InvoiceFinding[];

export interface FieldRules {
  readonly required?: Readonly<Record<string, Rule>>;
  /** Unknown fields pass: the national and municipal layouts have hundreds and change every year. */
  readonly optional?: Readonly<Record<string, Rule>>;
}

/** An object with these fields, and any others. */
export function fields({ required = {}, optional = {} }: FieldRules): Rule {
  const rules = new Map(Object.entries({ ...required, ...optional }));
  return (value, field) => {
    if (!isRecord(value)) return [{ field, message: { en: 'must be an object', pt: 'deve ser um objeto' } }];
    const missing = Object.keys(required)
      .filter((name) => !isGiven(value[name]))
      .map((name) => ({ field: joinField(field, name), message: isRequired }));
    const found = Object.entries(value).flatMap(([name, entry]) =>
      isGiven(entry) ? (rules.get(name)?.(entry, joinField(field, name)) ?? []) : [],
    );
    return [...missing, ...found];
  };
}

/** A list of 1 to `most` entries. */
export function entries(most: number, rule: Rule): Rule {
  return (value, field) => {
    if (!Array.isArray(value)) return [{ field, message: { en: 'must be a list', pt: 'deve ser uma lista' } }];
    if (value.length === 0) return [{ field, message: emptyList }];
    if (value.length > most) return [{ field, message: tooMany(value.length, most) }];
    return value.flatMap((entry: unknown, index) => rule(entry, joinField(field, index)));
  };
}

export function text(most: number, form?: { readonly pattern: RegExp; readonly is: Text }): Rule {
  return (value, field) => {
    if (typeof value !== 'string') return [{ field, message: { en: 'must be text', pt: 'deve ser um texto' } }];
    if (value.length > most || value.trim() === '') return [{ field, message: lengthOf(most) }];
    return form?.pattern.test(value) === false ? [{ field, message: form.is }] : [];
  };
}

/** Decimal text or a number with at most `decimals` decimals; zero or more, or more than zero. */
export function decimal(decimals: number, lowest: 'zero' | 'above zero' = 'zero'): Rule {
  return (value, field) => {
    const parts = decimalParts(value);
    if (parts === undefined) return [{ field, message: notDecimal(value) }];
    const isZero = /^0*$/.test(parts.whole + parts.fraction);
    if (parts.negative && !isZero) return [{ field, message: notNegative }];
    if (isZero && lowest === 'above zero') return [{ field, message: aboveZero }];
    const used = isNumber(value) ? parts.fraction.replace(/(?<!0)0+$/, '') : parts.fraction;
    return used.length > decimals ? [{ field, message: tooFine(used.length, decimals) }] : [];
  };
}

export const money: Rule = decimal(2);

export function whole(min: number, max: number): Rule {
  return (value, field) => {
    const number = isNumber(value) ? Number(value) : NaN;
    const isFit = Number.isSafeInteger(number) && number >= min && number <= max;
    return isFit ? [] : [{ field, message: wholeNumber(min, max) }];
  };
}

export function oneOf(names: readonly string[]): Rule {
  return (value, field) =>
    typeof value === 'string' && names.includes(value) ? [] : [{ field, message: oneOfThese(names) }];
}

export const cpf: Rule = (value, field) =>
  isTaxText(value) && checkCpf(String(value).padStart(11, '0')).valid ? [] : [{ field, message: wrongCpf }];

/** CPF or CNPJ: text, or a number as some deployments send it, which has lost its leading zeros. */
export const taxNumber: Rule = (value, field) => {
  if (!isTaxText(value)) return [{ field, message: wrongTaxNumber }];
  const isTyped = typeof value === 'string';
  const number = String(isTyped ? value : Number(value));
  const isFit =
    checkCpf(isTyped ? number : number.padStart(11, '0')).valid ||
    checkCnpj(isTyped ? number : number.padStart(14, '0')).valid;
  return isFit ? [] : [{ field, message: wrongTaxNumber }];
};

/** Applies all rules to the same value. */
export function all(...rules: readonly Rule[]): Rule {
  return (value, field) => rules.flatMap((rule) => rule(value, field));
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

export const isRequired: Text = { en: 'is required', pt: 'é obrigatório' };

function isTaxText(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return isNumber(value) && Number.isSafeInteger(Number(value)) && Number(value) > 0;
}

function decimalParts(value: unknown): DecimalParts | undefined {
  if (value instanceof NumberLiteral) return parseDecimalText(value.text);
  const written = typeof value === 'number' ? numberToDecimalText(value) : value;
  return typeof written === 'string' ? parseDecimalText(written) : undefined;
}

const emptyList: Text = { en: 'must have at least one entry', pt: 'deve ter ao menos um item' };
const notNegative: Text = { en: 'must not be negative', pt: 'não pode ser negativo' };
const aboveZero: Text = { en: 'must be more than zero', pt: 'deve ser maior que zero' };
const wrongCpf: Text = {
  en: 'is not a valid CPF (11 digits; the last two are check digits)',
  pt: 'não é um CPF válido (11 dígitos; os dois últimos são verificadores)',
};
const wrongTaxNumber: Text = {
  en: 'is not a valid CPF or CNPJ (the last two digits are check digits)',
  pt: 'não é um CPF nem um CNPJ válido (os dois últimos dígitos são verificadores)',
};

function tooMany(found: number, most: number): Text {
  return { en: `has ${found} entries; the maximum is ${most}`, pt: `tem ${found} itens; o máximo é ${most}` };
}

function lengthOf(most: number): Text {
  return { en: `must have 1 to ${most} characters`, pt: `deve ter de 1 a ${most} caracteres` };
}

function tooFine(found: number, most: number): Text {
  return { en: `has ${found} decimals; the maximum is ${most}`, pt: `tem ${found} casas decimais; o máximo é ${most}` };
}

function wholeNumber(min: number, max: number): Text {
  return { en: `must be a whole number from ${min} to ${max}`, pt: `deve ser um número inteiro de ${min} a ${max}` };
}

function oneOfThese(names: readonly string[]): Text {
  const list = names.join(', ');
  return { en: `must be one of: ${list}`, pt: `deve ser um destes: ${list}` };
}
