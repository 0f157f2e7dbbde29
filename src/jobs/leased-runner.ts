import { setMaxListeners } from 'node:events';
import type { Text } from '../contract/text.js';
import type { Clock, Random } from '../domain/world.js';
import type { Store } from '../store/store.js';
import { removeDeadWorkers, takeLease, type Lease, type Machine } from './lease.js';

/** Timers have an upper bound, so a longer wait is made of several naps. */
const LONGEST_NAP_MS = 60_000;

/** Aborts a nap. Created once: an error with its stack costs more than the nap. */
const notified = new Error('notified');

/** A sleep that a notification interrupts. A notification while nobody sleeps ends the next sleep at once. */
export class Notifier {
  readonly #clock: Clock;
  #isNotified = false;
  #nap: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isNotified(): boolean {
    return this.#isNotified;
  }

  notify(): void {
    this.#isNotified = true;
    this.#nap?.abort(notified);
    this.#nap = undefined;
  }

  /** Drops a pending notification, when the caller is about to check everything anyway. */
  clear(): void {
    this.#isNotified = false;
  }

  /** Sleeps until a time in milliseconds, for a minute at most, or until notified. Returns whether it was notified. */
  async sleepUntilNotified(time = Number.POSITIVE_INFINITY, awaited?: Text): Promise<boolean> {
    if (!this.#isNotified) {
      const nap = new AbortController();
      this.#nap = nap;
      const pauseMs = Math.min(LONGEST_NAP_MS, Math.max(0, time - this.#clock.now()));
      await this.#clock.sleep(pauseMs, nap.signal, awaited).catch((error: unknown) => {
        if (!nap.signal.aborted) throw error;
      });
      this.#nap = undefined;
    }
    const wasNotified = this.#isNotified;
    this.#isNotified = false;
    return wasNotified;
  }
}

interface RunnerDependencies {
  readonly store: Store;
  readonly random: Random;
  readonly machine: Machine;
  /** The job id stored with the lease. */
  readonly jobId: string;
}

/**
 * Works on a queue whose items are claimed under a lease: counts items in flight, wakes when one finishes, and releases
 * the lease only when none is left. The queue decides what is claimed, and when.
 */
export class LeasedRunner {
  readonly news: Notifier;
  readonly #dependencies: RunnerDependencies;
  #inFlight = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
    this.news = new Notifier(dependencies.store.clock);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The first failure of the work or the store. Once set, nothing new is started. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Starts work on one item. A failure is kept. */
  launch(work: () => Promise<void>): void {
    this.#inFlight += 1;
    work()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#inFlight -= 1;
        this.news.notify();
      })
      // The handlers above do not throw; this satisfies the lint rule on floating promises.
      .catch((error: unknown) => this.fail(error));
  }

  /**
   * Takes a lease, works, drains the items in flight, and releases claimed items and the lease. A failure of the work
   * does not cut this short. An abort of `signal` and the loss of the lease send a notification. Errors: those of
   * taking the lease.
   */
  async underLease(signal: AbortSignal, queue: LeasedQueue): Promise<void> {
    const { store, machine, random, jobId } = this.#dependencies;
    await removeDeadWorkers(store, machine);
    const lease = await takeLease({ store, machine, workerId: random.uuid(), jobId });
    const notify = (): void => this.news.notify();
    // Every item in flight may add a listener.
    setMaxListeners(0, lease.lost);
    signal.addEventListener('abort', notify);
    lease.lost.addEventListener('abort', notify);
    try {
      await queue.work(lease).catch((error: unknown) => this.fail(error));
      while (this.#inFlight > 0) await this.news.sleepUntilNotified();
      await queue.release?.(lease).catch((error: unknown) => this.fail(error));
      await lease.end().catch((error: unknown) => this.fail(error));
    } finally {
      signal.removeEventListener('abort', notify);
      lease.lost.removeEventListener('abort', notify);
    }
  }
}

/** The work of a runner while it holds a lease. */
interface LeasedQueue {
  /** Claims and launches items until none is left or the run must stop. */
  work(lease: Lease): Promise<void>;
  /** Releases claimed items that were not worked on, where ending the lease does not. */
  release?(lease: Lease): Promise<void>;
}
