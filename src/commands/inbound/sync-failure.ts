import type { Text } from '../../contract/text.js';
import type { Clock } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Health } from '../../jobs/progress.js';

/** What happens to one document whose bytes could not be read. */
export interface DocumentFailure {
  readonly state: 'failed' | 'gone';
  readonly code: string;
  readonly reason: Text;
}

/** What must be known to tell one document's failure from everybody's. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly health: Health;
}

/**
 * True for what concerns every document alike: a defect, a key that is refused, a full disk, a service that is away for too
 * long or asks for more patience than was allowed, an end that was asked for. It ends the run, which the same command resumes.
 */
export function concernsAll(error: unknown, { signal, clock, health }: Patience): boolean {
  if (signal.aborted || !(error instanceof FiscalError)) return true;
  const [area] = error.code.split('.');
  if (area === 'auth' || area === 'store' || area === 'config' || area === 'job') return true;
  if (error.code === 'service.rate_limited') return true;
  health.answered(clock.now(), error);
  return health.isGivenUp(clock.now());
}

/** The failure of one document: 404 is final until the list says otherwise, anything else is tried by the next run. */
export function failureOf(error: unknown): DocumentFailure {
  if (!(error instanceof FiscalError)) throw error;
  const state = error.code === 'service.not_found' ? 'gone' : 'failed';
  return { state, code: error.code, reason: error.text };
}
