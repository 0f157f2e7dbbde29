import { requestSchema } from '../contract/request-schemas.js';
import type { OperationId } from '../contract/operations.js';
import type { Schema } from '../contract/schema.js';
import type { Text } from '../contract/text.js';
import { formatUtcShort, parseDayOrTime } from './dates.js';
import { notDecimal, numberToDecimalText, parseDecimalText } from './decimal-text.js';
import { isNumber, joinField, NumberLiteral } from './json-numbers.js';
import { isRecord } from './record.js';
import { readTaxNumber } from './tax-number.js';

/** The forms that a profile may choose (`sends.*`). */
export interface BodyForms {
  /** CPF and CNPJ of digits in the fields that take a JSON integer. */
  readonly taxNumbers: 'integer' | 'text';
  /** Amounts, quantities, rates and NSUs in the fields that take a JSON number. */
  readonly decimals: 'number' | 'text';
}

export interface FieldProblem {
  /** The path of the field, e.g. `buyer.federalTaxNumber`. */
  readonly field: string;
  readonly message: Text;
}

export interface RequestBody {
  readonly body: unknown;
  /** Values that have no form in which the operation takes them. */
  readonly problems: readonly FieldProblem[];
}

/**
 * A body in the published form of its operation: decimal text becomes the number with the same digits where the schema
 * has a number, a number becomes text where it has text, a day becomes its midnight in Brasília where it has a
 * date-time, and a CPF or CNPJ becomes an integer, which has no leading zeros. Unknown fields, and values that fit no
 * form, stay as they are.
 */
export function requestBody(operation: OperationId, body: unknown, forms: BodyForms): RequestBody {
  const schema = keepsItsForm.includes(operation) ? undefined : requestSchema(operation);
  if (schema === undefined) return { body, problems: [] };
  const problems: FieldProblem[] = [];
  return {
    body: formed({ schema, name: '', path: '' }, body, { forms, problems, amountsByName: isIssue(operation) }),
    problems,
  };
}

/**
 * A body whose values have one spelling each, for digests: as published, and where a field takes text and numbers the
 * number; of a date-time its instant.
 */
export function spelledAlike(operation: OperationId, body: unknown): unknown {
  const schema = requestSchema(operation);
  const forms: BodyForms = { taxNumbers: 'integer', decimals: 'number' };
  if (schema === undefined) return body;
  const forming: Forming = { forms, problems: [], amountsByName: isIssue(operation), isForDigest: true };
  return formed({ schema, name: '', path: '' }, body, forming);
}

/**
 * The layouts of the cities and of the tax reform have groups that no schema describes: in the body of an invoice, their amounts are
 * known by name.
 */
function isIssue(operation: OperationId): boolean {
  return /^(?:nfe|nfce|nfse)\.(?:stateTax\.)?issue$|^invoice\.create$/.test(operation);
}

const freeField: Schema = {};
/** In English, in Portuguese, and as in the XML of an NF-e: `vBC`, `pIBSUF`, `qBCMono`. */
const amountNames: readonly RegExp[] = [
  /(?:amount|rate|basis|quantity|total|reduction|value)$/i,
  /^(?:valor|total|desconto|frete|quantidade|troco|aliquota|base|percent)|^[vpq][A-Z]/,
];

/** A company goes back with the types in which it was read; its commands write the CNPJ. */
const keepsItsForm: readonly OperationId[] = ['company.create', 'company.update'];

interface Place {
  readonly schema: Schema;
  /** The name of the field; that of the list for its entries. */
  readonly name: string;
  readonly path: string;
}

interface Forming {
  readonly forms: BodyForms;
  readonly problems: FieldProblem[];
  readonly amountsByName: boolean;
  readonly isForDigest?: true;
}

function formed(place: Place, value: unknown, forming: Forming): unknown {
  const { schema, name, path } = place;
  if (Array.isArray(value)) {
    const { items = forming.amountsByName ? freeField : undefined } = schema;
    if (items === undefined) return value;
    return value.map((entry: unknown, index) =>
      formed({ schema: items, name, path: joinField(path, index) }, entry, forming),
    );
  }
  if (!isRecord(value)) return formedScalar(place, value, forming);
  const { properties = {} } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const described = Object.hasOwn(properties, field) ? properties[field] : undefined;
      const known = described ?? (forming.amountsByName ? freeField : undefined);
      if (known === undefined) return [field, inner];
      return [field, formed({ schema: known, name: field, path: joinField(path, field) }, inner, forming)];
    }),
  );
}

function formedScalar({ schema, name, path }: Place, value: unknown, forming: Forming): unknown {
  const { forms, problems, isForDigest = false } = forming;
  const kind = schema === freeField && amountNames.some((form) => form.test(name)) ? 'decimal' : kindOf(schema, name);
  switch (kind) {
    case 'tax-number': {
      const form = taxNumberForm(value, forms);
      if ('value' in form) return form.value;
      problems.push({ field: path, message: form.problem });
      return value;
    }
    case 'decimal': {
      const isAmount = schema === freeField ? looksLikeAmount(value) : schema.type === 'number';
      if (isAmount && isWrongDecimal(value)) problems.push({ field: path, message: notDecimal(value) });
      return forms.decimals === 'text' ? textForm(value) : numberForm(value);
    }
    case 'integer':
      return numberForm(value);
    case 'text':
      return isTaxNumber(name) && isNumber(value) ? (readTaxNumber(Number(value)) ?? value) : textForm(value);
    case 'date-time':
      return dateTimeForm(value, isForDigest);
    case 'other':
      return isForDigest && takesNumber(schema) ? numberForm(value) : value;
  }
}

type Kind = 'tax-number' | 'decimal' | 'integer' | 'text' | 'date-time' | 'other';

/** Where text is taken beside a whole number, the number is the newer form (published). */
function kindOf({ type: types, format }: Schema, name: string): Kind {
  const type = Array.isArray(types) && types[0] === 'integer' ? 'integer' : types;
  if (type === 'string') return format === 'date-time' ? 'date-time' : 'text';
  if (type === 'number') return 'decimal';
  if (type !== 'integer') return 'other';
  if (isTaxNumber(name)) return 'tax-number';
  return /nsu$/i.test(name) ? 'decimal' : 'integer';
}

function takesNumber({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('number');
}

/** `xmlAuthorized`: who may fetch the XML of an NF-e. */
function isTaxNumber(name: string): boolean {
  return /^(?:federalTaxNumber.*|xmlAuthorized|cpf|cnpj)$/.test(name);
}

function taxNumberForm(
  value: unknown,
  { taxNumbers }: BodyForms,
): { readonly value: unknown } | { readonly problem: Text } {
  if (taxNumbers === 'text') return { value: isNumber(value) ? readTaxNumber(Number(value)) : value };
  if (typeof value !== 'string') return { value };
  const bare = value.replaceAll(/[\s./-]/g, '');
  if (/^\d+$/.test(bare)) return { value: new NumberLiteral(withoutZeros(bare)) };
  return /^[\dA-Z]+$/i.test(bare) ? { problem: noLetters } : { value };
}

const noLetters: Text = {
  en: 'has letters, which the JSON integer of this operation cannot hold; if the account takes text: fiscal config set sends.taxNumbers text',
  pt: 'tem letras, que não cabem no inteiro JSON desta operação; se a conta aceita texto: fiscal config set sends.taxNumbers text',
};

function numberForm(value: unknown): unknown {
  const isDecimal = typeof value === 'string' && parseDecimalText(value) !== undefined;
  return isDecimal ? new NumberLiteral(withoutZeros(value)) : value;
}

/** Text that no number can stand for; empty text is a field without a value. */
function isWrongDecimal(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && parseDecimalText(value) === undefined;
}

/** `R$ 1.234,56`, `18,90 %`: a field that no schema describes may also hold a word. */
function looksLikeAmount(value: unknown): boolean {
  return typeof value === 'string' && /^(?:R\$)?[-+.,\d\s]+%?$/.test(value.trim()) && /\d/.test(value);
}

function textForm(value: unknown): unknown {
  if (value instanceof NumberLiteral) return value.text;
  return typeof value === 'number' ? (numberToDecimalText(value) ?? value) : value;
}

/** A time stays as it was written, except where only its instant counts. */
function dateTimeForm(value: unknown, isInstant: boolean): unknown {
  const isRead = typeof value === 'string' && (isInstant || value.length === 10);
  const at = isRead ? parseDayOrTime(value) : undefined;
  return at === undefined ? value : formatUtcShort(at);
}

/** A JSON number begins with no zero, unless it is its only digit before the point. */
function withoutZeros(text: string): string {
  return text.replace(/^(-?)0+(?=\d)/, '$1');
}
