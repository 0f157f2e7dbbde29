import type { Text } from '../../contract/text.js';
import { type Reason, reasonWords } from '../../errors/reasons.js';

/** The answer of a target to one attempt. */
export interface TargetAnswer {
  readonly target: string;
  /** When the attempt began: one that began before a failure says nothing about the time after it. */
  readonly since: number;
  /** Why the event was not accepted, `HTTP 500` or `ECONNREFUSED`; absent: it was. */
  readonly refusal?: Reason;
}

export interface TargetWatchDependencies {
  now(): number;
  /** How many events wait for a target. */
  waiting(): Promise<number>;
  say(text: Text): void;
}

/** What is known of one target. Times are milliseconds. */
interface Trouble {
  isReported: boolean;
  failedAt: number;
  /** No new problem is reported before this time. */
  quietUntil: number;
  quietMs: number;
}

const firstQuietMs = 60_000;
const longestQuietMs = 60 * 60_000;

/**
 * Reports when a target begins to refuse events and when it accepts them again, in one line each, never one per event. A target
 * that accepts some events and refuses others is reported less and less often, at most once an hour.
 */
export class TargetWatch {
  readonly #dependencies: TargetWatchDependencies;
  readonly #troubles = new Map<string, Trouble>();

  constructor(dependencies: TargetWatchDependencies) {
    this.#dependencies = dependencies;
  }

  async heard(answers: readonly TargetAnswer[]): Promise<void> {
    for (const { target, since, refusal } of answers) {
      const isNews = refusal === undefined ? this.#isOver(target, since) : this.#begins(target);
      if (isNews) this.#dependencies.say(lineOf(shownName(target), refusal, await this.#dependencies.waiting()));
    }
  }

  #begins(target: string): boolean {
    const now = this.#dependencies.now();
    const { isReported, failedAt, quietUntil, quietMs } = this.#troubles.get(target) ?? noTrouble;
    const isNews = !isReported && now >= quietUntil;
    const nextQuietMs = now - failedAt > longestQuietMs ? firstQuietMs : quietMs;
    this.#troubles.set(target, {
      isReported: isReported || isNews,
      failedAt: now,
      quietUntil: isNews ? now + nextQuietMs : quietUntil,
      quietMs: isNews ? Math.min(longestQuietMs, nextQuietMs * 2) : quietMs,
    });
    return isNews;
  }

  #isOver(target: string, since: number): boolean {
    const trouble = this.#troubles.get(target);
    if (trouble === undefined || !trouble.isReported || since < trouble.failedAt) return false;
    trouble.isReported = false;
    return true;
  }
}

const noTrouble: Readonly<Trouble> = {
  isReported: false,
  failedAt: Number.NEGATIVE_INFINITY,
  quietUntil: Number.NEGATIVE_INFINITY,
  quietMs: firstQuietMs,
};

/** A query string may be secret: not even its digest is shown. */
function shownName(target: string): string {
  return target.replace(/\?.*/s, '?…');
}

function lineOf(target: string, refusal: Reason | undefined, waiting: number): Text {
  const count = String(waiting);
  if (refusal === undefined) {
    return {
      en: `${target} accepts events again; waiting: ${count}`,
      pt: `${target} voltou a aceitar eventos; em espera: ${count}`,
    };
  }
  const why = reasonWords(refusal);
  return {
    en: `${target} does not accept events (${why.en}); they stay in the store and are sent later; waiting: ${count}`,
    pt: `${target} não aceita eventos (${why.pt}); eles ficam guardados e são enviados depois; em espera: ${count}`,
  };
}
