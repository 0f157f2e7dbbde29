import type { Deprecation } from '../domain/deprecation.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { Reason } from '../errors/reasons.js';
import type { Actor } from '../domain/actor.js';
import type { Clock } from '../domain/world.js';
import type { Billed } from '../domain/billing.js';
import type { Billing } from '../contract/operation.js';
import type { AnswerRows } from './answers.js';
import type { CopyMark } from './copy-mark.js';
import type { DeliveryRows } from './deliveries.js';
import type { CursorRows, DocumentRows, EventRows, OwedRows } from './documents.js';
import type { OverviewRows } from './overview.js';
import type { ItemStep } from '../domain/item-step.js';
import type { TimedStep } from './item-history.js';
import type { WentBack } from './seen-sends.js';

/**
 * The narrow interface of the local store. Asynchronous, so that another engine can replace SQLite; one contract test
 * suite covers every implementation. Times are milliseconds since the epoch, UTC. A resolved write is durable.
 */
export interface Store {
  /** The file, or the address of the server without its password. */
  readonly place: string;
  /** The clock for waits and leases. */
  readonly clock: StoreClock;
  readonly identity: StoreIdentity;
  /** Set when the file cannot be written: the store is a copy that refuses whatever a later run must know. */
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
  readonly overview: OverviewRows;
  /** Deletes every row of one profile: after `sandbox reset` its service no longer exists. */
  forget(profile: string): Promise<void>;
  close(): Promise<void>;
}

/** The identity of the store, and whether it can know what was sent before. */
export interface StoreIdentity {
  readonly id: string;
  /** Nothing was ever sent from it: it does not know what other or earlier stores sent. */
  readonly isNew: boolean;
  /** Its last rows may be missing: its journal was removed while in use, or its server failed over or was restored. */
  readonly lostRows: boolean;
  /** A copy of the store was made or begun: then nothing is sent from it. */
  readonly copy?: CopyMark;
  /** The store lacks sends that a machine has seen, until a person lets it send again (`admit`). */
  readonly wentBack?: WentBack;
  admit(): Promise<void>;
  /** Records the first send; from then on the store is not new. */
  sentAt(at: number): Promise<void>;
  /** Throws `store.replaced` when the file is missing, empty or another one. */
  requirePresent(): void;
}

/**
 * A clock that ignores changes of the machine's wall clock: it starts at the wall clock's time when the store is
 * created and then counts the machine's uptime, the same for all processes. After a reboot it continues from the wall
 * clock's time, but never goes back.
 */
export interface StoreClock extends Clock {
  /** How much time has certainly passed since `at`: uncounted time, such as a reboot, is left out. */
  surelySince(at: number): number;
  /**
   * By how many milliseconds the wall clock has jumped since a process of this machine last reported it; `undefined`:
   * no jump.
   */
  takeJump(): Promise<number | undefined>;
}

export type JobState = 'loading' | 'open' | 'done' | 'cancelled';

/** With the one who started it. */
export interface JobRow extends Actor {
  readonly id: string;
  readonly kind: string;
  readonly operation: string;
  readonly profile: string;
  /**
   * Hash of the input and of everything that changes its meaning; identifies the job together with operation and
   * profile.
   */
  readonly inputDigest: string;
  /** The command that resumes the job, without secrets. */
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

/** `found`: it already existed, so nothing was sent. `not-possible`: the service could not tell, and it was sent. */
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
  /** Number of sends so far. */
  readonly attempts: number;
  readonly resourceId?: string;
  readonly location?: string;
  /** The service's own status, unchanged. */
  readonly remoteStatus?: string;
  readonly requestId?: string;
  readonly httpStatus?: number;
  /** The company named in the answer, unchanged. */
  readonly answeredCompany?: string;
  readonly errorCode?: string;
  /** Why it is as it is: why it waits, failed or is unknown. */
  readonly reason?: Reason;
  /** The result of the lookup before its send. */
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
  /** Grows with each claim and guards every write. */
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
  /** The ordinal after which the page starts. */
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
  /** The newest job with this digest, operation and profile, in any state. */
  find(key: {
    readonly operation: string;
    readonly profile: string;
    readonly inputDigest: string;
  }): Promise<JobRow | undefined>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly JobRow[]>;
  setState(jobId: string, state: JobState, at: number): Promise<void>;
  /** Counts the items that no later item has replaced. */
  counts(jobId: string): Promise<ItemCounts>;
  /** Counts the items of the job, not replaced, whose `lookup` was not possible. */
  withoutLookup(jobId: string): Promise<number>;
  /**
   * Deletes done and cancelled jobs that ended before `before`, with items and history, and jobs still `loading` whose
   * loader is gone; never one with an uncertain item. Returns their number.
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
  readonly reason?: Reason | null;
  readonly lookup?: FirstLook | null;
  readonly sentAt?: number;
  readonly settledAt?: number;
  /** False releases the dedupe key (rejected, failed, skipped, cancelled, or a kind that may repeat). */
  readonly holdsKey: boolean;
  /** True keeps the claim; false returns the item to the queue. */
  readonly keep: boolean;
}

/** What the statement of an item does besides, so that it costs none of its own. */
export interface Along {
  /** Calls that were made. They and `known` are stored also where the item is held by another worker. */
  readonly calls?: readonly NewHistory[];
  /** What the service said of it. */
  readonly known?: SeenRow;
  /** Gets the paces of the hosts of its profile as they are then, where the step is written or an item is claimed. */
  paces?(rows: readonly HostPace[]): void;
}

/** A step of an item, with who made it. */
export interface ItemEvent extends Actor {
  readonly at: number;
  readonly from: ItemState;
  readonly to: ItemState;
  readonly step: ItemStep;
}

export interface ItemRows {
  get(itemId: string): Promise<ItemRow | undefined>;
  /** The items whose id begins so, of every job; at most `limit`. */
  startingWith(beginning: string, limit: number): Promise<readonly ItemRow[]>;
  /** In input order, without items that a later one replaces. */
  list(jobId: string, filter: ItemFilter): Promise<readonly ItemRow[]>;
  /** The living item that holds this key, if any. */
  holder(key: {
    readonly profile: string;
    readonly kind: string;
    readonly dedupeKey: string;
  }): Promise<ItemRow | undefined>;
  /** The living items that hold one of these keys. */
  holdersAmong(keys: {
    readonly profile: string;
    readonly kind: string;
    readonly dedupeKeys: readonly string[];
  }): Promise<readonly ItemRow[]>;
  /** The living items whose key is one of these texts and more after a blank: those of one document, say. */
  holdersOf(keys: {
    readonly profile: string;
    readonly kind: string;
    readonly beginnings: readonly string[];
  }): Promise<readonly ItemRow[]>;
  /** Earlier items that were sent under this key and gave it free again, the newest first; at most 20. */
  sentBefore(key: {
    readonly profile: string;
    readonly kind: string;
    readonly dedupeKey: string;
  }): Promise<readonly ItemRow[]>;
  /**
   * The issued invoices of this kind (`nfe-issue`), of any profile, whose resource is among `resourceIds` or may be: a
   * held key that was sent and names no resource. Kinds of other names have none.
   */
  claimants(key: { readonly kind: string; readonly resourceIds: readonly string[] }): Promise<readonly ItemRow[]>;
  /** The items of this kind that hold a key and whose resource it is. */
  ofResource(key: {
    readonly profile: string;
    readonly kind: string;
    readonly resourceId: string;
  }): Promise<readonly ItemRow[]>;
  /**
   * Claims up to `limit` due items that no living worker holds, oldest first, `sending` before the others, and raises
   * their epoch. Claims nothing of a `loading` job, and nothing for a worker without a lease.
   */
  claim(claim: Claim, along?: Pick<Along, 'paces'>): Promise<readonly ItemRow[]>;
  /**
   * One guarded step: false, and nothing written, unless the item still has this worker and epoch. Writes the item's
   * history in the same transaction.
   */
  transition(
    item: { readonly id: string; readonly workerId: string; readonly epoch: number },
    patch: ItemPatch,
    event: TimedStep,
    along?: Along,
  ): Promise<boolean>;
  /**
   * Makes the pending items of this resource due before all others, whoever holds them, and returns them. Writes
   * nothing when there are none.
   */
  wake(about: {
    readonly profile: string;
    readonly resourceId: string;
  }): Promise<readonly Pick<ItemRow, 'id' | 'jobId'>[]>;
  /** The earliest time at which an unclaimed item of the job in `states` is due; `undefined` when there is none. */
  nextDue(jobId: string, states: readonly ItemState[], now: number): Promise<number | undefined>;
  /** The living workers that hold items of the job. */
  holders(jobId: string, now: number): Promise<readonly WorkerRow[]>;
  /**
   * Changes an unclaimed item for a person or `job resume|resolve|cancel`. False when its state is not `from` or a
   * living worker holds it, or when its epoch is another one than `from` has. Throws `job.key_held` when the patch needs the key and another item now holds it. Shuts out
   * the worker that held the item.
   */
  decide(
    itemId: string,
    from: ItemState | Pick<ItemRow, 'state' | 'epoch'>,
    patch: ItemPatch,
    event: TimedStep,
  ): Promise<boolean>;
  /**
   * Adds a new item that replaces `previousId` in the same job and reopens the job; `skipped` when another item now
   * holds the key. Throws `job.item_changed` unless the replaced one is rejected, failed, cancelled or skipped in
   * favour of another item, and not replaced yet.
   */
  replace(jobId: string, item: NewItem & { readonly previousId: string }, at: number): Promise<void>;
  /** The items skipped in favour of one that failed before it was ever sent; their key may be free. */
  strandedIn(jobId: string): Promise<readonly ItemRow[]>;
  events(itemId: string): Promise<readonly ItemEvent[]>;
}

/** A process at work. Its row is its lease: renewing it renews every item that it holds. */
export interface WorkerRow {
  readonly id: string;
  readonly pid: number;
  readonly machine: string;
  /** The process's start time as the system reports it, so that a reused pid is not mistaken for it. */
  readonly processStart: string;
  readonly expiresAt: number;
  /** The job that it writes or works on. */
  readonly jobId?: string;
}

export interface WorkerRows {
  register(worker: WorkerRow): Promise<void>;
  /** False when the lease was taken over. */
  renew(workerId: string, expiresAt: number): Promise<boolean>;
  list(): Promise<readonly WorkerRow[]>;
  /** Removes the worker and releases its items: at a clean end, or when it is known to be dead. */
  remove(workerId: string): Promise<void>;
}

/** What the refusals (429) of a host have taught all processes of the store about its limit (jobs/pace.ts). */
export interface LearnedRate {
  /** When the last refusal was counted; `null`: there was none. */
  readonly refusedAt: number | null;
  /** How many requests had been accepted then. */
  readonly acceptedThen: number;
  /** Measurements in a row that agree. */
  readonly agreeing: number;
  /** Requests per millisecond, as measured; 0 before the second refusal. */
  readonly limitPerMs: number;
}

export interface PaceRow extends LearnedRate {
  readonly blockedUntil: number;
  /** The start of the next free slot while a rate is in force. */
  readonly nextSlotAt: number;
  /** Milliseconds between slots; 0: no rate. */
  readonly intervalMs: number;
  /** Requests that the host accepted, of every process, since its first refusal. */
  readonly accepted: number;
}

export interface HostPace extends PaceRow {
  readonly host: string;
}

/** Slots that a process reserves. */
export interface SlotRequest {
  readonly count: number;
  /** 0: they are not spaced. */
  readonly intervalMs: number;
  /** Requests accepted since its last reservation, to be counted. */
  readonly accepted?: number;
}

/** Whose pace: a profile has one for each host. */
export interface PaceKey {
  readonly profile: string;
  readonly host: string;
}

/** A host whose service asked for a wait. */
export interface BlockedHost {
  readonly host: string;
  readonly blockedUntil: number;
  /** The wait that it asked for, in milliseconds, where less of it is believed. */
  readonly askedMs: number | null;
}

export interface PaceRows {
  get(key: PaceKey): Promise<PaceRow | undefined>;
  /** Reserves slots atomically and returns the start of the first. A block is waited for apart, and moves no slot. */
  reserve(key: PaceKey, slots: SlotRequest, now: number): Promise<number>;
  /** Writes what a refusal taught, unless another process has counted one since `before`. */
  learn(key: PaceKey, before: number | null, learned: LearnedRate): Promise<void>;
  /** Blocks every process until then; never shortens a block. `askedMs`: what the service asked for, when that is longer. */
  block(key: PaceKey, until: number, askedMs?: number): Promise<void>;
  /** The hosts that no request is sent to at that time: blocked, or without a slot for seconds. Spaced captures are none. */
  blocked(profile: string, now: number): Promise<readonly BlockedHost[]>;
  /** Ends the blocks of all hosts, frees their slots, and makes the items due that the service sent away (`sentAway`). Processes that wait look again by themselves. */
  reset(profile: string): Promise<void>;
}

/** With the one who made the call. */
export interface UsageRow extends Actor {
  readonly at: number;
  readonly profile: string;
  readonly operation: string;
  readonly billed: Exclude<Billing, null>;
  /**
   * `unknown`: the call was sent and its outcome is unknown. `repeat`: billed once, and this machine has made it
   * before.
   */
  readonly outcome: 'billed' | 'unknown' | 'repeat';
  readonly companyId?: string;
  /** What the service bills only once, such as an access key. */
  readonly billedOnceFor?: string;
  readonly jobId?: string;
  readonly itemId?: string;
  readonly requestId?: string;
}

/** A billed call that is about to be sent; the store names the one who opened it. */
export type NewUsage = Omit<UsageRow, keyof Actor | 'outcome' | 'requestId'>;

/** A limit on the calls of a company, or on those for none, from `since` until before `until`. */
export interface UsageLimit {
  readonly since: number;
  readonly until: number;
  /** Whether one more call fits beside these, which are counted by day, operation and outcome. */
  allows(counts: readonly CountedCalls[]): boolean;
}

/** What the price of calls depends on. */
export type CountedCalls = Pick<UsageCount, 'at' | 'operation' | 'billed' | 'outcome' | 'calls'>;

/** Calls of one day that differ in their time alone. */
export type UsageCount = Pick<
  UsageRow,
  'profile' | 'operation' | 'billed' | 'outcome' | 'companyId' | 'machine' | 'user'
> & {
  /** The midnight in Brasília that begins the day. */
  readonly at: number;
  readonly calls: number;
};

export interface UsageRows {
  /** Calls by day, in no order; `until` is excluded. */
  counts(filter: {
    readonly since: number;
    readonly until?: number;
    readonly profile?: string;
    readonly companyIds?: readonly string[];
  }): Promise<readonly UsageCount[]>;
  /**
   * Stores a call before it is sent, as one of unknown outcome, and returns the number of its row. `undefined`: the limit does not
   * allow it, and nothing is stored. Calls of one company are counted one after another, whoever makes them.
   */
  reserve(row: NewUsage, limit?: UsageLimit): Promise<number | undefined>;
  /**
   * Stores what came of a call that was reserved, and returns it: `repeat` where a call that is billed once was billed before.
   * The row of a call that is not billed goes.
   */
  settle(
    row: number,
    end: { readonly outcome: Exclude<Billed, 'repeat'>; readonly requestId?: string },
  ): Promise<Billed>;
  list(filter: {
    readonly profile?: string;
    readonly companyIds?: readonly string[];
    readonly since?: number;
    readonly limit?: number;
  }): Promise<readonly UsageRow[]>;
}

/** With the one who sent it. */
export interface HistoryRow extends Actor {
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
  /** What the service announced about the operation. */
  readonly deprecation?: Deprecation | undefined;
}

/** A request to be recorded; the store names the one who opened it. */
export type NewHistory = Omit<HistoryRow, keyof Actor>;

export interface HistoryRows {
  add(...rows: readonly NewHistory[]): Promise<void>;
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

/** The same as it is stored: the first time is kept. */
export type SeenRow = Omit<KnownRow, 'firstSeenAt'>;

export interface KnownRows {
  /** Keeps the `firstSeenAt` of an earlier row. `durable: false` for a row that can be read from the service again. */
  put(row: SeenRow, options?: { readonly durable: boolean }): Promise<void>;
  /** All of them or none. */
  putAll(rows: readonly SeenRow[]): Promise<void>;
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
  /** Those with one of these labels, newest first. */
  labelled(filter: {
    readonly profile: string;
    readonly kind: string;
    readonly labels: readonly string[];
  }): Promise<readonly KnownRow[]>;
  /** The profiles, in order, that have one of these rows. Reads every row where there are many of other kinds. */
  profilesWith(rows: {
    readonly kind: string;
    readonly scope: string;
    readonly ids: readonly string[];
  }): Promise<readonly string[]>;
}
