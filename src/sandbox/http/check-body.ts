import type { ApiErrorDetail } from '../../contract/error-body.js';
import type { OperationId } from '../../contract/operations.js';
import { requestSchema } from '../../contract/request-schemas.js';
import type { Schema, SchemaType } from '../../contract/schema.js';
import { Refusal } from '../core/refusal.js';
import { isExactNumber, isRecord } from '../core/exact-json.js';
import { join } from '../product/vocabulary.js';

/** The product registry reads names in any letter case and numbers as text (§2): its handlers check both. */
const readInAnyCase: readonly OperationId[] = ['product.create', 'product.update'];

/**
 * Throws 400 for a field that a closed body does not have, and for a value of another type; the details name each of them.
 * Required fields and values are the business of the handlers.
 */
export function checkBody(operation: OperationId, body: unknown): void {
  const schema = requestSchema(operation);
  if (schema === undefined || body === undefined) return;
  if (readInAnyCase.includes(operation)) return;
  const details = misfits(schema, body, '');
  if (details.length > 0) throw new Refusal('validation_error', 'The body is not valid.', { details });
}

/** The names and types that do not fit. Null counts as absent (§1). */
export function misfits(schema: Schema, value: unknown, field: string): readonly ApiErrorDetail[] {
  if (value === null) return [];
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType[type](value))) {
    return [{ field, message: `Must be ${types.map((type) => typeNames[type]).join(' or ')}.` }];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item: unknown, index) => misfits(items, item, `${field}[${index}]`));
  }
  // Nothing is known of what is in a free object.
  if (!isRecord(value) || (schema.properties ?? schema.additionalProperties) === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = join(field, name);
    const known = ownSchema(schema, name);
    return known === false ? [{ field: path, message: 'Is unknown.' }] : misfits(known, inner, path);
  });
}

/** The schema of a field; `false` where there may be no such field. */
function ownSchema({ properties = {}, additionalProperties = true }: Schema, name: string): Schema | false {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {};
  return additionalProperties === true ? {} : additionalProperties;
}

const isOfType: Readonly<Record<SchemaType, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || isExactNumber(value),
  integer: (value) => Number.isInteger(isExactNumber(value) ? Number(String(value)) : value),
  boolean: (value) => typeof value === 'boolean',
};

const typeNames: Readonly<Record<SchemaType, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};
