import type { Exchange, Recorder } from '../client/client.js';
import type { Billing, Operation } from '../contract/operation.js';
import { operations } from '../contract/operations.js';
import type { Clock } from '../domain/world.js';
import type { HistoryRow, Store, UsageRow } from '../store/store.js';

export interface RecorderOptions {
  /** Opened when the first exchange is recorded. */
  store(): Promise<Store>;
  readonly space: string;
  readonly clock: Clock;
}

export interface FlushingRecorder extends Recorder {
  /** Resolves when everything is written; rejects with the first fault of a write. */
  flush(): Promise<void>;
}

/**
 * Keeps what was sent and what it caused to be billed. A call does not wait for its record; a fault of
 * the store is kept and told by `flush` at the end of the run.
 */
export function createRecorder(options: RecorderOptions): FlushingRecorder {
  const pending = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const write = async (exchange: Exchange): Promise<void> => {
    try {
      const store = await options.store();
      const usage = usageOf(exchange, options.space);
      await Promise.all([
        store.history.add(historyOf(exchange, options.space)),
        ...(usage === undefined ? [] : [store.usage.add(usage)]),
      ]);
    } catch (fault) {
      faults.push(fault);
    }
  };
  return {
    record(exchange) {
      const writing = write(exchange).finally(() => pending.delete(writing));
      pending.add(writing);
    },
    async flush() {
      await Promise.all(pending);
      if (faults.length > 0) throw faults[0];
    },
  };
}

function historyOf(exchange: Exchange, profile: string): HistoryRow {
  const { billed: _billed, ...rest } = exchange;
  return { ...rest, profile };
}

/**
 * Billed for sure after a 2xx, perhaps when nobody knows what became of the call: no answer, or an answer of
 * failure from a service that may have done the work. 503 is a refusal before it.
 */
function usageOf(exchange: Exchange, profile: string): UsageRow | undefined {
  const billed = billingOf(exchange);
  const outcome = outcomeOf(exchange);
  if (billed === null || outcome === undefined) return undefined;
  const { at, operation, jobId, itemId, requestId } = exchange;
  return {
    at,
    profile,
    operation,
    billed,
    outcome,
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

function outcomeOf({ status, sent }: Exchange): UsageRow['outcome'] | undefined {
  if (status !== undefined && status >= 200 && status < 300) return 'billed';
  const isDoubtful = sent === 'unknown' || (status !== undefined && status >= 500 && status !== 503);
  return isDoubtful ? 'unknown' : undefined;
}
