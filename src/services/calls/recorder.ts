import type { BilledCall, CallRecord, Exchange, Recorder } from '../../client/client.js';
import type { Operation } from '../../contract/operation.js';
import { billedOutcome, type Billed } from '../../domain/billing.js';
import { operations } from '../../contract/operations.js';
import { countedAs } from '../../domain/company-reference.js';
import type { Deprecation } from '../../domain/deprecation.js';
import type { Clock } from '../../domain/world.js';
import type { Budget } from '../costs/budget.js';
import type { NewHistory, NewUsage, Store } from '../../store/store.js';

export interface RecorderOptions {
  /** Opened when the first exchange is recorded. */
  store(): Promise<Store>;
  readonly storeNamespace: string;
  readonly clock: Clock;
  /** What billed calls may cost; absent: nothing limits them. */
  budget?(): Promise<Budget | undefined>;
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
 * Records every call and its billing. A billed call is counted before it is sent, as one of unknown outcome, so that no crash
 * forgets it. The record of a call between two writes of its caller goes with the second one. Others wait for nothing: `flush`
 * throws an error of the store at the end of the run.
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
  const reads = new Reads((rows) => start((store) => store.history.add(...rows)));
  return {
    get sends() {
      return sends;
    },
    get billed() {
      return billed;
    },
    async reserve(call) {
      const row = usageOf(call, options);
      if (row === undefined) return undefined;
      const { usage } = await options.store();
      const limit = (await options.budget?.())?.limitFor(row);
      const seq = await usage.reserve(row, limit);
      if (seq === undefined) return await limit?.refuse();
      return async ({ outcome, requestId }) => {
        // A billed call counts even if its end cannot be stored.
        let settled: Billed = outcome;
        const writing = guarded(async () => {
          settled = await usage.settle(seq, { outcome, ...(requestId === undefined ? {} : { requestId }) });
        });
        pending.add(writing);
        await writing.finally(() => pending.delete(writing));
        return settled;
      };
    },
    record(exchange, settle, around) {
      announce(exchange);
      if (exchange.method !== 'GET' && exchange.sent !== 'no') sends += 1;
      const row = historyOf(exchange, options.storeNamespace);
      if (exchange.method === 'GET' && settle === undefined) {
        reads.add(row);
        return undefined;
      }
      const alone = (): void => start((store) => store.history.add(row));
      if (around === undefined) alone();
      else around.takeRecord(row, alone);
      if (settle === undefined) return undefined;
      const outcome = billedOutcome(exchange);
      if (outcome !== 'none') billed += 1;
      return settle({ outcome, requestId: exchange.requestId });
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

function historyOf(exchange: Exchange, profile: string): CallRecord {
  const { billed: _billed, billedOnceFor: _once, companyId: _company, ...row } = exchange;
  return { ...row, profile };
}

function usageOf(
  { operation, companyId, billedOnceFor, jobId, itemId }: BilledCall,
  { storeNamespace: profile, clock }: Pick<RecorderOptions, 'storeNamespace' | 'clock'>,
): NewUsage | undefined {
  const rows: Readonly<Record<string, Operation>> = operations;
  const billed = rows[operation]?.billed ?? null;
  if (billed === null) return undefined;
  return {
    at: clock.now(),
    profile,
    operation,
    billed,
    ...(companyId === undefined ? {} : { companyId: countedAs(companyId) }),
    ...(billedOnceFor === undefined ? {} : { billedOnceFor }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(itemId === undefined ? {} : { itemId }),
  };
}
