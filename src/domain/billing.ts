import type { Billing, Operation } from '../contract/operation.js';

/**
 * What a call costs, as its outcome tells. `repeat`: the service bills it once, and did so before. `unknown`: it was sent and
 * nobody knows what became of it, so it may have been billed.
 */
export type Billed = 'billed' | 'repeat' | 'unknown' | 'none';

/** How one attempt of a call ended, as far as the bill depends on it. */
export interface CallEnd {
  readonly sent: 'yes' | 'no' | 'unknown';
  readonly status?: number | undefined;
}

/**
 * Decides from its outcome alone whether a call that would be billed was: for sure after a 2xx, whatever its body; perhaps
 * when no answer came, or a failure of a service that may have done the work before. A refusal is not billed.
 */
export function billedOutcome(end: CallEnd): Exclude<Billed, 'repeat'> {
  const { sent, status } = end;
  if (status !== undefined && status >= 200 && status < 300) return 'billed';
  if (isRefusedBeforeWork(end)) return 'none';
  if (sent === 'unknown' || (status !== undefined && status >= 500)) return 'unknown';
  return 'none';
}

/** §8: 429 is refused before any work. A 503 says nothing of the work, whatever headers it has. */
export function isRefusedBeforeWork({ sent, status }: CallEnd): boolean {
  return sent === 'no' || status === 429;
}

/** Operations that are billed whatever their body holds; the others are when it carries tax rules (§1). */
export function isAlwaysBilled(name: string, { billed }: Pick<Operation, 'billed'>): boolean {
  return billed === 'doc-by-key' || name === 'tax.calculate';
}

/** §4: capture by key is idempotent per key, so the service bills a key once (that it does is assumed). */
export function billedOnceFor(billed: Billing, body: unknown): string | undefined {
  if (billed !== 'doc-by-key' || typeof body !== 'object' || body === null) return undefined;
  const accessKey: unknown = Object.entries(body).find(([name]) => name === 'accessKey')?.[1];
  return typeof accessKey === 'string' ? accessKey : undefined;
}
