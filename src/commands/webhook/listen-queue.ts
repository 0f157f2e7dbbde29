import type { Random, Clock } from '../../domain/world.js';
import type { Lease, Machine } from '../../jobs/lease.js';
import { LeasedRunner } from '../../jobs/leased-runner.js';
import type { DeliveryPatch, HeldDelivery } from '../../store/deliveries.js';
import type { Store } from '../../store/store.js';
import type { TargetAnswer } from './target-watch.js';
import type { Target, TargetFailure } from './targets.js';

/** How often the store is read for work of another listener or of `webhook resend`. */
const readEveryMs = 1_000;

/** Local targets answer immediately, so a page of events at once is cheaper than a few. */
const localPage = 64;

/** The pause between two pages while senders wait: answering them comes before forwarding. */
const yieldMs = 250;

export interface DeliveryQueueDependencies {
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
  /** Called with the answers of the targets to each attempt. */
  heard(answers: readonly TargetAnswer[]): Promise<void>;
}

/**
 * Forwards stored events to the targets: several at once, but those of one resource in order, under a lease, so that no two
 * listeners work on the same event. Memory holds one page, however long the queue is.
 */
export class DeliveryQueue {
  readonly #dependencies: DeliveryQueueDependencies;
  readonly #outage = new Outage();
  readonly #claimed: HeldDelivery[] = [];
  readonly #concurrency: number;
  readonly #runner: LeasedRunner;

  constructor(dependencies: DeliveryQueueDependencies) {
    this.#dependencies = dependencies;
    this.#runner = new LeasedRunner({ ...dependencies, jobId: 'webhook listen' });
    const isLocal = dependencies.targets.every((target) => target.isLocal === true);
    this.#concurrency = isLocal ? Math.max(localPage, dependencies.inFlight) : dependencies.inFlight;
  }

  /** There may be something new. */
  notify(): void {
    this.#runner.news.notify();
  }

  /** Runs until the signal, then completes what is in flight. Throws when the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#dependencies;
    // After a sleep of the machine that outlasted the lease, the listener takes a new one.
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
    const { store, profile, isBusy } = this.#dependencies;
    const { clock } = store;
    if (isBusy() && this.#claimed.length === 0) await clock.sleep(yieldMs);
    this.#runner.news.clear();
    const now = clock.now();
    const free = this.#outage.allowance(now, this.#concurrency, this.#runner.inFlight);
    if (free > 0 && this.#claimed.length === 0) {
      const limit = this.#outage.isOn ? 1 : this.#concurrency * 2;
      this.#claimed.push(...(await store.deliveries.claim({ workerId: lease.workerId, profile, limit, now })));
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
    const due = await this.#dependencies.store.deliveries.nextDue(this.#dependencies.profile, now);
    return Math.min(due ?? Number.POSITIVE_INFINITY, now + readEveryMs);
  }

  #restUntil(): number | undefined {
    return this.#outage.isOn ? this.#outage.restUntil : undefined;
  }

  #launch(event: HeldDelivery, lease: Lease): void {
    this.#runner.launch(async () => {
      const attempted = await attempt(
        event,
        { ...this.#dependencies, clock: this.#dependencies.store.clock },
        lease.lost,
      );
      await this.#conclude(event, attempted, lease);
    });
  }

  async #conclude(event: HeldDelivery, attempted: Attempted, lease: Lease): Promise<void> {
    const { store, concluded, heard } = this.#dependencies;
    const { clock } = store;
    const { patch, allFailed, answers } = attempted;
    const held = { id: event.id, workerId: lease.workerId };
    // False: another listener holds it now and delivers it again. Delivery is at least once.
    if (!(await store.deliveries.conclude(held, patch))) return;
    if (allFailed) this.#outage.failed(clock.now());
    else this.#outage.succeeded();
    await heard(answers);
    concluded(event, patch);
  }
}

interface AttemptDependencies {
  readonly targets: readonly Target[];
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly random: Random;
}

interface Attempted {
  readonly patch: DeliveryPatch;
  /** Every target that was asked refused: perhaps they are down. */
  readonly allFailed: boolean;
  /** The answer of each target that was asked, without local ones. */
  readonly answers: readonly TargetAnswer[];
}

/** One concurrent attempt at every target that has not accepted the event yet, and the resulting state of the event. */
async function attempt(
  event: HeldDelivery,
  dependencies: AttemptDependencies,
  signal: AbortSignal,
): Promise<Attempted> {
  const since = dependencies.clock.now();
  const open = dependencies.targets.filter(({ name }) => !event.doneBy.includes(name));
  const results = await Promise.all(
    open.map(async (target) => ({ target, failure: await target.deliver(event, signal) })),
  );
  const failures = results.flatMap(({ target, failure }) => (failure === undefined ? [] : [{ target, failure }]));
  const taken = results.filter(({ failure }) => failure === undefined).map(({ target }) => target.name);
  const at = dependencies.clock.now();
  const attempts = event.attempts + 1;
  const tried = { attempts, doneBy: [...event.doneBy, ...taken], at };
  const allFailed = results.every(({ target, failure }) => target.isLocal === true || failure !== undefined);
  const heard = { allFailed, answers: answersOf(results, since) };
  if (failures.length === 0) return { ...heard, patch: { ...tried, state: 'delivered' }, allFailed: false };
  const why = { failures: failures.map(({ target, failure }) => ({ target: target.name, reason: failure.reason })) };
  if (attempts >= dependencies.maxAttempts) return { ...heard, patch: { ...tried, state: 'dead', ...why } };
  const retryAfterMs = longestRetryAfter(failures.map(({ failure }) => failure));
  const dueAt = at + retryPauseMs(attempts, dependencies.random, retryAfterMs);
  return { ...heard, patch: { ...tried, state: 'received', dueAt, ...why } };
}

interface Result {
  readonly target: Target;
  readonly failure: TargetFailure | undefined;
}

function answersOf(results: readonly Result[], since: number): readonly TargetAnswer[] {
  return results
    .filter(({ target }) => target.isLocal !== true)
    .map(({ target: { name: target }, failure }) =>
      failure === undefined ? { target, since } : { target, since, refusal: failure.reason },
    );
}

function longestRetryAfter(failures: readonly TargetFailure[]): number {
  return Math.max(0, ...failures.map(({ retryAfterMs }) => retryAfterMs ?? 0));
}

const firstMs = 1_000;
const longestMs = 10 * 60_000;

/** The pause after attempt number `attempts` of an event: doubled each time, with jitter, never longer than ten minutes. */
function retryPauseMs(attempts: number, random: Random, wishMs = 0): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20));
  const pause = ceiling * (0.5 + random.unit() / 2);
  return Math.round(Math.min(longestMs, Math.max(pause, wishMs)));
}

const tolerated = 5;
const shortestRestMs = 250;
const longestRestMs = 30_000;

/**
 * Distinguishes a target that is down from an event that it refuses. After several consecutive failures nothing is sent for a
 * while, then one event as a probe: an outage does not use up the attempts of every waiting event.
 */
export class Outage {
  #failures = 0;
  #restUntil = 0;

  /** How many more may be in flight. */
  allowance(now: number, limit: number, inFlight: number): number {
    if (this.#failures < tolerated) return limit - inFlight;
    if (now < this.#restUntil) return 0;
    return Math.max(0, 1 - inFlight);
  }

  get isOn(): boolean {
    return this.#failures >= tolerated;
  }

  /** When the next probe may go. */
  get restUntil(): number {
    return this.#restUntil;
  }

  failed(now: number): void {
    // Failures of requests that were in flight when the pause began do not lengthen it: only probes do.
    if (this.isOn && now < this.#restUntil) return;
    this.#failures += 1;
    if (this.#failures < tolerated) return;
    const rest = shortestRestMs * 2 ** Math.min(this.#failures - tolerated, 10);
    this.#restUntil = now + Math.min(longestRestMs, rest);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntil = 0;
  }
}
