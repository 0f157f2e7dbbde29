import type { Meta } from './meta.js';

/** A bucket of tokens on real time, shared by every process on the file. */
export interface RateLimit {
  /** 0 when the request may pass, else the seconds to wait (§8: `Retry-After` in seconds). */
  enter(): number;
}

export function openRateLimit(meta: Meta, perSecond: number | undefined): RateLimit {
  if (perSecond === undefined) return { enter: () => 0 };
  const capacity = Math.max(1, perSecond);
  return {
    enter() {
      const now = Date.now();
      const [tokens = capacity, at = now] = (meta.get('rate.bucket') ?? '')
        .split(' ')
        .filter(Boolean)
        .map(Number);
      const filled = Math.min(capacity, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      meta.set('rate.bucket', `${passes ? filled - 1 : filled} ${now}`);
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}
