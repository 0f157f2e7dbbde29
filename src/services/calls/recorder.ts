import type { Exchange, Recorder } from '../../client/client.js';
import type { Billing, Operation } from '../../contract/operation.js';
import { billedOutcome, type Billed } from '../../domain/billing.js';
import { operations } from '../../contract/operations.js';
import type { Deprecation } from '../../domain/deprecation.js';
import type { Clock } from '../../domain/world.js';
import type { NewHistory, NewUsage, Store } from '../../store/store.js';

export interface RecorderOptions {
  /** Opened when the first exchange is recorded. */
  store(): Promise<Store>;
  readonly storeNamespace: string;
  readonly clock: Clock;
  /** Called the first time that an answer announces the end of an operation. */
  deprecated?(operation: string, deprecation: Deprecation): Promise<void>;
}

export interface FlushingRecorder extends Recorder {
  /** Resolves when everything is written; rejects with the first fault of a write. */
  flush(): Promise<void>;
  /** The number of write requests that this machine sent. */
  readonly sends: number;
  /** The number of calls that were, or may have been, billed. */
  readonly billed: number;
}

/**
 * Records every call and its billing. A call does not wait for its record: `flush` throws an error of the store at the end
 * of the run.
 */
export function createRecorder(options: RecorderOptions): FlushingRecorder {
  const faults: unknown[] = [];
  const guarded = async (work: (store: Store) => Promise<unknown>): Promise<void> => {
    try {
      await work(await options.store());
    } catch (fault) {
      faults.push(fault);
    }
  };
  const announced = new Set<string>();
  const announce = ({ operation, deprecation }: Exchange): void => {
    if (deprecation === undefined || announced.has(operation)) return;
    announced.add(operation);
    start(() => options.deprecated?.(operation, deprecation) ?? Promise.resolve());
  };
  let sends = 0;
  let billed = 0;
  const pending = new Set<Promise<void>>();
  const start = (work: (store: Store) => Promise<unknown>): void => {
    const writing = guarded(work).finally(() => pending.delete(writing));
    pending.add(writing);
  };
  /** A billed call counts even if its record cannot be stored. */
  const billing = async (usage: NewUsage): Promise<Billed> => {
    let outcome: Billed = usage.outcome;
    const writing = guarded(async (store) => {
      outcome = await store.usage.add(usage);
    });
    pending.add(writing);
    await writing.finally(() => pending.delete(writing));
    return outcome;
  };
  const reads = new Reads((rows) => start((store) => store.history.add(...rows)));
  return {
    get sends() {
      return sends;
    },
    get billed() {
      return billed;
    },
    record(exchange) {
      announce(exchange);
      if (exchange.method !== 'GET' && exchange.sent !== 'no') sends += 1;
      const row = historyOf(exchange, options.storeNamespace);
      const usage = usageOf(exchange, options.storeNamespace);
      if (usage !== undefined) billed += 1;
      if (exchange.method === 'GET' && usage === undefined) {
        reads.add(row);
        return undefined;
      }
      start((store) => store.history.add(row));
      return usage === undefined ? undefined : billing(usage);
    },
    async flush() {
      reads.write();
      await Promise.all(pending);
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Records of reads are written in groups of this size, or after this time. */
const MOST_READS = 256;
const MOST_WAIT_MS = 200;

/** Reads are free and many: their records wait for each other and share one commit. */
class Reads {
  #rows: NewHistory[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly take: (rows: readonly NewHistory[]) => void) {}

  add(row: NewHistory): void {
    this.#rows.push(row);
    if (this.#rows.length >= MOST_READS) this.write();
    else this.#timer ??= setTimeout(() => this.write(), MOST_WAIT_MS).unref();
  }

  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 0) this.take(rows);
  }
}

function historyOf(exchange: Exchange, profile: string): NewHistory {
  const { billedOnceFor: _once, companyId: _company, ...row } = exchange;
  return { ...row, profile };
}

function usageOf(exchange: Exchange, profile: string): NewUsage | undefined {
  const billed = billingOf(exchange);
  const outcome = billedOutcome(exchange);
  if (billed === null || outcome === 'none') return undefined;
  const { at, operation, companyId, billedOnceFor, jobId, itemId, requestId } = exchange;
  return {
    at,
    profile,
    operation,
    billed,
    outcome,
    ...(companyId === undefined ? {} : { companyId }),
    ...(billedOnceFor === undefined ? {} : { billedOnceFor }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(itemId === undefined ? {} : { itemId }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function billingOf({ billed, operation }: Exchange): Billing {
  if (!billed) return null;
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[operation]?.billed ?? null;
}
