import type { Text } from '../contract/text.js';
import { momentInWords } from '../domain/dates.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { noItems } from '../store/jobs.js';
import { longWait } from '../client/long-wait.js';
import type { ItemCounts, ItemRow, ItemState, JobRow, Store } from '../store/store.js';
import {
  type EngineDependencies,
  endsRun,
  type JobProgress,
  type JobResult,
  type RunOptions,
  type StopReason,
} from './engine.js';
import { type ReadPaces, readingPaces } from './around-call.js';
import type { AnswerJournal } from './answer-journal.js';
import { BilledCalls } from './billed-calls.js';
import { Health } from './health.js';
import type { RunnableKind } from './kind.js';
import { heldBy, requireWhole, replaceStranded } from './manage.js';
import { leaseInWords, leaseLostOf, removeDeadWorkers, type Lease } from './lease.js';
import { LeasedRunner } from './leased-runner.js';
import { longestPause } from './decide.js';
import { noteSender, type Sender, senderOf } from './senders.js';
import { step } from './step.js';
import type { StepDependencies, Stepped, StepResult } from './claimed-item.js';
import type { Clock } from '../domain/world.js';

const OTHERS_CHECK_MS = 200;
const UNTAKEN_PAUSE_MS = 20;
/** How often to check for changes made by other processes. */
const LOOK_EVERY_MS = 1_000;

/** One process working on one job: claims items, works on `concurrency` of them at once, and stops cleanly. */
export class JobRun {
  readonly #dependencies: EngineDependencies;
  readonly #jobId: string;
  readonly #options: RunOptions;
  readonly #startedAt: number;
  /** The item states that this run works on. */
  readonly #states: readonly ItemState[];
  readonly #tally: Tally;
  readonly #health: Health;
  readonly #billedCalls: BilledCalls;
  #sends = 0;
  #isAnnounced = false;
  /** Before anything is sent. */
  #sender: Sender = { isNew: false, others: [] };
  #noted: Promise<void> | undefined;
  /** When this run had nothing left to do but wait for other processes. */
  #waitingSince: number | undefined;
  /** Items that were sent and whose response could not be stored. */
  readonly #unwritten = new Set<string>();
  /** Those whose answer is kept on this machine, because the store did not take it. */
  readonly #kept = new Set<string>();
  readonly #runner: LeasedRunner;
  #stop: { readonly reason: StopReason; readonly error?: FiscalError } | undefined;

  constructor(dependencies: EngineDependencies, jobId: string, options: RunOptions) {
    this.#dependencies = dependencies;
    this.#jobId = jobId;
    this.#options = options;
    this.#startedAt = dependencies.clock.now();
    this.#states = options.wait ? ['sending', 'prepared', 'pending'] : ['sending', 'prepared'];
    this.#runner = new LeasedRunner({ ...dependencies, jobId });
    this.#tally = new Tally(dependencies.store, jobId, options.onProgress);
    this.#billedCalls = new BilledCalls(options.maxBillable ?? Number.POSITIVE_INFINITY);
    this.#health = new Health(this.#startedAt, options.maxRetryWaitMs);
  }

  async run(kind: RunnableKind): Promise<JobResult> {
    await requireWhole(this.#dependencies, this.#jobId);
    await this.#tally.load();
    const job = await this.#dependencies.store.jobs.get(this.#jobId);
    if (job === undefined) throw new FiscalError('job.not_found', { id: this.#jobId });
    this.#sender = await senderOf(this.#dependencies.store, job);
    if (this.#lacksSends() && kind.replay !== 'safe') await this.#options.onNewStore?.(kind.replay, this.#sender);
    const { signal } = this.#options;
    const interrupted = (): void => {
      if (this.#runner.inFlight > 0) this.#options.onInterrupted?.(this.#runner.inFlight);
    };
    signal.addEventListener('abort', interrupted, { once: true });
    // From here on, however the run ends, it reports what was done before.
    await this.#runner
      .underLease(signal, { work: (lease) => this.#work(kind, lease) })
      .catch((error: unknown) => this.#runner.fail(error))
      .finally(() => signal.removeEventListener('abort', interrupted));
    return await this.#result(job);
  }

  #lacksSends(): boolean {
    const { lostRows, wentBack } = this.#dependencies.store.identity;
    const { isNew, others } = this.#sender;
    return isNew || others.length > 0 || lostRows || wentBack !== undefined;
  }

  async #work(kind: RunnableKind, lease: Lease): Promise<void> {
    await this.#options.onBegun?.();
    const { concurrency } = this.#options;
    const states = this.#states;
    const { store, clock } = this.#dependencies;
    const jobId = this.#jobId;
    const queue = new ItemQueue({ store, clock, workerId: lease.workerId, jobId, states, batch: concurrency * 2 });
    try {
      await this.#workOn(queue, kind, lease);
    } finally {
      await queue.settle();
    }
  }

  async #workOn(queue: ItemQueue, kind: RunnableKind, lease: Lease): Promise<void> {
    const { concurrency } = this.#options;
    const { clock } = this.#dependencies;
    const jobId = this.#jobId;
    const dependencies = this.#stepDependencies(kind, lease);
    // A failure ends the first launch; before that, nobody may be waiting for it.
    dependencies.catch(() => undefined);
    while (!this.#mustStop(lease)) {
      const isFull = this.#runner.inFlight >= concurrency;
      const claimed = isFull ? undefined : await queue.take();
      if (claimed !== undefined) {
        this.#waitingSince = undefined;
        this.#launch(await dependencies, claimed, queue);
      } else if (isFull) {
        await this.#sleepUntil();
      } else if (this.#runner.inFlight > 0) {
        await this.#sleepUntil(queue.wakeAt);
      } else if (queue.wakeAt !== undefined) {
        // Items that are due but could not be claimed wait for this process's lease, which another timer renews.
        const wakeAt = Math.max(queue.wakeAt, clock.now() + UNTAKEN_PAUSE_MS);
        if (!(await this.#isHeldBackTooLong())) await this.#sleepAndLook(queue, wakeAt);
      } else if (await this.#othersAreDone()) {
        if (this.#stop !== undefined || !(await replaceStranded(this.#dependencies, jobId, kind))) break;
        await this.#tally.load();
        await queue.look();
      } else {
        await queue.look();
      }
    }
  }

  async #stepDependencies(kind: RunnableKind, lease: Lease): Promise<StepDependencies> {
    const { store, clock, random, sends } = this.#dependencies;
    const { wait, intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, signal } = this.#options;
    const settleMs = this.#options.settleMs ?? kind.settleMs ?? 0;
    const job = await store.jobs.get(this.#jobId);
    const profile = job?.profile ?? '';
    const run = { store, clock, random, kind, lease, profile, jobId: this.#jobId };
    const limits = { wait, intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, settleMs, signal };
    return {
      ...run,
      ...limits,
      client: await this.#dependencies.client(),
      ...this.#countingJournal(),
      ...(sends === undefined ? {} : { sends }),
      billedCalls: this.#billedCalls,
      lists: new Map(),
      sending: () => undefined,
      noteSender: (at) =>
        (this.#noted ??= noteSender(store, { profile, scope: job?.scope ?? {}, at }).catch((error: unknown) => {
          this.#noted = undefined;
          throw error;
        })),
      sendingWithoutLookup: async (reason) => {
        if (this.#isAnnounced) return;
        this.#isAnnounced = true;
        await this.#options.onSendWithoutLookup?.(reason);
      },
    };
  }

  #countingJournal(): Pick<StepDependencies, 'journal'> {
    const { journal } = this.#dependencies;
    if (journal === undefined) return {};
    const keep: AnswerJournal['keep'] = async (answer) => {
      const forget = await journal.keep(answer);
      this.#kept.add(answer.itemId);
      return async () => {
        await forget();
        this.#kept.delete(answer.itemId);
      };
    };
    return { journal: { keep } };
  }

  #launch(dependencies: StepDependencies, { item, read }: ClaimedRow, queue: ItemQueue): void {
    let wasSent = false;
    const sending = (): void => {
      if (!wasSent) this.#sends += 1;
      wasSent = true;
    };
    this.#runner.launch(async () => {
      const result = await step({ ...dependencies, sending }, item, read)
        .catch((error: unknown) => {
          if (wasSent) this.#unwritten.add(item.id);
          throw error;
        })
        .finally(() => (wasSent ? undefined : this.#kept.delete(item.id)));
      this.#took(item, result, queue);
      if (result.stop !== 'lease-lost' && !this.#states.includes(result.to))
        await this.#options.onEnded?.(result.item, result.answer);
    });
  }

  #took(item: ItemRow, result: Stepped, queue: ItemQueue): void {
    const { clock } = this.#dependencies;
    if (result.seen !== undefined) this.#options.onSeen?.(item, result.seen);
    if (result.stop !== 'lease-lost') this.#options.onStored?.(result.item);
    if (result.isUnnamed === true) this.#options.onUnnamed?.(item);
    this.#tally.move(item.state, result.to);
    if (result.answered) this.#health.answered(clock.now(), result.error);
    if (result.dueAt !== undefined) queue.expect(result.dueAt);
    if (result.stop === 'lease-lost') {
      this.#stop ??= { reason: 'held', error: leaseLostOf(this.#jobId) };
    } else if (result.stop !== undefined) {
      this.#stop ??= { reason: result.stop, ...(result.error === undefined ? {} : { error: result.error }) };
    }
    if (result.error !== undefined) this.#considerStopping(item, result, result.error);
  }

  #considerStopping(item: ItemRow, result: StepResult, error: FiscalError): void {
    if (this.#health.isGivenUp(this.#dependencies.clock.now())) this.#stop ??= { reason: 'unavailable', error };
    const isFailure = result.to === 'failed' || result.to === 'rejected';
    if (!isFailure || item.state === result.to) return;
    if (this.#options.onError === 'stop') this.#stop ??= { reason: 'stopped', error };
    const limit = this.#options.maxFailures;
    if (limit !== undefined && this.#tally.failures >= limit) this.#stop ??= { reason: 'failure-limit' };
  }

  #mustStop(lease: Lease): boolean {
    if (lease.lost.aborted) this.#lose(lease.lost.reason);
    if (this.#runner.failure !== undefined || this.#stop !== undefined) return true;
    if (this.#options.signal.aborted) return true;
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined || this.#dependencies.clock.now() < this.#startedAt + timeoutMs) return false;
    this.#stop = { reason: 'timeout' };
    return true;
  }

  /** Whichever notices a take-over first, the renewal of the lease or the write of an answer, the run ends in one way. */
  #lose(reason: unknown): void {
    const isTaken = reason instanceof FiscalError && reason.code === 'job.lease_lost';
    if (isTaken) this.#stop ??= { reason: 'held', error: reason };
    else this.#runner.fail(reason);
  }

  /** An earlier run may have stored a retry time that this run will not wait for. */
  async #isHeldBackTooLong(): Promise<boolean> {
    const { store, clock } = this.#dependencies;
    const now = clock.now();
    const dueAt = await store.items.nextDue(this.#jobId, ['sending', 'prepared'], now);
    if (dueAt === undefined || dueAt - now <= longestPause(this.#options)) return false;
    this.#stop ??= { reason: 'rate-limited', error: await this.#heldBack({ waitMs: dueAt - now, now }) };
    return true;
  }

  /** Items that were sent wait to be looked up; the others wait because the service or the network delayed them. */
  async #heldBack(wait: { readonly waitMs: number; readonly now: number }): Promise<FiscalError> {
    const facts = { sent: 'no', retryable: true } as const;
    const sent = await this.#dependencies.store.items.list(this.#jobId, { states: ['sending'], limit: 1 });
    if (sent.length === 0) return longWait('service.rate_limited', wait, facts);
    return longWait('job.looks_later', wait, { ...facts, sent: 'unknown' });
  }

  /**
   * Sleeps until an item in flight finishes, the run is interrupted, or the given time or the run's own limit is
   * reached.
   */
  async #sleepUntil(time = Number.POSITIVE_INFINITY, awaited?: Text): Promise<void> {
    const deadline = this.#startedAt + (this.#options.timeoutMs ?? Number.POSITIVE_INFINITY);
    await this.#runner.news.sleepUntilNotified(Math.min(time, deadline), awaited);
  }

  /** A webhook listener may learn first that an item has finished, and `fiscal job resume --end-waits` ends waits. */
  async #sleepAndLook(queue: ItemQueue, time: number): Promise<void> {
    const lookAt = this.#dependencies.clock.now() + LOOK_EVERY_MS;
    const isLong = time > lookAt;
    await this.#sleepUntil(isLong ? lookAt : time, dueIn(time));
    if (isLong) await queue.look();
  }

  /** True when no living process works on this job any more. Otherwise waits briefly, up to `lockWaitMs` since it last had work. */
  async #othersAreDone(): Promise<boolean> {
    const { store, clock, machine } = this.#dependencies;
    await removeDeadWorkers(store, machine);
    const holders = await store.items.holders(this.#jobId, clock.now());
    const holder = holders[0];
    if (holder === undefined) return !(await this.#somethingIsLeft(store));
    this.#waitingSince ??= clock.now();
    if (clock.now() - this.#waitingSince >= this.#options.lockWaitMs) {
      this.#stop = { reason: 'held', error: heldBy(this.#jobId, holder) };
      return true;
    }
    await this.#sleepUntil(clock.now() + OTHERS_CHECK_MS, leaseInWords(holder));
    return false;
  }

  /** Another process may have returned an item since the last claim. */
  async #somethingIsLeft(store: Store): Promise<boolean> {
    return (await store.items.nextDue(this.#jobId, this.#states, this.#dependencies.clock.now())) !== undefined;
  }

  /**
   * When the store fails after the first send, the error says how to resume the job and how many items may exist at the
   * service.
   */
  #storeFailure(error: FiscalError): FiscalError {
    if (this.#sends === 0) return error;
    const kept = this.#kept.size;
    const unknown = [...this.#unwritten].filter((id) => !this.#kept.has(id)).length;
    const values = { sent: this.#sends, unknown, reason: error.text };
    const facts = { sent: unknown > 0 ? 'unknown' : 'yes', retryable: true } as const;
    return kept === 0
      ? new FiscalError('job.store_failed', values, facts)
      : new FiscalError('job.answers_kept', { ...values, kept }, facts);
  }

  /** `begun`: the job as it was before. A store that fails now leaves what this run has counted. */
  async #result(begun: JobRow): Promise<JobResult> {
    const { clock } = this.#dependencies;
    const stored = await this.#stored(begun).catch((error: unknown) => this.#runner.fail(error));
    const { job, counts, withoutLookup } = stored ?? { job: begun, counts: this.#tally.counts, withoutLookup: 0 };
    const { reason, error } = this.#ending(counts);
    return {
      job,
      counts,
      finished: this.#tally.finished,
      stopped: reason,
      elapsedMs: clock.now() - this.#startedAt,
      newStore: this.#lacksSends(),
      withoutLookup,
      billed: this.#billedCalls.counts,
      ...(error === undefined ? {} : { error: endsRun(reason) ? withJob(error, job) : error }),
    };
  }

  /** Reads the end of the job, and marks one in which nothing is left as done. */
  async #stored(begun: JobRow) {
    const { store, clock } = this.#dependencies;
    const counts = await this.#tally.load();
    const job = (await store.jobs.get(begun.id)) ?? begun;
    const withoutLookup = await store.jobs.withoutLookup(begun.id);
    const isOver = leftOf(counts) === 0 && job.state === 'open' && this.#runner.failure === undefined;
    if (!isOver) return { job, counts, withoutLookup };
    await store.jobs.setState(begun.id, 'done', clock.now());
    return { job: (await store.jobs.get(begun.id)) ?? job, counts, withoutLookup };
  }

  /** Why the run has ended. Throws a defect. */
  #ending(counts: ItemCounts): { readonly reason: StopReason; readonly error?: FiscalError } {
    const { signal } = this.#options;
    const interruption: unknown = signal.reason;
    const failure =
      this.#runner.failure ?? (signal.aborted && leftOf(counts) > 0 ? { error: interruption } : undefined);
    if (failure === undefined) return this.#stop ?? { reason: counts.pending > 0 ? 'sent' : 'complete' };
    const { error } = failure;
    if (!(error instanceof FiscalError)) throw error;
    if (error.code === 'job.interrupted') return { reason: 'interrupted', error };
    if (!error.code.startsWith('store.')) return { reason: 'error', error };
    return { reason: 'store-failed', error: this.#storeFailure(error) };
  }
}

function leftOf({ prepared, sending, pending, uncertain }: ItemCounts): number {
  return prepared + sending + pending + uncertain;
}

function dueIn(time: number): Text {
  const at = momentInWords(time);
  return { en: `items that are due at ${at.en}`, pt: `itens que vencem em ${at.pt}` };
}

function withJob(error: FiscalError, { id, commandLine }: JobRow): FiscalError {
  return error.with({ jobId: id, resume: commandLine });
}

interface ItemQueueDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly jobId: string;
  readonly states: readonly ItemState[];
  readonly batch: number;
}

/** An item that this process holds, with what its claim has read. */
interface ClaimedRow {
  readonly item: ItemRow;
  readonly read?: ReadPaces;
}

/**
 * Claims the due items of one job in small batches, so that memory does not grow with the job, and the next ones while some are
 * left, so that nobody waits for them.
 */
class ItemQueue {
  readonly #dependencies: ItemQueueDependencies;
  readonly #claimed: ClaimedRow[] = [];
  /** Nothing is due before this time, as far as this process knows. */
  #quietUntil = 0;
  #claiming: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(dependencies: ItemQueueDependencies) {
    this.#dependencies = dependencies;
  }

  /** The next item to work on; `undefined` when nothing is due. */
  async take(): Promise<ClaimedRow | undefined> {
    const { clock, batch } = this.#dependencies;
    const isLow = this.#failure === undefined && this.#claimed.length <= batch / 2;
    if (isLow && clock.now() >= this.#quietUntil) this.#claiming ??= this.#claim();
    if (this.#claimed.length === 0) await this.#claiming;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#claimed.shift();
  }

  /** Resolves when no claim is under way: what it took is released with the lease. */
  async settle(): Promise<void> {
    await this.#claiming;
  }

  async #claim(): Promise<void> {
    const { store, clock, workerId, jobId, states, batch } = this.#dependencies;
    let read: ReadPaces | undefined;
    // Only a pending item is asked for without a write before.
    const reading = states.includes('pending') ? readingPaces(clock, (paces) => (read = paces)) : {};
    try {
      const items = await store.items.claim({ workerId, jobId, limit: batch, now: clock.now(), states }, reading);
      this.#claimed.push(...items.map((item) => (read === undefined ? { item } : { item, read })));
      // A claim locks the store for others: after one that took all that was due, the next waits until something is.
      if (items.length < batch) await this.look();
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#claiming = undefined;
    }
  }

  /** When `take` may next return an item; `undefined`: never, unless `expect` is called. */
  get wakeAt(): number | undefined {
    return Number.isFinite(this.#quietUntil) ? this.#quietUntil : undefined;
  }

  /** An item was returned to the queue, due at `dueAt`. */
  expect(dueAt: number): void {
    this.#quietUntil = Math.min(this.#quietUntil, dueAt);
  }

  /** Another process may have finished an item, left one, or made one due. */
  async look(): Promise<void> {
    const { store, clock, jobId, states } = this.#dependencies;
    // What is expected meanwhile counts as well.
    this.#quietUntil = Number.POSITIVE_INFINITY;
    const dueAt = await store.items.nextDue(jobId, states, clock.now());
    if (dueAt !== undefined) this.expect(dueAt);
  }
}

/** The progress of a job: counted during the run, and read from the store at its start and end. */
class Tally {
  readonly #store: Store;
  readonly #jobId: string;
  readonly #report: ((progress: JobProgress) => void) | undefined;
  #counts: Record<ItemState, number> = { ...noItems };
  /** Items that ended in this run. */
  finished = 0;
  /** Those among them that failed or were rejected. */
  failures = 0;

  constructor(store: Store, jobId: string, report: ((progress: JobProgress) => void) | undefined) {
    this.#store = store;
    this.#jobId = jobId;
    this.#report = report;
  }

  async load(): Promise<ItemCounts> {
    this.#counts = { ...(await this.#store.jobs.counts(this.#jobId)) };
    this.#tell();
    return this.#counts;
  }

  /** As this run knows them. */
  get counts(): ItemCounts {
    return this.#counts;
  }

  move(from: ItemState, to: ItemState): void {
    if (from === to) return;
    this.#counts[from] -= 1;
    this.#counts[to] += 1;
    if (isOpen(from) && !isOpen(to)) this.finished += 1;
    if (to === 'failed' || to === 'rejected') this.failures += 1;
    this.#tell();
  }

  #tell(): void {
    if (this.#report === undefined) return;
    const counts = { ...this.#counts };
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    this.#report({ counts, total, finished: total - openIn(counts) });
  }
}

const unfinished = ['prepared', 'sending', 'pending'] as const;

const isOpen = (state: ItemState): boolean => unfinished.some((open) => open === state);

const openIn = (counts: ItemCounts): number => unfinished.reduce((sum, state) => sum + counts[state], 0);
