import { setTimeout as pause } from 'node:timers/promises';
import { lastSequence } from './ledger.js';
import type { Moment } from './life.js';

const LOOK_MS = 15;

/**
 * The moment when the service has had so many more requests than when the life began, and a little later; `latestMs` after the
 * beginning in any case.
 */
export function afterRequests(
  url: string,
  count: number,
  laterMs: number,
  latestMs = Infinity,
): Exclude<Moment, number> {
  return async (life) => {
    const latest = Date.now() + latestMs;
    // A service that is away has had no more requests.
    const requests = async (): Promise<number> => await lastSequence(url).catch(() => 0);
    const first = await requests();
    const isOver = (): boolean => life.aborted || Date.now() > latest;
    while (!isOver() && (await requests()) < first + count) await pause(LOOK_MS);
    await pause(laterMs);
  };
}
