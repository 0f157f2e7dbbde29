import type { FiscalError } from '../errors/fiscal-error.js';

/** A service that never answered in this run is given up early: nobody waits minutes for a wrong host name. */
const FIRST_ANSWER_PATIENCE_MS = 15_000;

/** Decides when to give up: only temporary failures for too long. */
export class Health {
  readonly #maxRetryWaitMs: number;
  #lastGood: number;
  #everGood = false;

  constructor(startedAt: number, maxRetryWaitMs: number) {
    this.#lastGood = startedAt;
    this.#maxRetryWaitMs = maxRetryWaitMs;
  }

  /** The service answered. A response that asks to retry later does not count as healthy. */
  answered(now: number, error: FiscalError | undefined): void {
    if (error?.facts.retryable === true) return;
    this.#everGood = true;
    this.#lastGood = now;
  }

  isGivenUp(now: number): boolean {
    const patience = this.#everGood ? this.#maxRetryWaitMs : Math.min(this.#maxRetryWaitMs, FIRST_ANSWER_PATIENCE_MS);
    return now - this.#lastGood > patience;
  }
}
