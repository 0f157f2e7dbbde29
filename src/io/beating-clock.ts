import type { Text } from '../contract/text.js';
import type { Clock } from '../domain/world.js';

/** What waits with it is named at each beat; a beat comes after every sleep, and every so often during a long one. */
export interface BeatingClock extends Clock {
  onBeat(everyMs: number, beat: (awaited: readonly Text[]) => void): void;
}

/** The same clock, on which somebody may listen for beats. */
export function beatingClock(clock: Clock): BeatingClock {
  const sleeping = new Set<{ readonly awaited: Text }>();
  let longestMs = Number.POSITIVE_INFINITY;
  let tell = (_awaited: readonly Text[]): void => undefined;
  return {
    now: () => clock.now(),
    uptime: () => clock.uptime(),
    async sleep(ms, signal, awaited) {
      const sleeper = awaited && { awaited };
      if (sleeper !== undefined) sleeping.add(sleeper);
      try {
        for (let leftMs = ms; ; leftMs -= longestMs) {
          await clock.sleep(Math.min(leftMs, longestMs), signal);
          tell([...sleeping].map((each) => each.awaited));
          if (leftMs <= longestMs) return;
        }
      } finally {
        if (sleeper !== undefined) sleeping.delete(sleeper);
      }
    },
    onBeat(everyMs, beat) {
      longestMs = everyMs;
      tell = beat;
    },
  };
}
