import type { DeliveryCounts, DeliveryRow, DeliveryState, HeldDelivery } from './deliveries.js';
import { fromJson, presentColumns } from './row.js';

export const deliveryColumns = `seq, id, profile, received_at AS "receivedAt", scheme, hook_id AS "hookId", event, resource, digest,
  length(body) AS bytes, state, attempts, copies, due_at AS "dueAt", last_error AS "lastError", done_by AS "doneBy",
  settled_at AS "settledAt"`;

export interface DeliveryRecord extends Omit<DeliveryRow, 'doneBy' | 'dueAt' | 'lastError' | 'settledAt'> {
  readonly doneBy: string;
  readonly dueAt: number | null;
  readonly lastError: string | null;
  readonly settledAt: number | null;
}

export type HeldRecord = DeliveryRecord & { readonly body: Buffer };

export function toDelivery(record: DeliveryRecord): DeliveryRow {
  const { doneBy, ...row } = record;
  return { ...presentColumns(row), doneBy: names(doneBy) };
}

export function toHeld({ body, ...record }: HeldRecord): HeldDelivery {
  return { ...toDelivery(record), body };
}

function names(json: string): readonly string[] {
  const value = fromJson(json);
  return Array.isArray(value) ? value.map(String) : [];
}

const none: DeliveryCounts = { received: 0, forwarding: 0, delivered: 0, dead: 0, kept: 0 };

export function sumOf(
  rows: readonly { readonly state: DeliveryState; readonly count: number }[],
): DeliveryCounts {
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** The order of work. */
export function byOrder(
  left: { dueAt?: number; seq: number },
  right: { dueAt?: number; seq: number },
): number {
  return (left.dueAt ?? 0) - (right.dueAt ?? 0) || left.seq - right.seq;
}
