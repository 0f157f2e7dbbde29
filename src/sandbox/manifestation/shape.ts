import { invalid } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import { join } from '../product/canonical-names.js';

/** Checks a value and refuses it with 400 that names the field. */
export type Shape = (value: unknown, path: string) => void;

export interface FieldShapes {
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
}

/** An object of these fields and no others. */
export function object({ required = {}, optional = {} }: FieldShapes): Shape {
  const shapes = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (!isRecord(value)) throw invalid(path, 'Must be an object.');
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) throw invalid(join(path, name), 'Is required.');
    }
    for (const [name, field] of Object.entries(value)) {
      const shape = shapes.get(name);
      if (shape === undefined) throw invalid(join(path, name), 'Does not belong to this event.');
      shape(field, join(path, name));
    }
  };
}

const mostItems = 990;

/** 1 to 990 groups, each with an `nItem` of its own (facts §3). */
export function items(fields: FieldShapes): Shape {
  const group = object({ ...fields, required: { nItem: itemNumber, ...fields.required } });
  return (value, path) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > mostItems) {
      throw invalid(path, `Must be a list of 1 to ${mostItems} groups.`);
    }
    const seen = new Set<number>();
    for (const [index, element] of value.entries()) {
      const elementPath = `${path}[${index}]`;
      group(element, elementPath);
      const number = Number(element.nItem);
      if (seen.has(number)) throw invalid(`${elementPath}.nItem`, 'Is there already.');
      seen.add(number);
    }
  };
}

function itemNumber(value: unknown, path: string): void {
  const number = wholeNumber(value);
  if (number === undefined || number < 1 || number > mostItems) {
    throw invalid(path, `Must be a whole number from 1 to ${mostItems}.`);
  }
}

/** A whole number, as a number or as its digits: the document does not say which. */
export function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

export function text(form: RegExp, message: string): Shape {
  return (value, path) => {
    if (typeof value !== 'string' || !form.test(value)) throw invalid(path, message);
  };
}

export function oneOf(numbers: readonly number[]): Shape {
  return (value, path) => {
    const number = wholeNumber(value);
    if (number === undefined || !numbers.includes(number)) {
      throw invalid(path, `Must be one of: ${numbers.join(', ')}.`);
    }
  };
}
