import type { ProductInput } from '../contract/product.js';
import type { Text } from '../contract/text.js';
import { NumberLiteral } from './json-numbers.js';
import {
  canonicalTaxName,
  fieldOf,
  productShape,
  requiredProductFields,
  type GroupShape,
  type Shape,
} from './product-shape.js';
import { isRecord } from './record.js';

/** A problem of one field; `field` is its path as written, e.g. `customTax[0].intraState.icms.pICMS`. */
export interface ProductFinding {
  readonly field: string;
  readonly message: Text;
}

interface CheckedProduct {
  /** The product in canonical names and values. Send it only if there are no problems. */
  readonly product: ProductInput;
  readonly problems: readonly ProductFinding[];
  /** What the user should know: nulls that are left out, unknown fields that are sent as written. */
  readonly notes: readonly ProductFinding[];
}

/** Every scenario of a product can be wrong; the first problems are enough. */
const MAX_FINDINGS = 50;

/**
 * Reads a product as a person or a program writes it: field and enum names in any letter case, numbers in tax groups
 * (§2). Reports all problems at once. `forCreate` requires the fields that a create needs.
 */
export function checkProduct(raw: unknown, options: { readonly forCreate: boolean }): CheckedProduct {
  const walk = new Walk();
  const product = walk.read(productShape, raw, { path: '', name: '' });
  if (isRecord(product)) walk.require(product, options.forCreate ? requiredProductFields : []);
  return { product: isRecord(product) ? product : {}, problems: walk.problems, notes: walk.notes };
}

interface FieldPosition {
  readonly path: string;
  /** Canonical name of the field, which decides what a tax value may be. */
  readonly name: string;
}

class Walk {
  readonly problems: ProductFinding[] = [];
  readonly notes: ProductFinding[] = [];

  read(shape: Shape, value: unknown, position: FieldPosition): unknown {
    switch (shape.kind) {
      case 'text':
        return this.value(readText(value, shape.maxLength), position);
      case 'digits':
        if (typeof value === 'string' && shape.none?.test(value.trim()) === true)
          return this.note(position.path, leftOut(value.trim()));
        return this.value(readDigits(value, shape), position);
      case 'name':
        return this.value(readName(value, shape.names), position);
      case 'integer':
        return this.value(readInteger(value, shape), position);
      case 'tax-group':
        return this.taxGroup(value, position);
      case 'list':
        return this.list(shape.of, value, position);
      case 'group':
        return this.group(shape, value, position);
    }
  }

  require(product: Readonly<Record<string, unknown>>, names: readonly string[]): void {
    for (const name of names) {
      const value = product[name];
      const isAlreadyReported = this.problems.some((problem) => problem.field.toLowerCase() === name.toLowerCase());
      if ((value === undefined || value === '') && !isAlreadyReported) this.problem(name, required);
    }
    if (Object.keys(product).length === 0 && this.problems.length === 0) this.problem('', emptyProduct);
  }

  private value(read: Read, position: FieldPosition): unknown {
    if ('problem' in read) this.problem(position.path, read.problem);
    return 'problem' in read ? undefined : read.value;
  }

  private list(of: Shape, value: unknown, position: FieldPosition): unknown {
    if (!Array.isArray(value)) return this.read(of, value, position);
    return value.map((element: unknown, index) =>
      this.read(of, element, { path: `${position.path}[${index}]`, name: position.name }),
    );
  }

  private group(shape: GroupShape, value: unknown, position: FieldPosition): unknown {
    return this.fields(value, position, (name, field, path) => {
      const known = fieldOf(shape, name);
      if (known) return { name: known.name, value: this.read(known.shape, field, { path, name: known.name }) };
      this.note(path, keptAsWritten);
      return { name, value: field };
    });
  }

  private taxGroup(value: unknown, position: FieldPosition): unknown {
    return this.fields(value, position, (written, field, path) => {
      const name = canonicalTaxName(written);
      const isNested = isRecord(field) || Array.isArray(field);
      const inner = { path, name };
      return { name, value: isNested ? this.list({ kind: 'tax-group' }, field, inner) : this.taxValue(field, inner) };
    });
  }

  private taxValue(value: unknown, position: FieldPosition): string | undefined {
    const read = readTaxValue(position.name, value);
    if ('text' in read) return read.text;
    this.problem(position.path, read.problem);
    return undefined;
  }

  private fields(
    value: unknown,
    position: FieldPosition,
    readField: (name: string, field: unknown, path: string) => { name: string; value: unknown },
  ): unknown {
    if (!isRecord(value)) {
      this.problem(position.path, mustBeObject);
      return undefined;
    }
    const entries = new Map<string, unknown>();
    for (const [name, field] of Object.entries(value)) {
      const path = position.path === '' ? name : `${position.path}.${name}`;
      if (field === null) {
        this.note(path, nullLeftOut);
        continue;
      }
      const read = readField(name, field, path);
      if (entries.has(read.name)) this.problem(path, givenTwice);
      else entries.set(read.name, read.value);
    }
    // fromEntries, not assignment: a field called `__proto__` stays a field.
    return Object.fromEntries([...entries].filter(([, field]) => field !== undefined));
  }

  private problem(field: string, message: Text): void {
    if (this.problems.length < MAX_FINDINGS) this.problems.push({ field, message });
  }

  private note(field: string, message: Text): undefined {
    if (this.notes.length < MAX_FINDINGS) this.notes.push({ field, message });
    return undefined;
  }
}

const required: Text = { en: 'is required to create a product', pt: 'é obrigatório para criar um produto' };
const emptyProduct: Text = { en: 'the product has no fields', pt: 'o produto não tem campos' };
const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
const givenTwice: Text = {
  en: 'is given twice, in different letter case',
  pt: 'aparece duas vezes, com maiúsculas e minúsculas diferentes',
};
const nullLeftOut: Text = { en: 'is null and is left out', pt: 'é nulo e não é enviado' };
function leftOut(written: string): Text {
  return {
    en: `is "${written}": the product has none, and the field is left out`,
    pt: `é "${written}": o produto não tem, e o campo não é enviado`,
  };
}

const keptAsWritten: Text = {
  en: 'is not a known field and is sent as written',
  pt: 'não é um campo conhecido e é enviado como foi escrito',
};

/** The value to send, or why it cannot be sent. */
type Read = { readonly value: unknown } | { readonly problem: Text };

function readText(value: unknown, maxLength: number): Read {
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

/** Codes such as NCM are text: a number would lose the leading zeros. */
function readDigits(value: unknown, rule: { readonly length: number; readonly exact: boolean }): Read {
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

/** An enum value is its name; input accepts any letter case (§2, convention 2). */
function readName(value: unknown, names: readonly string[]): Read {
  const wanted = typeof value === 'string' ? value.toLowerCase() : undefined;
  const found = names.find((name) => name.toLowerCase() === wanted);
  if (found !== undefined) return { value: found };
  const list = names.join(', ');
  return { problem: { en: `must be one of: ${list}`, pt: `deve ser um destes: ${list}` } };
}

/** A whole number, or its digits as text: a CSV cell has no other form. */
function readInteger(value: unknown, range: { readonly min: number; readonly max: number }): Read {
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

const mustBeText: Text = { en: 'must be text, in quotes', pt: 'deve ser texto, entre aspas' };

/** The tax value to send, or why it cannot be sent. */
type TaxValue = { readonly text: string } | { readonly problem: Text };

const decimal = /^-?\d+(\.\d+)?$/;
const percentage = /^\d{1,3}(\.\d{1,4})?$/;
/** No rate, value or code of a tax group has more digits. */
const MAX_DIGITS = 15;

/**
 * Tax groups contain text; a number becomes the text that was typed (§2, convention 3). A name that starts with `p`
 * and a capital is a percentage: 0 to 100 with up to four decimals. A margin (`pMVA…`) may exceed 100.
 */
function readTaxValue(name: string, value: unknown): TaxValue {
  const typed = typedNumber(value);
  if (typed !== undefined) return readNumber(name, typed);
  if (typeof value !== 'string') return { problem: mustBeTextOrNumber };
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
  // A CST has two or three digits and may begin with zeros, which a number loses.
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

const mustBeTextOrNumber: Text = {
  en: 'must be text or a number, e.g. "18.00"',
  pt: 'deve ser texto ou número, p. ex. "18.00"',
};

const notPercentage: Text = {
  en: 'must be a percentage as text with up to four decimals, e.g. "18.00"',
  pt: 'deve ser um percentual em texto com até quatro casas decimais, p. ex. "18.00"',
};

const outOfRange: Text = { en: 'must be between 0 and 100', pt: 'deve estar entre 0 e 100' };

const cstNeedsZeros: Text = {
  en: 'a number loses the leading zeros of the code: write it as text, e.g. "00"',
  pt: 'como número, o código perde os zeros: escreva como texto, p. ex. "00"',
};

function usePoint(text: string): Text {
  const fixed = text.replace(',', '.');
  return { en: `the decimal separator is a point: "${fixed}"`, pt: `o separador decimal é o ponto: "${fixed}"` };
}

function plainDecimal(literal: string): Text {
  const shown = literal.slice(0, 24);
  return {
    en: `the number ${shown} must be written as a plain decimal of at most ${MAX_DIGITS} digits`,
    pt: `o número ${shown} deve ser escrito como decimal simples, com no máximo ${MAX_DIGITS} dígitos`,
  };
}
