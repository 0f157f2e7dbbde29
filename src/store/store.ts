import type { FiscalError } from '../errors/fiscal-error.js';
import type { Clock } from '../domain/world.js';
import type { Billing } from '../contract/operation.js';
import type { AnswerRows } from './answers.js';
import type { DeliveryRows } from './deliveries.js';
import type { CursorRows, DocumentRows, EventRows, OwedRows } from './documents.js';

/**
 * The narrow door to the local store. Asynchronous, so that another engine can stand behind it;
 * one contract test suite holds for every implementation. Times are milliseconds since the epoch, UTC.
 * A resolved write is durable.
 */
export interface Store {
  /** The time by which waits and leases are counted. */
  readonly clock: StoreClock;
  readonly identity: StoreIdentity;
  /** Why nothing can be kept, when its file cannot be written: it reads a copy, and refuses what a later run must know. */
  readonly readOnly?: FiscalError;
  readonly jobs: JobRows;
  readonly items: ItemRows;
  readonly workers: WorkerRows;
  readonly pace: PaceRows;
  readonly usage: UsageRows;
  readonly history: HistoryRows;
  readonly known: KnownRows;
  readonly documents: DocumentRows;
  readonly events: EventRows;
  readonly owed: OwedRows;
  readonly cursors: CursorRows;
  readonly answers: AnswerRows;
  readonly deliveries: DeliveryRows;
  /** Deletes every row of one profile: after `sandbox reset` its service no longer exists. */
  forget(profile: string): Promise<void>;
  close(): Promise<void>;
}

/** Which store this is, and whether it can know what was sent before. */
export interface StoreIdentity {
  readonly id: string;
  /** Nothing was ever sent from it: what other stores sent, or an earlier one in its place, it does not know. */
  readonly isNew: boolean;
  /** Its journal was removed while it was in use, and the last rows with it. */
  readonly lostRows: boolean;
  /** From now on it is not new. */
  sentAt(at: number): Promise<void>;
  /** Throws `store.replaced` when another file, an empty one, or none stands in its place by now. */
  requirePresent(): void;
}

/**
 * A clock that no change of the machine's wall clock moves: it begins at the wall clock's time when the store is made and
 * then counts the running time of the machine, the same for all processes. After a restart of the machine it goes on at
 * the wall clock's time, but never goes back.
 */
export interface StoreClock extends Clock {
  /** How much time has surely passed since `at`: what the machine did not count, such as a restart, is left out. */
  surelySince(at: number): number;
  /** By how many milliseconds the wall clock has jumped since any process of this machine was told; `undefined`: it has not. */
  takeJump(): Promise<number | undefined>;
}

export type JobState = 'loading' | 'open' | 'done' | 'cancelled';

export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly operation: string;
  readonly profile: string;
  /** Hash of the input and of what changes its meaning; with operation and profile it finds the job again. */
  readonly inputDigest: string;
  /** The words to type to go on, without secrets. */
  readonly commandLine: string;
  readonly scope: Readonly<Record<string, string>>;
  /** The worker that writes the items while the job is `loading`. */
  readonly loaderId: string;
  readonly state: JobState;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly finishedAt?: number;
}

export type ItemState =
  | 'prepared'
  | 'sending'
  | 'pending'
  | 'succeeded'
  | 'rejected'
  | 'failed'
  | 'skipped'
  | 'uncertain'
  | 'cancelled';

/** `found`: it stood there already, so nothing was sent; `not-possible`: nobody could say, and it was sent. */
export type FirstLook = 'found' | 'not-possible';

export interface ItemRow {
  readonly id: string;
  readonly jobId: string;
  /** Position in the input, from 1; for a file, the line or record. */
  readonly ordinal: number;
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: unknown;
  readonly billed: boolean;
  readonly state: ItemState;
  readonly idempotencyKey: string;
  /** Sends made so far. */
  readonly attempts: number;
  readonly resourceId?: string;
  readonly location?: string;
  /** The far side's own word for the state, as it came. */
  readonly remoteStatus?: string;
  readonly requestId?: string;
  readonly httpStatus?: number;
  /** The company that the answer named, as it came. */
  readonly answeredCompany?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** What the look before its send has shown. */
  readonly lookup?: FirstLook;
  /** The item that this one repeats after Rejected or Failed. */
  readonly previousId?: string;
  /** The item that holds the dedupe key, when this one is `skipped`. */
  readonly duplicateOf?: string;
  /** Not before this time: next send, next poll. */
  readonly dueAt: number;
  readonly sentAt?: number;
  readonly settledAt?: number;
  readonly updatedAt: number;
  /** Fences every write; grows at each claim. */
  readonly epoch: number;
  readonly workerId?: string;
}

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly operation: string;
  readonly profile: string;
  readonly inputDigest: string;
  readonly commandLine: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly loaderId: string;
  readonly at: number;
}

export interface NewItem {
  readonly id: string;
  readonly ordinal: number;
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: unknown;
  readonly billed: boolean;
  readonly idempotencyKey: string;
  readonly previousId?: string;
}

export interface JobFilter {
  readonly profile?: string;
  readonly kind?: string;
  readonly states?: readonly JobState[];
  readonly limit?: number;
}

export interface ItemFilter {
  readonly states?: readonly ItemState[];
  readonly limit?: number;
  /** Ordinal after which the page starts. */
  readonly afterOrdinal?: number;
}

export type ItemCounts = Readonly<Record<ItemState, number>>;

export interface JobRows {
  /**
   * Creates the job in `loading` (only its loader touches it until `seal`), unless the newest job of the same
   * operation, profile and digest is in one of `unless`: then nothing is written and that job is returned. Atomic.
   */
  create(job: NewJob, unless: readonly JobState[]): Promise<JobRow | undefined>;
  /**
   * Adds items in one transaction. An item whose dedupe key is held by a living item of the same profile and kind
   * (prepared, sending, pending, succeeded or uncertain, in any job) is stored as `skipped` with `duplicateOf`.
   */
  append(jobId: string, items: readonly NewItem[], at: number): Promise<void>;
  /** `loading` → `open`. */
  seal(jobId: string, at: number): Promise<void>;
  /** Removes a job that never left `loading` (its loader died); nothing of it was sent. */
  discard(jobId: string): Promise<void>;
  get(jobId: string): Promise<JobRow | undefined>;
  /** The newest job with this digest, operation and profile, of any state. */
  find(key: {
    readonly operation: string;
    readonly profile: string;
    readonly inputDigest: string;
  }): Promise<JobRow | undefined>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly JobRow[]>;
  setState(jobId: string, state: JobState, at: number): Promise<void>;
  /** Counts the items that no later item replaces. */
  counts(jobId: string): Promise<ItemCounts>;
  /** Counts the items of the job, not replaced, whose `lookup` was not possible. */
  withoutLookup(jobId: string): Promise<number>;
  /**
   * Deletes done and cancelled jobs that ended before `before`, with items and history, and jobs in `loading` of a loader that
   * is gone; never one with an uncertain item.
   */
  prune(before: number): Promise<number>;
  /** How many jobs `prune` would delete. */
  prunable(before: number): Promise<number>;
}

export interface Claim {
  readonly workerId: string;
  readonly jobId: string;
  readonly limit: number;
  readonly now: number;
  readonly states: readonly ItemState[];
}

/** What a transition may change besides the state. `null` clears a field. */
export interface ItemPatch {
  readonly state: ItemState;
  readonly dueAt?: number;
  readonly attempts?: number;
  readonly resourceId?: string | null;
  readonly location?: string | null;
  readonly remoteStatus?: string | null;
  readonly requestId?: string | null;
  readonly httpStatus?: number | null;
  readonly answeredCompany?: string | null;
  readonly errorCode?: string | null;
  readonly errorMessage?: string | null;
  readonly lookup?: FirstLook | null;
  readonly sentAt?: number;
  readonly settledAt?: number;
  /** False gives the dedupe key free (rejected, failed, skipped, cancelled, or a kind that may repeat). */
  readonly holdsKey: boolean;
  /** True keeps the claim; false gives the item back to the queue. */
  readonly keep: boolean;
}

export interface ItemEvent {
  readonly at: number;
  readonly from: ItemState;
  readonly to: ItemState;
  readonly note: string;
}

export interface ItemRows {
  get(itemId: string): Promise<ItemRow | undefined>;
  /** In order of input; items replaced by a later one are left out. */
  list(jobId: string, filter: ItemFilter): Promise<readonly ItemRow[]>;
  /** The living item that holds this key, if any. */
  holder(key: {
    readonly profile: string;
    readonly kind: string;
    readonly dedupeKey: string;
  }): Promise<ItemRow | undefined>;
  /** Earlier items that were sent under this key and gave it free again, the newest first; at most 20. */
  sentBefore(key: {
    readonly profile: string;
    readonly kind: string;
    readonly dedupeKey: string;
  }): Promise<readonly ItemRow[]>;
  /**
   * Takes up to `limit` due items that no living worker holds, oldest due first, `sending` before the others,
   * and raises their epoch. Nothing of a `loading` job, and nothing for a worker without a lease.
   */
  claim(claim: Claim): Promise<readonly ItemRow[]>;
  /**
   * One fenced step: false, and nothing written, unless the item still has this worker and epoch.
   * Writes the item history in the same transaction.
   */
  transition(
    item: { readonly id: string; readonly workerId: string; readonly epoch: number },
    patch: ItemPatch,
    event: { readonly at: number; readonly note: string },
  ): Promise<boolean>;
  /**
   * Makes the pending items that stand for this resource due before all others, whoever holds them, and names them. Nothing is
   * written when there is none.
   */
  wake(about: {
    readonly profile: string;
    readonly resourceId: string;
  }): Promise<readonly Pick<ItemRow, 'id' | 'jobId'>[]>;
  /** The earliest time at which something of the job in `states` is due and unclaimed by the living; `undefined`: nothing. */
  nextDue(jobId: string, states: readonly ItemState[], now: number): Promise<number | undefined>;
  /** Living workers that hold items of the job. */
  holders(jobId: string, now: number): Promise<readonly WorkerRow[]>;
  /**
   * A person or `job retry`|`job resolve`|`job cancel` changes an unclaimed item; false when its state is not `from` or a living worker holds it.
   * Fails with `job.key_held` when the patch wants the key and another item holds it by now. Shuts out the worker that had it.
   */
  decide(
    itemId: string,
    from: ItemState,
    patch: ItemPatch,
    event: { readonly at: number; readonly note: string },
  ): Promise<boolean>;
  /**
   * Adds a fresh item that replaces `previousId` in the same job and reopens the job; `skipped` when another item holds
   * the key by now. Fails with `job.item_changed` unless that one is rejected, failed, cancelled or left out for the sake of
   * another item, and not replaced yet.
   */
  replace(jobId: string, item: NewItem & { readonly previousId: string }, at: number): Promise<void>;
  /** The items of the job that were left out for the sake of one that failed before it was ever sent; their key may be free. */
  strandedIn(jobId: string): Promise<readonly ItemRow[]>;
  events(itemId: string): Promise<readonly ItemEvent[]>;
}

/** A process at work. Its one row is its lease: renewing it renews every item that it holds. */
export interface WorkerRow {
  readonly id: string;
  readonly pid: number;
  readonly machine: string;
  /** Start of the process as the system tells it, so that a reused pid is not taken for the living. */
  readonly processStart: string;
  readonly expiresAt: number;
  /** The job that it writes or works on. */
  readonly jobId?: string;
}

export interface WorkerRows {
  register(worker: WorkerRow): Promise<void>;
  /** False when the lease has been taken away. */
  renew(workerId: string, expiresAt: number): Promise<boolean>;
  list(): Promise<readonly WorkerRow[]>;
  /** Removes the worker and frees its items: at a clean end, or when it is known to be dead. */
  remove(workerId: string): Promise<void>;
}

export interface PaceRow {
  readonly blockedUntil: number;
  /** Start of the next free slot when a rate is in force. */
  readonly nextSlotAt: number;
  /** Milliseconds between slots; 0: no rate. */
  readonly intervalMs: number;
}

export interface PaceRows {
  get(key: { readonly profile: string; readonly host: string }): Promise<PaceRow | undefined>;
  /** Reserves `count` slots atomically and returns the start of the first. */
  reserve(
    key: { readonly profile: string; readonly host: string },
    count: number,
    intervalMs: number,
    now: number,
  ): Promise<number>;
  /** Holds everybody back until then; never shortens. */
  block(key: { readonly profile: string; readonly host: string }, until: number): Promise<void>;
}

export interface UsageRow {
  readonly at: number;
  readonly profile: string;
  readonly operation: string;
  readonly billed: Exclude<Billing, null>;
  /**
   * `unknown`: the call was sent and its outcome never came. `repeat`: the service bills it once, and this machine has made
   * it before.
   */
  readonly outcome: 'billed' | 'unknown' | 'repeat';
  readonly companyId?: string;
  /** What the service bills once, however often it is asked for: an access key. */
  readonly billedOnceFor?: string;
  readonly jobId?: string;
  readonly itemId?: string;
  readonly requestId?: string;
}

/** A call as it is recorded; that it repeats one is found by the store. */
export type NewUsage = UsageRow & { readonly outcome: Exclude<UsageRow['outcome'], 'repeat'> };

export interface UsageRows {
  /** Keeps a call, and gives its outcome: `repeat` where what is billed once was billed before. */
  add(row: NewUsage): Promise<UsageRow['outcome']>;
  list(filter: {
    readonly profile?: string;
    readonly companyIds?: readonly string[];
    readonly since?: number;
    readonly limit?: number;
  }): Promise<readonly UsageRow[]>;
}

export interface HistoryRow {
  readonly at: number;
  readonly profile: string;
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly sent: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly jobId?: string | undefined;
  readonly itemId?: string | undefined;
}

export interface HistoryRows {
  add(...rows: readonly HistoryRow[]): Promise<void>;
  /** Newest first. */
  list(filter: {
    readonly profile?: string;
    readonly since?: number;
    readonly operation?: string;
    readonly limit?: number;
  }): Promise<readonly HistoryRow[]>;
  prune(before: number): Promise<number>;
}

/** What this machine has seen of a resource of the service. */
export interface KnownRow {
  readonly profile: string;
  readonly kind: string;
  /** Tenant or company. */
  readonly scope: string;
  readonly id: string;
  readonly label?: string;
  readonly status?: string;
  readonly data: unknown;
  readonly firstSeenAt: number;
  readonly seenAt: number;
}

export interface KnownRows {
  /** Keeps `firstSeenAt` of an earlier row. */
  put(row: Omit<KnownRow, 'firstSeenAt'>): Promise<void>;
  get(key: {
    readonly profile: string;
    readonly kind: string;
    readonly scope: string;
    readonly id: string;
  }): Promise<KnownRow | undefined>;
  /** Newest first. */
  list(filter: {
    readonly profile: string;
    readonly kind: string;
    readonly scope?: string;
    readonly label?: string;
    readonly status?: string;
    readonly limit?: number;
  }): Promise<readonly KnownRow[]>;
}
