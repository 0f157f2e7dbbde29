import { NumberLiteral } from './json-numbers.js';
import { Prose } from './prose.js';

/** True for a JSON object, whose fields may be anything. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof NumberLiteral) && !(value instanceof Prose);
}

/** Records one after another, for lists that do not fit in memory. */
export function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** Reads an own field of a value that may not be an object. Inherited properties are not part of an answer. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

type EmptyKeys<Fields> = {
  [Key in keyof Fields]-?: unknown extends Fields[Key]
    ? never
    : Extract<Fields[Key], null | undefined> extends never
      ? never
      : Key;
}[keyof Fields];

/** Without the empty fields: what is `null` or `undefined` is absent here. */
export type Present<Fields> = Omit<Fields, EmptyKeys<Fields>> & {
  [Key in EmptyKeys<Fields>]?: Exclude<Fields[Key], null | undefined>;
};

/** The fields that have a value. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== null && value !== undefined) kept[name] = value;
  // The compiler cannot infer the type from the filter on values.
  return kept as Present<Fields>;
}
