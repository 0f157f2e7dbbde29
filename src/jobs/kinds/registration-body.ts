import { isSecretName } from '../../client/redact.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { isRecord } from '../../domain/record.js';

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
