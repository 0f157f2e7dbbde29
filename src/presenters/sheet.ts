import type { Language } from '../contract/text.js';
import { brasiliaTime, parseUtc } from '../domain/dates.js';
import { isNumber } from '../domain/json-numbers.js';
import { isRecord } from '../domain/record.js';
import { type ShownField, withoutTime, wordOf } from './cell.js';
import { type Described, fieldAt, type OutputSchema, ownField, recordOf } from './record.js';
import { flatten, scalarText, valueAt } from './scalar.js';

/** A column of a sheet; a value of another kind is text. */
export interface Column {
  readonly field: string;
  readonly schema: OutputSchema | undefined;
  readonly title: string;
  readonly kind: Kind;
}

interface SheetFields {
  /** Of `--fields`. */
  readonly fields: readonly string[] | undefined;
  readonly described: Described | undefined;
  readonly language: Language;
}

type Kind = 'text' | 'number' | 'date' | 'time';
type Value = string | number | boolean | Date | null;

interface SheetLook {
  readonly language: Language;
  /** Times in UTC instead of those of Brasília. */
  readonly isUtc: boolean;
}

/** Excel keeps 15 digits. */
const EXACT_DIGITS = 15;
/** A text with a decimal point is an amount or a rate, unless it is the version of a layout. */
const decimalText = /^-?\d+\.\d+$/;
const versions = /version|layout/i;

/** The columns by the first records: their fields in the order in which they appear, or those of `--fields`. */
export function columnsOf(
  records: readonly unknown[],
  { fields, described, language }: SheetFields,
): readonly Column[] {
  const names = fields ?? [...new Set(records.flatMap((record) => [...cellsOf(record).keys()]))];
  const owners = names.map((field) => {
    const owner = records.find((record) => valueIn(record, field) !== undefined);
    return recordOf(owner, described);
  });
  const schemas = names.map((field, index) => fieldAt(owners[index], field));
  const titles = names.map((field, index) => schemas[index]?.titles?.[language] ?? field);
  return names.map((field, index) => {
    const title = titles[index] ?? field;
    const isShared = titles.filter((other) => other === title).length > 1;
    // The title of an inner field does not say whose it is.
    const isInner = title !== field && schemas[index] !== ownField(owners[index], field);
    const kinds = new Set(
      records.flatMap((record) => {
        const value = valueIn(record, field);
        return value === undefined || value === null || value === '' ? [] : [kindOf(field, value)];
      }),
    );
    const [kind = 'text', ...others] = kinds;
    return {
      field,
      schema: schemas[index],
      title: isShared || isInner ? `${title} (${field})` : title,
      kind: others.length > 0 ? 'text' : kind,
    };
  });
}

/** A record as the cells of a row. Numbers that Excel would round, keys and CNPJ are text. */
export function rowOf(record: unknown, columns: readonly Column[], look: SheetLook): readonly Value[] {
  return columns.map(({ field, schema, kind }) => {
    const value = valueIn(record, field);
    if (value === undefined || value === null) return null;
    if (typeof value === 'boolean') return value;
    if (kindOf(field, value) !== kind) return textOf({ name: field, schema }, value, look.language);
    const text = withoutTime(field, scalarText(value));
    if (kind === 'number') return Number(text);
    if (kind === 'date' || kind === 'time') return dateOf(text, look);
    return textOf({ name: field, schema }, value, look.language);
  });
}

function cellsOf(record: unknown): ReadonlyMap<string, unknown> {
  return isRecord(record) ? flatten(record) : new Map([['value', record]]);
}

function valueIn(record: unknown, field: string): unknown {
  return cellsOf(record).get(field) ?? valueAt(record, field);
}

function kindOf(field: string, value: unknown): Kind {
  const text = scalarText(value);
  if (isNumber(value) || (typeof value === 'string' && decimalText.test(text) && !versions.test(field))) {
    return text.replaceAll(/\D/g, '').length <= EXACT_DIGITS ? 'number' : 'text';
  }
  if (typeof value !== 'string' || parseUtc(text) === undefined) return 'text';
  return withoutTime(field, text).length === 10 ? 'date' : 'time';
}

/** A day, or a time of the clock that people read: workbooks know no zone. */
function dateOf(text: string, { isUtc }: SheetLook): Date {
  const ms = parseUtc(text) ?? 0;
  return text.length === 10 || isUtc ? new Date(ms) : new Date(`${brasiliaTime(ms)}Z`);
}

function textOf(field: ShownField, value: unknown, language: Language): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value.map((entry) => wordOf(field, entry, language)[0]).join(', ');
  return wordOf(field, scalarText(value), language)[0];
}
