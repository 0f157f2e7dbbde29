import type { Billing, Operation } from '../contract/operation.js';

/**
 * Whether the service bills a call. `repeat`: the service bills the call once and already did. `unknown`: the request
 * was sent, its outcome is not known, and it may be billed.
 */
export type Billed = 'billed' | 'repeat' | 'unknown' | 'none';

/** The end of one attempt of a call: whether the request was sent, and the HTTP status of the answer. */
export interface CallEnd {
  readonly sent: 'yes' | 'no' | 'unknown';
  readonly status?: number | undefined;
}

/**
 * Decides from its end whether a billable call is billed: yes after a 2xx, whatever the body; unknown when no answer
 * arrives or after a 5xx, since the service may have done the work; no after a refusal.
 */
export function billedOutcome(end: CallEnd): Exclude<Billed, 'repeat'> {
  const { sent, status } = end;
  if (status !== undefined && status >= 200 && status < 300) return 'billed';
  if (isRefusedBeforeWork(end)) return 'none';
  if (sent === 'unknown' || (status !== undefined && status >= 500)) return 'unknown';
  return 'none';
}

/**
 * §8: the service answers 429 before it does any work. A 503 does not say whether the work was done, whatever its
 * headers.
 */
export function isRefusedBeforeWork({ sent, status }: CallEnd): boolean {
  return sent === 'no' || status === 429;
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
