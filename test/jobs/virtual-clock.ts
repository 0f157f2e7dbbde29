import type { Clock } from '../../src/domain/world.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export interface VirtualClock extends Clock {
  /** Whoever sleeps then sleeps for ever. */
  stop(): void;
  /** Sets the wall clock forward or back; running time and sleepers do not notice. */
  jump(ms: number): void;
}

/** Time that passes only when everybody sleeps: the earliest sleeper wakes, and its time is now. */
export function virtualClock(start: number): VirtualClock {
  let now = start;
  let wallOffset = 0;
  let sleepers: Sleeper[] = [];
  let pumping = false;
  let stopped = false;

  function pump(): void {
    if (stopped) return;
    sleepers.sort((a, b) => a.at - b.at);
    const next = sleepers.shift();
    pumping = sleepers.length > 0;
    if (pumping) afterOthers(pump);
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.wake();
  }

  return {
    now: () => now + wallOffset,
    uptime: () => now,
    jump: (ms) => {
      wallOffset += ms;
    },
    stop: () => {
      stopped = true;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new Error('aborted'));
        const abort = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(new Error('aborted'));
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        const sleeper = { at: now + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', abort);
        if (pumping) return;
        pumping = true;
        afterOthers(pump);
      }),
  };
}

/** A few turns of the event loop, so that work which needs no time is done before time moves. */
function afterOthers(run: () => void, turns = 6): void {
  setImmediate(() => (turns === 0 ? run() : afterOthers(run, turns - 1)));
}
