import type { Clock } from '../domain/world.js';
import type { ItemRow, ItemState, Store } from '../store/store.js';

export interface QueueParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly jobId: string;
  readonly states: readonly ItemState[];
  readonly batch: number;
}

/** Hands out due items of one job, claimed in small batches; memory stays flat whatever the job's size. */
export class Queue {
  readonly #parts: QueueParts;
  readonly #claimed: ItemRow[] = [];
  /** Nothing is due before this time, as far as this process knows. */
  #quietUntil = 0;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** The next item to work on, or `undefined` when nothing is due now. */
  async take(): Promise<ItemRow | undefined> {
    const ready = this.#claimed.shift();
    if (ready !== undefined) return ready;
    const { store, clock, workerId, jobId, states, batch } = this.#parts;
    const now = clock.now();
    if (now < this.#quietUntil) return undefined;
    this.#claimed.push(...(await store.items.claim({ workerId, jobId, limit: batch, now, states })));
    const first = this.#claimed.shift();
    if (first === undefined) this.#quietUntil = (await this.#nextDue(now)) ?? Number.POSITIVE_INFINITY;
    return first;
  }

  /** When `take` may find something again; `undefined`: never, unless `expect` is called. */
  get wakeAt(): number | undefined {
    return Number.isFinite(this.#quietUntil) ? this.#quietUntil : undefined;
  }

  /** An item was given back and wants attention at `dueAt`. */
  expect(dueAt: number): void {
    this.#quietUntil = Math.min(this.#quietUntil, dueAt);
  }

  /** Look again at once: others may have left work behind. */
  refresh(): void {
    this.#quietUntil = 0;
  }

  /** Another process may have settled, or made due, what this one waits for. */
  async look(): Promise<void> {
    const dueAt = await this.#nextDue(this.#parts.clock.now());
    this.#quietUntil = dueAt ?? Number.POSITIVE_INFINITY;
  }

  async #nextDue(now: number): Promise<number | undefined> {
    return await this.#parts.store.items.nextDue(this.#parts.jobId, this.#parts.states, now);
  }
}
