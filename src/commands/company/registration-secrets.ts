import { isSecretName } from '../../client/redact.js';
import { isRecord } from '../../domain/record.js';
import type { Change, JsonObject } from '../../domain/field-changes.js';

/** A registration as people and programs see it: secrets are masked, wherever they stand. */
export function masked(registration: unknown): JsonObject {
  return isRecord(registration) ? maskedFields(registration, false) : {};
}

/** An object in a secret field keeps its `id`: that of a CSC is no secret. */
function maskedFields(fields: JsonObject, isSecret: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (isSecret && name === 'id' && typeof value !== 'object') return [name, value];
      return [name, maskedValue(value, isSecret || isSecretName(name))];
    }),
  );
}

function maskedValue(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => maskedValue(entry, isSecret));
  if (isRecord(value)) return maskedFields(value, isSecret);
  return isSecret && isGiven(value) ? '***' : value;
}

/** A change with masked secrets; an object that contains one is masked as well. */
export function maskedChange({ field, from, to }: Change): Change {
  const isSecret = isSecretField(field);
  return { field, from: maskedValue(from, isSecret), to: maskedValue(to, isSecret) };
}

/** A path of a field at or below a secret name, other than the `id` of a CSC. */
export function isSecretField(field: string): boolean {
  const names = field.split('.');
  return names.at(-1) !== 'id' && names.some(isSecretName);
}

/** What a write may send of a registration: no field of the service, and none that is empty or masked. */
export function sendable(fields: readonly string[], registration: JsonObject): JsonObject {
  const own = Object.entries(registration).filter(([name, value]) => fields.includes(name) && isGiven(value));
  return withoutMasks(Object.fromEntries(own), '');
}

function withoutMasks(fields: JsonObject, path: string): JsonObject {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    const field = `${path}${name}`;
    if (isRecord(value)) return [[name, withoutMasks(value, `${field}.`)] as const];
    return isSecretField(field) && !isReadable(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** A service may show stars or nothing instead of a secret. */
function isReadable(value: unknown): boolean {
  return typeof value === 'string' && !/^[*•x]*$/i.test(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
