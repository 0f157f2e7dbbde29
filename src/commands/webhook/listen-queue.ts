import type { Random } from '../../domain/world.js';
import type { Lease, Machine } from '../../jobs/lease.js';
import { LeasedRunner } from '../../jobs/leased-runner.js';
import type { DeliveryPatch, HeldDelivery } from '../../store/deliveries.js';
import type { Store } from '../../store/store.js';
import { attempt, type Attempted } from './listen-attempt.js';
import { Outage } from './listen-pauses.js';
import type { TargetAnswer } from './target-watch.js';
import type { Target } from './target.js';

/** Another listener, or `webhook resend`, may have left work in the same store. */
const lookEveryMs = 1_000;

/** Where nobody has to be waited for, a page of events at once is cheaper than a few. */
const localPage = 64;

/** The pause between two pages while senders wait: to be told that an event is kept comes before its way out. */
const yieldMs = 250;

export interface DeliveryQueueParts {
  readonly store: Store;
  readonly random: Random;
  readonly machine: Machine;
  readonly profile: string;
  readonly targets: readonly Target[];
  readonly inFlight: number;
  readonly maxAttempts: number;
  /** True while many senders wait for their answer. */
  isBusy(): boolean;
  /** Called with what was written of an event. */
  concluded(event: HeldDelivery, patch: DeliveryPatch): void;
  /** Told how the targets answered each try. */
  heard(answers: readonly TargetAnswer[]): Promise<void>;
}

/**
 * Takes events from the store and gives them to the targets: so many at once, of one resource one after the other, under a
 * lease, so that no two listeners work on the same event. Memory holds one page, however long the queue is.
 */
export class DeliveryQueue {
  readonly #parts: DeliveryQueueParts;
  readonly #outage = new Outage();
  readonly #claimed: HeldDelivery[] = [];
  readonly #concurrency: number;
  readonly #runner: LeasedRunner;

  constructor(parts: DeliveryQueueParts) {
    this.#parts = parts;
    this.#runner = new LeasedRunner({ ...parts, jobId: 'webhook listen' });
    const isLocal = parts.targets.every((target) => target.isLocal === true);
    this.#concurrency = isLocal ? Math.max(localPage, parts.inFlight) : parts.inFlight;
  }

  /** There may be something new. */
  notify(): void {
    this.#runner.news.notify();
  }

  /** Works until the signal; what is in flight then is brought to its end. Throws when the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    // A machine that slept longer than its lease takes a new one: a listener is there to stay.
    while (!signal.aborted && this.#runner.failure === undefined) {
      await this.#runner.underLease(signal, {
        work: async (lease) => {
          while (!signal.aborted && !lease.lost.aborted && this.#runner.failure === undefined) {
            await this.#turn(lease);
          }
        },
        release: async (lease) => {
          this.#claimed.splice(0);
          await store.deliveries.release(lease.workerId);
        },
      });
    }
    if (this.#runner.failure !== undefined) throw this.#runner.failure.error;
  }

  async #turn(lease: Lease): Promise<void> {
    const { store, profile, isBusy } = this.#parts;
    const { clock } = store;
    if (isBusy() && this.#claimed.length === 0) await clock.sleep(yieldMs);
    this.#runner.news.clear();
    const now = clock.now();
    const free = this.#outage.allowance(now, this.#concurrency, this.#runner.inFlight);
    if (free > 0 && this.#claimed.length === 0) {
      const limit = this.#outage.isOn ? 1 : this.#concurrency * 2;
      this.#claimed.push(
        ...(await store.deliveries.claim({ workerId: lease.workerId, profile, limit, now })),
      );
    }
    const ready = this.#claimed.splice(0, free);
    for (const event of ready) this.#launch(event, lease);
    const { news } = this.#runner;
    if (ready.length === 0) await news.sleepUntilNotified(await this.#wakeAt(now, free));
    else if (ready.length === free) await news.sleepUntilNotified(this.#restUntil());
  }

  /** With everything in flight only the end of one matters; else the next event too. */
  async #wakeAt(now: number, free: number): Promise<number | undefined> {
    if (free <= 0) return this.#restUntil();
    const due = await this.#parts.store.deliveries.nextDue(this.#parts.profile, now);
    return Math.min(due ?? Number.POSITIVE_INFINITY, now + lookEveryMs);
  }

  #restUntil(): number | undefined {
    return this.#outage.isOn ? this.#outage.restUntil : undefined;
  }

  #launch(event: HeldDelivery, lease: Lease): void {
    this.#runner.launch(async () => {
      const attempted = await attempt(event, { ...this.#parts, clock: this.#parts.store.clock }, lease.lost);
      await this.#conclude(event, attempted, lease);
    });
  }

  async #conclude(event: HeldDelivery, attempted: Attempted, lease: Lease): Promise<void> {
    const { store, concluded, heard } = this.#parts;
    const { clock } = store;
    const { patch, allFailed, answers } = attempted;
    const held = { id: event.id, workerId: lease.workerId };
    // False: another listener has it now, and will give it to the targets again. At least once, never not at all.
    if (!(await store.deliveries.conclude(held, patch))) return;
    if (allFailed) this.#outage.failed(clock.now());
    else this.#outage.succeeded();
    await heard(answers);
    concluded(event, patch);
  }
}
