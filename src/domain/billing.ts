import type { Billing, Operation } from '../contract/operation.js';
import { type CallEnd, isOutcomeUnknown, isRefusedBeforeWork } from './call-end.js';

/**
 * Whether the service bills a call. `repeat`: the service bills the call once and already did. `unknown`: the request
 * was sent, its outcome is not known, and it may be billed.
 */
export type Billed = 'billed' | 'repeat' | 'unknown' | 'none';

/**
 * Decides from its end whether a billable call is billed: yes after a 2xx, whatever the body; unknown when no answer
 * arrives or where the answer does not tell, since the service may have done the work; no after a refusal.
 */
export function billedOutcome(end: CallEnd): Exclude<Billed, 'repeat'> {
  const { status = 0 } = end;
  if (status >= 200 && status < 300) return 'billed';
  if (isRefusedBeforeWork(end)) return 'none';
  return isOutcomeUnknown(end) ? 'unknown' : 'none';
}

/**
 * Operations that are billed whatever their body contains. The others are billed when the body contains tax rules
 * (§1).
 */
export function isAlwaysBilled(name: string, { billed }: Pick<Operation, 'billed'>): boolean {
  return billed === 'doc-by-key' || name === 'tax.calculate';
}

/**
 * The access key that the service bills once, if the operation captures by key (§4: idempotent per key; one bill per
 * key is assumed).
 */
export function billedOnceFor(billed: Billing, body: unknown): string | undefined {
  if (billed !== 'doc-by-key' || typeof body !== 'object' || body === null) return undefined;
  const accessKey: unknown = Object.entries(body).find(([name]) => name === 'accessKey')?.[1];
  return typeof accessKey === 'string' ? accessKey : undefined;
}
