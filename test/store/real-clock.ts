import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../src/domain/world.js';

/** The clock of the machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
