import type { AroundCall, CallRecord } from '../client/client.js';
import type { Clock } from '../domain/world.js';
import type { Along, HostPace } from '../store/store.js';

/** The paces that a statement of the store has read beside its work. */
export interface ReadPaces {
  readonly rows: readonly HostPace[];
  /** When it was asked, and when it answered. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** So soon after its answer the call must come that goes by it: as a question of its own would be answered. */
const SOON_MS = 10;
/** A statement that takes longer has waited for others, and what it read may be as old. */
const LONGEST_STATEMENT_MS = 200;

/** Lets the next statement of the store read the paces. */
export function readingPaces(clock: Clock, take: (read: ReadPaces) => void): Required<Pick<Along, 'paces'>> {
  const askedAt = clock.now();
  return { paces: (rows) => take({ rows, askedAt, answeredAt: clock.now() }) };
}

interface Taken {
  readonly record: CallRecord;
  alone(): void;
}

/** Between two writes of an item: what the first one has read for its call, and what the second one stores of it. */
export class CallBetweenWrites implements AroundCall {
  readonly #clock: Clock;
  #read: ReadPaces | undefined;
  #taken: readonly Taken[] = [];

  constructor(clock: Clock, read?: ReadPaces) {
    this.#clock = clock;
    this.#read = read;
  }

  readingPaces(): Required<Pick<Along, 'paces'>> {
    return readingPaces(this.#clock, (read) => (this.#read = read));
  }

  takePace(host: string, since: number): ReturnType<AroundCall['takePace']> {
    const read = this.#read;
    this.#read = undefined;
    if (read === undefined || read.askedAt <= since) return undefined;
    const { rows, askedAt, answeredAt } = read;
    if (this.#clock.now() - answeredAt > SOON_MS || answeredAt - askedAt > LONGEST_STATEMENT_MS) return undefined;
    return { seen: rows.find((row) => row.host === host) };
  }

  /** A write that does not come in the same turn may be long in coming. */
  takeRecord(record: CallRecord, alone: () => void): void {
    const taken = { record, alone };
    this.#taken = [...this.#taken, taken];
    setImmediate(() => {
      if (!this.#taken.includes(taken)) return;
      this.#taken = this.#taken.filter((one) => one !== taken);
      alone();
    });
  }

  /** Gives the records to a write; where it fails, each is stored alone. */
  async storing<Result>(write: (calls: readonly CallRecord[]) => Promise<Result>): Promise<Result> {
    const taken = this.#taken;
    this.#taken = [];
    try {
      return await write(taken.map(({ record }) => record));
    } catch (error) {
      for (const { alone } of taken) alone();
      throw error;
    }
  }
}
