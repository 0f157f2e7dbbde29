/** So many rows go to the store at once: a kill costs at most the same number of downloads again. */
const AT_ONCE = 128;
/** No row waits longer than this, whether others come or the service has asked for a pause. */
const MOST_WAIT_MS = 250;

/**
 * Gathers what is told to the store at the end of the work on documents, since one commit for each would cost more than
 * its row. A file without its row looks to another process as if nobody had written it, so that no row waits for long.
 */
export class Settlements<End> {
  #waiting: End[] = [];
  #settled: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly settle: (ends: readonly End[]) => Promise<unknown>) {}

  /** What fails is thrown to the one whose settlement made the number full, and to everyone after. */
  async add(end: End): Promise<void> {
    this.#waiting.push(end);
    if (this.#waiting.length >= AT_ONCE) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), MOST_WAIT_MS).unref();
  }

  /** Resolves when everything that was added before stands in the store. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ends = this.#waiting;
    this.#waiting = [];
    // A failure stays: who flushes next is told of it.
    if (ends.length > 0) this.#settled = this.#settled.then(() => this.settle(ends));
    await this.#settled;
  }
}
