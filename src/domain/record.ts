import { NumberLiteral } from './json-numbers.js';

/** True for a JSON object, whose fields may be anything. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
  );
}

/** Reads an own field of a value that may not be an object. Inherited properties are not part of an answer. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
