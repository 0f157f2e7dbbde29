import type { Billed } from '../domain/billing.js';

/** What the calls of one run cost. */
export interface BilledCounts {
  readonly billed: number;
  /** Sent without a known outcome: they may have been billed. */
  readonly unknown: number;
  /** Already billed earlier, so not billed again. */
  readonly repeats: number;
}

/** The total cost of several runs. */
export function sumOfBilled(counts: readonly BilledCounts[]): BilledCounts {
  const sum = (of: (one: BilledCounts) => number) => counts.reduce((all, one) => all + of(one), 0);
  return {
    billed: sum(({ billed }) => billed),
    unknown: sum(({ unknown }) => unknown),
    repeats: sum(({ repeats }) => repeats),
  };
}

/**
 * Counts the billed calls of a run by outcome and starts no more than the user allows. A call in flight counts until
 * its outcome is known; a refused one is free again.
 */
export class BilledCalls {
  #counts = { billed: 0, unknown: 0, repeats: 0 };
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  get counts(): BilledCounts {
    return { ...this.#counts };
  }

  /** Reserves one call; false when the limit is used up. Waits for the outcome of calls in flight. */
  async take(): Promise<boolean> {
    for (;;) {
      const spent = this.#counts.billed + this.#counts.unknown;
      if (spent >= this.limit) return false;
      if (spent + this.#underWay < this.limit) {
        this.#underWay += 1;
        return true;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  end(outcome: Billed): void {
    this.#underWay -= 1;
    if (outcome === 'repeat') this.#counts.repeats += 1;
    else if (outcome !== 'none') this.#counts[outcome] += 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
