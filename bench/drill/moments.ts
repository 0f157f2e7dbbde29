import { setTimeout as pause } from 'node:timers/promises';
import { lastSequence } from './ledger.js';
import type { Moment } from './life.js';

const LOOK_MS = 15;

/** The moment when the service has had so many more requests than when the life began, and a little later. */
export function afterRequests(url: string, count: number, laterMs: number): Moment {
  return async (life) => {
    const first = await lastSequence(url);
    while (!life.aborted && (await lastSequence(url)) < first + count) await pause(LOOK_MS);
    await pause(laterMs);
  };
}
