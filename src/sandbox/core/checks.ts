import type { ApiErrorDetail } from '../../contract/error-body.js';
import { canonicalValue, join } from '../product/vocabulary.js';
import { readDecimal } from './decimal.js';
import { isRecord } from './exact-json.js';
import { isCnpj, isCpf } from './identity.js';
import type { Fields } from './records.js';
import { Refusal, invalid } from './refusal.js';

export type Report = ApiErrorDetail[];

/** Adds the problems of a value to the report. */
export type Check = (value: unknown, path: string, report: Report) => void;

interface FieldChecks {
  readonly required?: Readonly<Record<string, Check>>;
  /** Unknown fields pass: layouts have hundreds and change every year. */
  readonly optional?: Readonly<Record<string, Check>>;
}

/** Returns the body as fields, or throws a 400 that names all problems of this `noun`. */
export function readBody(body: unknown, check: Check, noun: string): Fields {
  const report: Report = [];
  check(body, '', report);
  if (report.length > 0 || !isRecord(body)) {
    throw new Refusal('validation_error', `The ${noun} is not valid.`, { details: report });
  }
  return body;
}

export function object({ required = {}, optional = {} }: FieldChecks): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, path, report) => {
    if (!isRecord(value)) return void report.push({ field: path, message: 'Must be an object.' });
    for (const name of Object.keys(required)) {
      const isMissing = value[name] === undefined || value[name] === null || value[name] === '';
      if (isMissing) report.push({ field: join(path, name), message: 'Is required.' });
    }
    for (const [name, each] of Object.entries(value)) {
      if (each === null || (each === '' && Object.hasOwn(required, name))) continue;
      checks.get(name)?.(each, join(path, name), report);
    }
  };
}

export function list(most: number, check: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) return void report.push({ field: path, message: 'Must be a list.' });
    if (value.length === 0) report.push({ field: path, message: 'Must have at least one item.' });
    if (value.length > most) report.push({ field: path, message: `Must have at most ${most} items.` });
    for (const [index, each] of value.slice(0, most).entries()) check(each, `${path}[${index}]`, report);
  };
}

export function text(limit: number, form?: RegExp): Check {
  return (value, path, report) => {
    if (typeof value !== 'string') report.push({ field: path, message: 'Must be text.' });
    else if (value.length > limit || value.trim() === '') {
      report.push({ field: path, message: `Must have 1 to ${limit} characters.` });
    } else if (form?.test(value) === false) report.push({ field: path, message: 'Has an invalid format.' });
  };
}

interface DecimalRule {
  readonly decimals: number;
  readonly isPositive?: boolean;
}

/** Zero or more (or more than zero), with at most `decimals` decimals. */
export function decimal({ decimals, isPositive = false }: DecimalRule): Check {
  return (value, path, report) => {
    const isNegative = typeof value === 'number' ? value < 0 : /^-/.test(String(value));
    const read = readDecimal(value);
    const message =
      (isNegative && 'Must not be negative.') ||
      (read === undefined && 'Must be a decimal with a point.') ||
      (read !== undefined && isPositive && read.units === 0n && 'Must be more than zero.') ||
      (read !== undefined && read.scale > decimals && `Must have at most ${decimals} decimals.`);
    if (typeof message === 'string') report.push({ field: path, message });
  };
}

export const money = decimal({ decimals: 2 });

export function whole(from: number, to: number): Check {
  return (value, path, report) => {
    const number = typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    if (number === undefined || number < from || number > to) {
      report.push({ field: path, message: `Must be a whole number from ${from} to ${to}.` });
    }
  };
}

/** A whole number or its digits as text, as the published descriptions of one field differ. */
export function wholeOrText(from: number, to: number): Check {
  const check = whole(from, to);
  return (value, path, report) => {
    check(typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value, path, report);
  };
}

export function oneOf(names: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value !== 'string' || !names.includes(value)) {
      report.push({ field: path, message: `Must be one of: ${names.join(', ')}.` });
    }
  };
}

/** One of these words, in any letter case (§2, convention 2). */
export function word(words: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value === 'string' && canonicalValue(words, value) !== undefined) return;
    report.push({ field: path, message: `Must be one of: ${words.join(', ')}.` });
  };
}

export const flag: Check = (value, path, report) => {
  if (typeof value !== 'boolean') report.push({ field: path, message: 'Must be true or false.' });
};

/** Applies all checks to the same value. */
export function all(...checks: readonly Check[]): Check {
  return (value, path, report) => {
    for (const check of checks) check(value, path, report);
  };
}

/** CPF or CNPJ as text. Some deployments show and accept a number, which has lost its leading zeros. */
export function taxNumberText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replaceAll(/[.\-/]/g, '');
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return undefined;
  const digits = String(value);
  const short = digits.padStart(11, '0');
  return digits.length <= 11 && isCpf(short) ? short : digits.padStart(14, '0');
}

export const cpf: Check = (value, path, report) => {
  if (!isCpf(taxNumberText(value) ?? '')) report.push({ field: path, message: 'Is not a valid CPF.' });
};

/** Accepts letters: the alphanumeric CNPJ is law since July 2026 (facts §1). */
export const taxNumber: Check = (value, path, report) => {
  const number = taxNumberText(value) ?? '';
  if (!isCpf(number) && !isCnpj(number, true)) {
    report.push({ field: path, message: 'Is not a valid CPF or CNPJ.' });
  }
};

/** The number of a query in this range. Throws a 400, as all readers of queries do. */
export function wholeIn(
  query: URLSearchParams,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw invalid(name, `Must be from ${from} to ${to}.`);
}

export function queryNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, 'Must be a whole number.');
  return Number(text);
}

/** The number of rows of a page by cursor (the bounds are assumed). */
export function cursorLimit(query: URLSearchParams): number {
  return wholeIn(query, 'limit', { from: 1, to: 50, otherwise: 10 });
}

export function pageIndex(query: URLSearchParams): number {
  return wholeIn(query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
}

/** The number of rows of a page; `pageCount=0` is the usual one (public). */
export function pageSize(query: URLSearchParams, to: number, usual: number): number {
  const size = wholeIn(query, 'pageCount', { from: 0, to, otherwise: usual });
  return size === 0 ? usual : size;
}

/** The time that a parameter of a query has, in milliseconds. */
export function queryTime(name: string, text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at)) throw invalid(name, 'Must be a date in ISO 8601.');
  return at;
}
