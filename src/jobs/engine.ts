import type { Replay } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { Reason } from '../errors/reasons.js';
import type { ItemStep } from '../domain/item-step.js';
import type { SeenSends } from '../store/seen-sends.js';
import type { ItemCounts, ItemRow, ItemState, JobRow, WorkerRow, Store, StoreClock } from '../store/store.js';
import type { BilledCounts } from './billed-calls.js';
import type { KindFacts, RunnableKind } from './kind.js';
import type { Client } from '../client/client.js';
import type { Sender } from './senders.js';
import type { Random } from '../domain/world.js';
import type { AuthorityAnswer } from './authority-answer.js';
import type { AnswerJournal } from './answer-journal.js';
import type { Machine } from './lease.js';

/** One entry of a job's input, before it becomes an item. */
export interface PlannedItem<Input> {
  readonly ordinal: number;
  /** What a person calls it, such as a SKU or an access key. */
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: Input;
  /** Sent as `Idempotency-Key`; generated when absent. */
  readonly idempotencyKey?: string;
  /** The failed or rejected item of an earlier job that this one repeats. */
  readonly previousId?: string;
}

export interface StartRequest<Input> {
  readonly kind: KindFacts<Input>;
  readonly profile: string;
  readonly inputDigest: string;
  /** The command that resumes the job with this id. */
  commandLine(jobId: string): string;
  readonly scope: Readonly<Record<string, string>>;
  readonly items: Iterable<PlannedItem<Input>> | AsyncIterable<PlannedItem<Input>>;
}

export interface RunOptions {
  /** Follow each item to its end; otherwise stop when everything is sent. */
  readonly wait: boolean;
  readonly concurrency: number;
  readonly intervalMs: number;
  /** Stop waiting after this long; items stay pending. */
  readonly timeoutMs?: number;
  readonly onError: 'continue' | 'stop';
  readonly maxFailures?: number;
  readonly maxBillable?: number;
  readonly retryBillable: boolean;
  /** Send again what is still not found after its settle time; otherwise a person is asked. */
  readonly resendAbsent: boolean;
  /**
   * Called before sending anything that must not happen twice, when the profile knows nothing of earlier sends, or lacks some. Throws to
   * refuse.
   */
  onNewStore?(replay: Replay, sender: Sender): Promise<void>;
  /** Called once, before sending the first item for which the service cannot say whether it already exists. */
  onSendWithoutLookup?(reason: Text): Promise<void>;
  /** Replaces the settle time of the kind. */
  readonly settleMs?: number;
  /** The longest pause that the run accepts, and the longest time without a success. */
  readonly maxRetryWaitMs: number;
  /** How long to wait for items that another process holds. */
  readonly lockWaitMs: number;
  readonly signal: AbortSignal;
  /** The job's kind with data that only the caller has, such as numbers that must not be stored. */
  readonly kind?: RunnableKind;
  onProgress?(progress: JobProgress): void;
  /** Called once, before the first item is worked on. */
  onBegun?(): Promise<void>;
  /**
   * Called with an item that this run has brought to its end, as it is stored, and with what the authority said. The next one waits
   * until this has resolved.
   */
  onEnded?(item: ItemRow, answer?: AuthorityAnswer): Promise<void>;
  /** Called when `signal` aborts while requests are in flight: their answers are still awaited and stored. */
  onInterrupted?(inFlight: number): void;
  /** Called with an item as this run has stored it. */
  onStored?(item: ItemRow): void;
  /** Called with the service's own status of an item, each time it is read. */
  onSeen?(item: ItemRow, remoteStatus: string): void;
  /** Called when the service took an item without saying which one it is, so that it is looked for. */
  onUnnamed?(item: ItemRow): void;
}

export interface JobProgress {
  readonly counts: ItemCounts;
  readonly total: number;
  readonly finished: number;
}

export type StopReason =
  /** Every item is finished, or waits for a person (`uncertain`). */
  | 'complete'
  /** Everything was sent and some items are pending, as requested (`wait: false`). */
  | 'sent'
  /** Items were still pending when the time was up. */
  | 'timeout'
  /** `maxFailures` was reached. */
  | 'failure-limit'
  /** `maxBillable` was reached. */
  | 'billable-limit'
  /** The budget of a company was reached. */
  | 'budget'
  /** The store was put back, and what is left may have been sent before. */
  | 'went-back'
  /** The service asks for a longer pause than `maxRetryWaitMs`. */
  | 'rate-limited'
  /** Nothing succeeded for `maxRetryWaitMs`: the network or the service is down. */
  | 'unavailable'
  /** 401. */
  | 'credentials'
  /** Another process holds the remaining items. */
  | 'held'
  /** An item failed, with `onError: 'stop'`. */
  | 'stopped'
  /** Every item failed for one cause that is not of an item. */
  | 'refused'
  /** SIGINT or SIGTERM, with something left to do. */
  | 'interrupted'
  /** The store could not be read or written. */
  | 'store-failed'
  /** Something else that concerns every item, such as a key that cannot be read. */
  | 'error';

/** Nothing is left that this run could do. */
export function isWorkedThrough(stopped: StopReason): boolean {
  return stopped === 'complete' || stopped === 'sent' || stopped === 'refused';
}

/** The error is that of the whole run, and the last thing that is said. */
export function endsRun(stopped: StopReason): boolean {
  return stopped === 'interrupted' || stopped === 'store-failed' || stopped === 'error';
}

export interface JobResult {
  readonly job: JobRow;
  readonly counts: ItemCounts;
  /** Items that ended in this run. */
  readonly finished: number;
  readonly stopped: StopReason;
  readonly elapsedMs: number;
  /** What the calls of this run cost. */
  readonly billed: BilledCounts;
  /** When this run began, the profile knew nothing of earlier sends, or lacked some. */
  readonly newStore: boolean;
  /** Items sent although the service could not say whether they already existed. */
  readonly withoutLookup: number;
  /** The error that stopped the run early. */
  readonly error?: FiscalError;
}

export interface StartedJob {
  readonly job: JobRow;
  /** True when the job already existed and is continued. */
  readonly resumed: boolean;
}

/** The one model for everything asynchronous or many. */
export interface JobEngine {
  /** Finds the job of the same input or writes a new one, completely, before anything is sent. */
  start<Input>(request: StartRequest<Input>): Promise<StartedJob>;
  /** Works on a job until it is complete or must stop. Several processes may do so at once. */
  run(jobId: string, options: RunOptions): Promise<JobResult>;
  item(itemId: string): Promise<ItemRow | undefined>;
  /** The items in these states, or all, in input order, without those that a later one replaces. */
  items(jobId: string, states?: readonly ItemState[]): AsyncIterable<ItemRow>;
  /**
   * Creates a new linked item for each rejected, failed or cancelled one; the old ones remain as history. Returns the
   * number of items.
   */
  retry(jobId: string, itemIds?: readonly string[]): Promise<number>;
  /** Cancels the items that were not sent yet. Returns their number. */
  cancel(jobId: string): Promise<number>;
  /** Reads at once the pending items, of any job, that refer to these resources. */
  nudge(nudge: Nudge): Promise<NudgeResult>;
  /** The living processes that write the job or work on it. Rows of dead ones are removed first. */
  workers(jobId: string): Promise<readonly WorkerRow[]>;
  /**
   * Stores what was learned about an item outside a run, for example by reading its resource. Returns false, and writes
   * nothing, when the item has changed or a living process holds it.
   */
  learn(item: ItemRow, learned: Learned): Promise<boolean>;
  /** Cancels one item that was not sent yet, so that another job may send it. False when a living process holds it. */
  cancelItem(item: ItemRow, step: ItemStep): Promise<boolean>;
  /**
   * Stores a person's decision about an item that was sent and is not finished: `uncertain`, `pending`, or `sending`
   * without a living process. Repeating the same answer changes nothing. Errors: `job.held`, `job.item_not_uncertain`.
   */
  resolve(itemId: string, verdict: Verdict): Promise<ItemRow>;
}

/** The new state of an item, and the step for its history. */
export interface Learned {
  readonly state: ItemState;
  readonly resourceId?: string;
  readonly remoteStatus?: string;
  readonly errorCode?: string;
  readonly reason?: Reason;
  readonly step: ItemStep;
}

/** Resources that a webhook event reported as changed. */
export interface Nudge {
  readonly profile: string;
  readonly resourceIds: readonly string[];
  /** The pause before a resource that is still pending is read again, in milliseconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

export interface NudgeResult {
  readonly finished: number;
  /** Items still pending or held by another process. */
  readonly waiting: number;
}

/** `succeeded` may name the resource found at the service; `not-sent` sends the item again. */
export type Verdict =
  | { readonly is: 'succeeded'; readonly resourceId?: string }
  | { readonly is: 'failed' }
  | { readonly is: 'not-sent' };

/** Dependencies of the engine. */
export interface EngineDependencies {
  readonly store: Store;
  /** Opened only when there is something to send or read. */
  client(): Promise<Client>;
  /** The store's clock: changes to the machine's wall clock move no wait and no lease. */
  readonly clock: StoreClock;
  readonly random: Random;
  readonly machine: Machine;
  /** Where answers are kept that a store on a server does not take. */
  readonly journal?: AnswerJournal;
  /** Where this machine notes its sends; absent for a service of this machine. */
  readonly sends?: Pick<SeenSends, 'add'>;
  /** Defaults to the program's own kinds. */
  readonly kinds?: (name: string) => RunnableKind | undefined;
}
