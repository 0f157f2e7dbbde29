/** A schema of JSON as data: the part of JSON Schema 2020-12 that the request bodies need. `{}` is any JSON. */
export interface Schema {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly format?: 'date' | 'date-time' | 'uri';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** False: the body is closed, and another field is refused. */
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
}

export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';

type Fields = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const dateTime: Schema = { type: 'string', format: 'date-time' };
export const decimal: Schema = { type: 'number' };
export const whole: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
/** A value of a tax group: text, and a number is accepted (§2, convention 3). */
export const textOrNumber: Schema = { type: ['string', 'number'] };
export const freeObject: Schema = { type: 'object' };

export function textUpTo(maxLength: number): Schema {
  return { type: 'string', maxLength };
}

export function wholeFrom(minimum: number, maximum?: number): Schema {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export function listOf(items: Schema, minItems?: number): Schema {
  return { type: 'array', items, ...(minItems === undefined ? {} : { minItems }) };
}

/** One schema for several fields: `each(text, 'name email')`. */
export function each(schema: Schema, names: string): Fields {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, schema]));
}

/** An object that may have other fields. `required` holds names between spaces. */
export function open(properties: Fields, required = ''): Schema {
  return { type: 'object', properties, ...requiredIn(required) };
}

/** An object that has no other fields. */
export function closed(properties: Fields, required = ''): Schema {
  return { ...open(properties, required), additionalProperties: false };
}

function requiredIn(names: string): Pick<Schema, 'required'> {
  return names === '' ? {} : { required: names.split(/\s+/) };
}
