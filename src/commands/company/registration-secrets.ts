import { isSecretName } from '../../client/redact.js';
import { isRecord } from '../../domain/record.js';
import { isSecretField } from '../../jobs/kinds/registration-body.js';
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

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
