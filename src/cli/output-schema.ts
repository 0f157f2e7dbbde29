/** The part of JSON Schema 2020-12 that describes the output of commands. `{}` is any JSON. */
export interface OutputSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: 'date' | 'date-time';
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Fields;
  readonly required?: readonly string[];
  /** `true`: the service may give fields that are not listed. */
  readonly additionalProperties?: boolean | OutputSchema;
  readonly items?: OutputSchema;
  readonly anyOf?: readonly OutputSchema[];
  readonly $ref?: string;
}

export type Fields = Readonly<Record<string, OutputSchema>>;

/** What a command prints, for `fiscal schema`, the reference and the tests. */
export interface Output {
  /**
   * The document of `-o json`. `either`: an object, or a list where several things are asked for. `text`: one text.
   * `bytes`: a file, as it is. `any`: what the service or another program gives.
   */
  readonly prints: 'one' | 'list' | 'either' | 'text' | 'bytes' | 'any';
  /** The records by their `type`, each a line of `-o ndjson`. */
  readonly records: Readonly<Record<string, OutputSchema>>;
}

/** The outputs of the commands of a noun, by the whole name: `product create`. */
export type Outputs = Readonly<Record<string, Output>>;

export const anything: OutputSchema = {};
export const text: OutputSchema = { type: 'string' };
export const time: OutputSchema = { type: 'string', format: 'date-time' };
export const day: OutputSchema = { type: 'string', format: 'date' };
export const count: OutputSchema = { type: 'integer' };
export const decimal: OutputSchema = { type: 'number' };
export const flag: OutputSchema = { type: 'boolean' };
export const textOrNumber: OutputSchema = { type: ['string', 'number'] };
/** A sentence in both languages. */
export const sentence: OutputSchema = record({ en: text, pt: text });

export function orNull(schema: OutputSchema): OutputSchema {
  if (typeof schema.type === 'string' && schema.properties === undefined)
    return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

export function listOf(items: OutputSchema): OutputSchema {
  return { type: 'array', items };
}

/** An object whose field names are data. */
export function mapOf(values: OutputSchema): OutputSchema {
  return { type: 'object', additionalProperties: values };
}

/** One schema for several fields: `each(text, 'name email')`. */
export function each(schema: OutputSchema, names: string): Fields {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, schema]));
}

/** An object with the fields that it always has, and those that it has where they apply. */
export function record(always: Fields, sometimes: Fields = {}): OutputSchema {
  const required = Object.keys(always);
  return {
    type: 'object',
    properties: { ...always, ...sometimes },
    ...(required.length === 0 ? {} : { required }),
  };
}

/** What the service answered, unchanged: it may have other fields too, only `always` are sure, and no format is checked. */
export function fromService(fields: Fields = {}, always: Fields = {}): OutputSchema {
  const schema = record(always, fields);
  const entries = Object.entries(schema.properties ?? {}).map(([name, { format: _format, ...field }]) => [
    name,
    field,
  ]);
  return { ...schema, properties: Object.fromEntries(entries), additionalProperties: true };
}

export function one(records: Output['records']): Output {
  return { prints: 'one', records };
}

export function list(records: Output['records']): Output {
  return { prints: 'list', records };
}

export function either(records: Output['records']): Output {
  return { prints: 'either', records };
}
