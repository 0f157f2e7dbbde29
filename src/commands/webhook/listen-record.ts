import type { DataRecord } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { readWebhookEvent } from '../../domain/webhook-event.js';
import type { HeldDelivery } from '../../store/deliveries.js';
import type { Target } from './target.js';

/** The last line of a listener: what came, and what became of it. */
export interface ListenSummary extends DataRecord {
  readonly type: 'summary';
  readonly stored: number;
  /** Deliveries of events that were stored before. */
  readonly copies: number;
  readonly refused: number;
  /** Of these, the genuine ones that were signed at another time: a replay, or a wrong clock. */
  readonly stale?: number;
  readonly delivered: number;
  readonly givenUp: number;
}

/** One line of what `webhook listen` prints. Fields are only ever added. */
export interface ListenRecord extends DataRecord {
  readonly type: 'event';
  readonly id: string;
  readonly event: string;
  readonly resource: string;
  readonly hookId: string;
  /** Of the raw body: with `hookId` the same for every copy of a delivery. */
  readonly sha256: string;
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
    sha256: event.digest,
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
