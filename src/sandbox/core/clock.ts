import type { Meta } from './meta.js';

/** The time of the service: real time plus an offset, or frozen. Kept in the file, so that all processes agree. */
export interface ServiceClock {
  now(): number;
  state(): ClockState;
  advance(ms: number): void;
  set(at: number): void;
  freeze(frozen: boolean): void;
}

export interface ClockState {
  readonly now: string;
  readonly offsetMs: number;
  readonly frozen: boolean;
}

const names = { offset: 'clock.offset', frozenAt: 'clock.frozenAt' };
export const clockNames = Object.values(names);

export function openClock(meta: Meta): ServiceClock {
  const offset = () => Number(meta.get(names.offset) ?? 0);
  const frozenAt = () => {
    const text = meta.get(names.frozenAt);
    return text === undefined ? undefined : Number(text);
  };
  const now = () => frozenAt() ?? Date.now() + offset();
  const set = (at: number) => {
    meta.set(names.offset, String(at - Date.now()));
    if (frozenAt() !== undefined) meta.set(names.frozenAt, String(at));
  };
  return {
    now,
    set,
    state: () => ({
      now: new Date(now()).toISOString(),
      offsetMs: now() - Date.now(),
      frozen: frozenAt() !== undefined,
    }),
    advance: (ms) => set(now() + ms),
    freeze(frozen) {
      const at = now();
      if (frozen) meta.set(names.frozenAt, String(at));
      else meta.clear([names.frozenAt]);
      set(at);
    },
  };
}
