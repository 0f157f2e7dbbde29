import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/domain/world.js';

/** Time that runs faster than the machine's, for pauses between real requests. */
export function scaledClock(factor: number): Clock {
  const begin = performance.now();
  const start = Date.now();
  return {
    now: () => start + Math.round((performance.now() - begin) * factor),
    uptime: () => Math.round((performance.now() - begin) * factor),
    sleep: async (ms, signal) => {
      await pause(ms / factor, undefined, signal === undefined ? {} : { signal });
    },
  };
}
