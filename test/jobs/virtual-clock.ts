import type { Clock } from '../../src/domain/world.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when everybody sleeps: the earliest sleeper wakes, and its time is now. */
export function virtualClock(start: number): Clock & { stop(): void } {
  let now = start;
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
    now: () => now,
    uptime: () => now,
    /** Whoever sleeps then sleeps for ever. */
    stop: () => {
      stopped = true;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new Error('aborted'));
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(new Error('aborted'));
        });
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
