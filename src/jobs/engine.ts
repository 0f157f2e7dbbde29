import type { Text } from '../contract/text.js';
import type { ItemCounts, ItemRow, JobRow } from '../store/store.js';
import type { JobKind } from './kind.js';

/** One entry of a job's input, before it becomes an item. */
export interface PlannedItem<Input> {
  readonly ordinal: number;
  /** What a person calls it: a sku, a key. */
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: Input;
}

export interface StartRequest<Input> {
  readonly kind: JobKind<Input>;
  readonly profile: string;
  readonly inputDigest: string;
  readonly commandLine: string;
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
  /** How long to wait for items that another process holds. */
  readonly lockWaitMs: number;
  readonly signal: AbortSignal;
  onProgress?(progress: JobProgress): void;
}

export interface JobProgress {
  readonly counts: ItemCounts;
  readonly total: number;
  readonly settled: number;
}

export type StopReason =
  | 'complete'
  | 'sent'
  | 'timeout'
  | 'failure-limit'
  | 'billable-limit'
  | 'rate-limited'
  | 'credentials'
  | 'held'
  | 'interrupted'
  | 'stopped';

export interface JobResult {
  readonly job: JobRow;
  readonly counts: ItemCounts;
  readonly stopped: StopReason;
  readonly elapsedMs: number;
  /** Billed calls made in this run. */
  readonly billedCalls: number;
  /** Why the run stopped early, for a person. */
  readonly reason?: Text;
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
  items(jobId: string): AsyncIterable<ItemRow>;
}
