import type { StoredOutcome } from '../authority/outcomes.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../product/read-product.js';

/** What a row of work says: which event is to be sent, and which rule has delayed it already. */
export interface DueSending {
  readonly id: string;
  readonly delayedBy: number | undefined;
}

export function readDueSending(payload: unknown): DueSending | undefined {
  if (!isRecord(payload) || typeof payload['id'] !== 'string') return undefined;
  const { id, delayedBy } = payload;
  return { id, delayedBy: typeof delayedBy === 'number' ? delayedBy : undefined };
}

/** The first step: like a product, an event has the sandbox's delay before anything happens to it. `at`: when it was made. */
export function scheduleSending(core: Core, kind: string, id: string, at: number): void {
  core.work.schedule(kind, at + core.options.validationDelayMs, { id });
}

export interface Subject {
  readonly kind: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly at: number;
}

/** What a test has chosen for this event; `later` when the choice has put the sending off. */
export function chooseOutcome(
  core: Core,
  { id, delayedBy }: DueSending,
  { kind, accessKey, eventCode, at }: Subject,
): StoredOutcome | 'later' | undefined {
  if (delayedBy !== undefined) return core.outcomes.get(delayedBy);
  const outcome = core.outcomes.strike(accessKey, eventCode);
  if (outcome?.delayMs === undefined) return outcome;
  core.work.schedule(kind, at + outcome.delayMs, { id, delayedBy: outcome.id });
  return 'later';
}
