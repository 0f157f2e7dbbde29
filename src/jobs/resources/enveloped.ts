import type { Answer } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** What an answer holds under this name. Error: `service.unreadable` where it is no object. */
export function enveloped(
  { body, status }: Answer<unknown>,
  { envelope, operation, reason }: { readonly envelope: string; readonly operation: string; readonly reason: Text },
): JsonObject {
  const content = fieldOf(body, envelope);
  if (isRecord(content)) return content;
  const facts = { operation, httpStatus: status, sent: 'no', retryable: false } as const;
  throw new FiscalError('service.unreadable', { operation, status, reason }, facts);
}

/** The same where the answer to a write may hold nothing. */
export function recordIn(body: unknown, envelope: string): JsonObject | undefined {
  const content = fieldOf(body, envelope);
  return isRecord(content) ? content : undefined;
}
