import { setMaxListeners } from 'node:events';
import type { Random } from '../../domain/world.js';
import { removeDeadWorkers, takeLease, type Lease, type Machine } from '../../jobs/lease.js';
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

/** Why a nap ended; made once, since a reason with its stack costs more than the nap. */
const woken = new Error('woken');

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
  readonly #lanes: number;
  #inFlight = 0;
  #poked = false;
  #nap: AbortController | undefined;
  #fatal: { readonly error: unknown } | undefined;

  constructor(parts: DeliveryQueueParts) {
    this.#parts = parts;
    const isLocal = parts.targets.every((target) => target.isLocal === true);
    this.#lanes = isLocal ? Math.max(localPage, parts.inFlight) : parts.inFlight;
  }

  /** There may be something new. */
  poke(): void {
    this.#poked = true;
    this.#nap?.abort(woken);
    this.#nap = undefined;
  }

  /** Works until the signal; what is under way then is brought to its end. Throws when the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, machine, random } = this.#parts;
    const wake = (): void => this.poke();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted && this.#fatal === undefined) {
        await removeDeadWorkers(store, machine);
        const lease = await takeLease({
          store,
          machine,
          workerId: random.uuid(),
          jobId: 'webhook listen',
        });
        await this.#underLease(lease, signal);
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
    if (this.#fatal !== undefined) throw this.#fatal.error;
  }

  /** A machine that slept longer than its lease takes a new one: a listener is there to stay. */
  async #underLease(lease: Lease, signal: AbortSignal): Promise<void> {
    const wake = (): void => this.poke();
    // Every event under way listens to it.
    setMaxListeners(0, lease.lost);
    lease.lost.addEventListener('abort', wake);
    try {
      while (!signal.aborted && !lease.lost.aborted && this.#fatal === undefined) await this.#turn(lease);
    } finally {
      lease.lost.removeEventListener('abort', wake);
      this.#claimed.splice(0);
      while (this.#inFlight > 0) await this.#sleepUntil(undefined);
      await this.#parts.store.deliveries.release(lease.workerId);
      await lease.end();
    }
  }

  async #turn(lease: Lease): Promise<void> {
    const { store, profile, isBusy } = this.#parts;
    const { clock } = store;
    if (isBusy() && this.#claimed.length === 0) await clock.sleep(yieldMs);
    this.#poked = false;
    const now = clock.now();
    const free = this.#outage.allowance(now, this.#lanes, this.#inFlight);
    if (free > 0 && this.#claimed.length === 0) {
      const limit = this.#outage.isOn ? 1 : this.#lanes * 2;
      this.#claimed.push(
        ...(await store.deliveries.claim({ workerId: lease.workerId, profile, limit, now })),
      );
    }
    const ready = this.#claimed.splice(0, free);
    for (const event of ready) this.#launch(event, lease);
    if (ready.length > 0 && ready.length === free) return await this.#sleepUntil(this.#restUntil());
    if (ready.length === 0) await this.#sleepUntil(await this.#wakeAt(now, free));
  }

  /** With no lane free only the end of one matters; with one free, the next event too. */
  async #wakeAt(now: number, free: number): Promise<number | undefined> {
    if (free <= 0) return this.#restUntil();
    const due = await this.#parts.store.deliveries.nextDue(this.#parts.profile, now);
    return Math.min(due ?? Number.POSITIVE_INFINITY, now + lookEveryMs);
  }

  #restUntil(): number | undefined {
    return this.#outage.isOn ? this.#outage.restUntil : undefined;
  }

  #launch(event: HeldDelivery, lease: Lease): void {
    this.#inFlight += 1;
    attempt(event, { ...this.#parts, clock: this.#parts.store.clock }, lease.lost)
      .then((attempted) => this.#conclude(event, attempted, lease))
      .catch((error: unknown) => {
        this.#fatal ??= { error };
      })
      .finally(() => {
        this.#inFlight -= 1;
        this.poke();
      })
      // The handlers above do not throw; this satisfies the rule that no promise floats.
      .catch(() => undefined);
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

  async #sleepUntil(time: number | undefined): Promise<void> {
    if (this.#poked) {
      this.#poked = false;
      return;
    }
    const { clock } = this.#parts.store;
    this.#nap = new AbortController();
    const now = clock.now();
    const pause = Math.min(Math.max(0, (time ?? Number.POSITIVE_INFINITY) - now), 60_000);
    await clock.sleep(pause, this.#nap.signal).catch(() => undefined);
    this.#nap = undefined;
    this.#poked = false;
  }
}
