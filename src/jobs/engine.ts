import type { Replay } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { ItemCounts, ItemRow, ItemState, JobRow, WorkerRow, Store, StoreClock } from '../store/store.js';
import type { BilledCounts } from './billed-calls.js';
import type { KindFacts, RunnableKind } from './kind.js';
import type { Client } from '../client/client.js';
import type { Random } from '../domain/world.js';
import type { Machine } from './lease.js';

/** One entry of a job's input, before it becomes an item. */
export interface PlannedItem<Input> {
  readonly ordinal: number;
  /** What a person calls it: a sku, a key. */
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: Input;
  /** Sent as `Idempotency-Key`; absent: one is made by chance. */
  readonly idempotencyKey?: string;
  /** The item of an earlier job that this one repeats after it ended badly. */
  readonly previousId?: string;
}

export interface StartRequest<Input> {
  readonly kind: KindFacts<Input>;
  readonly profile: string;
  readonly inputDigest: string;
  /** The command that goes on with the job of this id. */
  commandLine(jobId: string): string;
  readonly scope: Readonly<Record<string, string>>;
  readonly items: Iterable<PlannedItem<Input>> | AsyncIterable<PlannedItem<Input>>;
}

export interface RunOptions {
  /** Follow each item to its end; otherwise stop when everything is sent. */
  readonly wait: boolean;
  readonly concurrency: number;
  readonly intervalMs: number;
  /** Give up waiting (items stay pending) after this long. */
  readonly timeoutMs?: number;
  readonly onError: 'continue' | 'stop';
  readonly maxFailures?: number;
  readonly maxBillable?: number;
  readonly retryBillable: boolean;
  /** What is not found at the service after its settle time is sent again; else a person is asked. */
  readonly resendAbsent: boolean;
  /** Asked before anything that must not happen twice is sent from a store that knows nothing of earlier sends; may refuse by throwing. */
  onNewStore?(replay: Replay): Promise<void>;
  /** Told once, before the first item is sent of which the service cannot say whether it has it already. */
  onUnlooked?(reason: Text): Promise<void>;
  /** Instead of the settle time of the kind. */
  readonly settleMs?: number;
  /** The longest pause that the run accepts, and the longest time without any success. */
  readonly maxRetryWaitMs: number;
  /** How long to wait for items that another process holds. */
  readonly lockWaitMs: number;
  readonly signal: AbortSignal;
  /** The job's kind with what only the caller has, such as numbers that no row may hold. */
  readonly kind?: RunnableKind;
  onProgress?(progress: JobProgress): void;
  /** Told of the far side's word for an item's state, each time it is heard. */
  onSeen?(item: ItemRow, remoteStatus: string): void;
}

export interface JobProgress {
  readonly counts: ItemCounts;
  readonly total: number;
  readonly finished: number;
}

export type StopReason =
  /** Every item is settled, or waits for a person (`uncertain`). */
  | 'complete'
  /** Everything is sent and some items are pending, as asked (`wait: false`). */
  | 'sent'
  /** Items were still pending when the time was up. */
  | 'timeout'
  /** `maxFailures` reached. */
  | 'failure-limit'
  /** `maxBillable` reached. */
  | 'billable-limit'
  /** The service asks for a longer pause than `maxRetryWaitMs`. */
  | 'rate-limited'
  /** Nothing succeeded for `maxRetryWaitMs`: network or service are away. */
  | 'unavailable'
  /** 401. */
  | 'credentials'
  /** Another process holds the rest. */
  | 'held'
  /** `onError: 'stop'` and an item failed. */
  | 'stopped';

export interface JobResult {
  readonly job: JobRow;
  readonly counts: ItemCounts;
  readonly stopped: StopReason;
  readonly elapsedMs: number;
  /** What the calls of this run cost. */
  readonly billed: BilledCounts;
  /** When this run began, the store knew nothing of earlier sends, or had lost some. */
  readonly newStore: boolean;
  /** Items of the job that were sent though the service could not say whether it had them already. */
  readonly unlooked: number;
  /** The error that stopped the run early (`credentials`, `rate-limited`, `unavailable`, `held`). */
  readonly error?: FiscalError;
}

export interface StartedJob {
  readonly job: JobRow;
  /** True when the job was there already and goes on. */
  readonly resumed: boolean;
}

/** The one model for everything asynchronous or many. */
export interface JobEngine {
  /** Finds the job of the same input or writes a new one, whole, before anything is sent. */
  start<Input>(request: StartRequest<Input>): Promise<StartedJob>;
  /** Works on a job until it is complete or must stop; many processes may do so at once. */
  run(jobId: string, options: RunOptions): Promise<JobResult>;
  item(itemId: string): Promise<ItemRow | undefined>;
  /** In the order of the input, without the items that a later one replaces. */
  items(jobId: string): AsyncIterable<ItemRow>;
  /** A fresh, linked item for each rejected, failed or cancelled one; the old ones stay as history. Returns how many. */
  retry(jobId: string, itemIds?: readonly string[]): Promise<number>;
  /** Takes back what was not sent yet. Returns how many items. */
  cancel(jobId: string): Promise<number>;
  /** Reads at once the pending items of any job that stand for these resources. */
  nudge(nudge: Nudge): Promise<NudgeResult>;
  /** The living processes that write the job or work on it. The rows of dead ones are removed first. */
  workers(jobId: string): Promise<readonly WorkerRow[]>;
  /**
   * Writes what was learned of an item outside a run, e.g. by reading what it stands for. False, and nothing written, when
   * the item has changed or a living process has it.
   */
  learn(item: ItemRow, learned: Learned): Promise<boolean>;
  /** Takes back one item that was not sent yet, so that another job may send it. False when a living process is at it. */
  takeBack(item: ItemRow, note: string): Promise<boolean>;
  /**
   * A person says what became of an item that was sent and has no end: `uncertain`, `pending`, or `sending` without a living
   * process. The same answer again changes nothing. Errors: `job.held`, `job.item_not_uncertain`.
   */
  resolve(itemId: string, verdict: Verdict): Promise<ItemRow>;
}

/** The new state of an item, and the words for its history. */
export interface Learned {
  readonly state: ItemState;
  readonly resourceId?: string;
  readonly remoteStatus?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly note: string;
}

/** Resources of the service of which something new was told. */
export interface Nudge {
  readonly profile: string;
  readonly resourceIds: readonly string[];
  /** Until the next look at what turns out to be pending still. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

export interface NudgeResult {
  readonly finished: number;
  /** Pending still, or in another process's hands. */
  readonly waiting: number;
}

/** `succeeded` may name the resource that was found at the service; `not-sent` sends again. */
export type Verdict =
  | { readonly is: 'succeeded'; readonly resourceId?: string }
  | { readonly is: 'failed' }
  | { readonly is: 'not-sent' };

/** What the engine works with. */
export interface EngineDependencies {
  readonly store: Store;
  /** Asked for only when there is something to send or read. */
  client(): Promise<Client>;
  /** The store's: no change of the machine's wall clock moves a wait or a lease. */
  readonly clock: StoreClock;
  readonly random: Random;
  readonly machine: Machine;
  /** Defaults to the kinds of the program. */
  readonly kinds?: (name: string) => RunnableKind | undefined;
}
