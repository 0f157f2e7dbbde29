import type { Billed } from '../domain/billing.js';

/** What the calls of one run cost. */
export interface BilledCounts {
  readonly billed: number;
  /** Sent, and their outcome never came: they may have been billed. */
  readonly unknown: number;
  /** Billed before, and not again. */
  readonly repeats: number;
}

/** What several runs cost together. */
export function sumOfBilled(counts: readonly BilledCounts[]): BilledCounts {
  const sum = (of: (one: BilledCounts) => number) => counts.reduce((all, one) => all + of(one), 0);
  return {
    billed: sum(({ billed }) => billed),
    unknown: sum(({ unknown }) => unknown),
    repeats: sum(({ repeats }) => repeats),
  };
}

/**
 * Counts what the calls of one run cost by their outcome, and starts no more of them than the user allows. A call under way
 * counts until its outcome is known: one that was refused gives its place back.
 */
export class BilledCalls {
  #counts = { billed: 0, unknown: 0, repeats: 0 };
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  get counts(): BilledCounts {
    return { ...this.#counts };
  }

  /** Takes one call from what is allowed; false when all of it is spent. Waits for the outcome of those under way. */
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
