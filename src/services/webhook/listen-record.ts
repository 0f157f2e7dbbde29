import type { DataRecord } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/utc.js';
import { readWebhookEvent } from '../../domain/webhook-event.js';
import type { HeldDelivery } from '../../store/deliveries.js';
import type { Target } from './target.js';

/** One line of what `webhook listen` prints. Fields are only ever added. */
export interface ListenRecord extends DataRecord {
  readonly type: 'event';
  readonly id: string;
  readonly event: string;
  readonly resource: string;
  readonly hookId: string;
  readonly scheme: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** The resource as it came. */
  readonly payload: unknown;
}

export function recordOf(event: HeldDelivery): ListenRecord {
  return {
    type: 'event',
    id: event.id,
    event: event.event,
    resource: event.resource,
    hookId: event.hookId,
    scheme: event.scheme,
    receivedAt: formatUtc(event.receivedAt),
    payload: readWebhookEvent(event.body, event.event)?.payload ?? null,
  };
}

/** The records are a target like any other: what was not printed when the process died is printed by the next one. */
export function recordTarget(write: (record: ListenRecord) => Promise<void>): Target {
  return {
    name: 'stdout',
    isLocal: true,
    async deliver(event) {
      await write(recordOf(event));
      return undefined;
    },
  };
}
