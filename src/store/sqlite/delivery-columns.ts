import type { DeliveryRow, HeldDelivery } from '../deliveries.js';
import { fromJson, present } from './row.js';

export const deliveryColumns = `seq, id, profile, received_at AS receivedAt, scheme, hook_id AS hookId, event, resource, digest,
  length(body) AS bytes, state, attempts, copies, due_at AS dueAt, last_error AS lastError, done_by AS doneBy,
  settled_at AS settledAt`;

export interface DeliveryRecord extends Omit<DeliveryRow, 'doneBy' | 'dueAt' | 'lastError' | 'settledAt'> {
  readonly doneBy: string;
  readonly dueAt: number | null;
  readonly lastError: string | null;
  readonly settledAt: number | null;
}

export type HeldRecord = DeliveryRecord & { readonly body: Buffer };

export function toDelivery(record: DeliveryRecord): DeliveryRow {
  const { doneBy, ...row } = record;
  return { ...present(row), doneBy: names(doneBy) };
}

export function toHeld({ body, ...record }: HeldRecord): HeldDelivery {
  return { ...toDelivery(record), body };
}

function names(json: string): readonly string[] {
  const value = fromJson(json);
  return Array.isArray(value) ? value.map(String) : [];
}
