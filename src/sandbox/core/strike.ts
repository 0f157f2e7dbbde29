/** When a rule of a test takes effect. */
export interface Striking {
  /** How often it strikes, 0..1; decided by the seed. */
  readonly rate: number;
  /** It strikes so many times at most. */
  readonly count?: number;
  /** It lets so many matching requests pass first. */
  readonly skip: number;
}

/** What it has met so far. */
export interface Struck {
  readonly seen: number;
  readonly applied: number;
}

export function doesStrike(rule: Striking & Struck, unit: () => number): boolean {
  if (rule.seen < rule.skip) return false;
  if (rule.count !== undefined && rule.applied >= rule.count) return false;
  return unit() < rule.rate;
}
