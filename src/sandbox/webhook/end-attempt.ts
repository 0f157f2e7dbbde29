import type { Core } from '../core/core.js';
import type { Reached } from './call-target.js';
import type { DeliveryState, StoredDelivery } from './delivery.js';
import { settleDocument } from './document-status.js';

/** The pauses before each further attempt (assumed); after the last one it is given up. */
export const pausesMs: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000];

/** From when a retry is counted: from the attempt, or from when that was due, after the clock was moved. */
export type Pace = 'from-now' | 'from-due';

export interface Attempt {
  readonly delivery: StoredDelivery;
  readonly reached: Reached;
  readonly pace: Pace;
}

/** Writes down how an attempt ended, and what that means for the document. Must be called inside a transaction. */
export function endAttempt(core: Core, { delivery, reached, pace }: Attempt): void {
  const at = pace === 'from-due' ? delivery.dueAt : core.clock.now();
  const { status } = reached;
  const isTaken = status !== null && status >= 200 && status < 300;
  // Copies and forged ones are sent once.
  const pauseMs = delivery.kind === 'genuine' ? pausesMs[delivery.attempts] : undefined;
  const isOver = isTaken || pauseMs === undefined;
  core.deliveries.end({
    position: delivery.position,
    id: delivery.id,
    state: stateOf(isTaken, isOver),
    attempts: delivery.attempts + 1,
    dueAt: isOver ? delivery.dueAt : at + pauseMs,
    status,
    error: status === null ? reached.error : null,
    endedOn: isOver ? at : null,
  });
  if (delivery.documentId !== null) settleDocument(core, delivery.documentId);
}

function stateOf(isTaken: boolean, isOver: boolean): DeliveryState {
  if (isTaken) return 'delivered';
  return isOver ? 'failed' : 'waiting';
}
