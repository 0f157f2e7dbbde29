import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemRow, ItemState, Store } from '../store/store.js';
import type { EngineDependencies, JobResult, RunOptions, StopReason } from './engine.js';
import { BilledCalls } from './billed-calls.js';
import { Health, Tally } from './progress.js';
import type { RunnableKind } from './kind.js';
import { heldBy, requireWhole, takeUpStranded } from './manage.js';
import { removeDeadWorkers, type Lease } from './lease.js';
import { LeasedRunner } from './leased-runner.js';
import { longestPause } from './decide.js';
import { step } from './step.js';
import { rateLimited, type StepDependencies, type StepResult } from './item-writes.js';
import type { Clock } from '../domain/world.js';

const OTHERS_CHECK_MS = 200;
const UNTAKEN_PAUSE_MS = 20;
/** How long news that another process has of a pending item may stay unseen by this one. */
const LOOK_EVERY_MS = 1_000;

/** One run of one process on one job: claims, works on `concurrency` items at once, stops cleanly. */
export class JobRun {
  readonly #parts: EngineDependencies;
  readonly #jobId: string;
  readonly #options: RunOptions;
  readonly #startedAt: number;
  /** What is work in this run. */
  readonly #states: readonly ItemState[];
  readonly #tally: Tally;
  readonly #health: Health;
  readonly #billedCalls: BilledCalls;
  #sends = 0;
  #saidUnlooked = false;
  /** Sends whose answer could not be written down. */
  #unwritten = 0;
  readonly #runner: LeasedRunner;
  #stop: { readonly reason: StopReason; readonly error?: FiscalError } | undefined;

  constructor(parts: EngineDependencies, jobId: string, options: RunOptions) {
    this.#parts = parts;
    this.#jobId = jobId;
    this.#options = options;
    this.#startedAt = parts.clock.now();
    this.#states = options.wait ? ['sending', 'prepared', 'pending'] : ['sending', 'prepared'];
    this.#runner = new LeasedRunner({ ...parts, jobId });
    this.#tally = new Tally(parts.store, jobId, options.onProgress);
    this.#billedCalls = new BilledCalls(options.maxBillable ?? Number.POSITIVE_INFINITY);
    this.#health = new Health(this.#startedAt, options.maxRetryWaitMs);
  }

  async run(kind: RunnableKind): Promise<JobResult> {
    await requireWhole(this.#parts, this.#jobId);
    await this.#tally.load();
    if (this.#isNewStore() && kind.replay !== 'safe') await this.#options.onNewStore?.(kind.replay);
    // From here on no fault of the store may hide what was sent before it.
    await this.#runner.underLease(this.#options.signal, { work: (lease) => this.#work(kind, lease) });
    return await this.#result().catch(async (error: unknown) => {
      throw await this.#fatalError(error);
    });
  }

  #isNewStore(): boolean {
    const { isNew, lostRows } = this.#parts.store.identity;
    return isNew || lostRows;
  }

  async #work(kind: RunnableKind, lease: Lease): Promise<void> {
    const { concurrency } = this.#options;
    const states = this.#states;
    const { store, clock } = this.#parts;
    const jobId = this.#jobId;
    const queue = new ItemQueue({
      store,
      clock,
      workerId: lease.workerId,
      jobId,
      states,
      batch: concurrency * 2,
    });
    const parts = this.#stepParts(kind, lease);
    while (!this.#mustStop(lease)) {
      const isFull = this.#runner.inFlight >= concurrency;
      const item = isFull ? undefined : await queue.take();
      if (item !== undefined) {
        this.#launch(await parts, item, queue);
      } else if (isFull) {
        await this.#sleepUntil();
      } else if (this.#runner.inFlight > 0) {
        await this.#sleepUntil(queue.wakeAt);
      } else if (queue.wakeAt !== undefined) {
        // What is due and could not be taken waits for the lease of this very process, which is renewed by another timer.
        const wakeAt = Math.max(queue.wakeAt, clock.now() + UNTAKEN_PAUSE_MS);
        if (!(await this.#isHeldBackTooLong())) await this.#sleepAndLook(queue, wakeAt);
      } else if (await this.#othersAreDone()) {
        if (this.#stop !== undefined || !(await takeUpStranded(this.#parts, jobId, kind))) break;
        await this.#tally.load();
        queue.refresh();
      } else {
        queue.refresh();
      }
    }
  }

  async #stepParts(kind: RunnableKind, lease: Lease): Promise<StepDependencies> {
    const { store, clock, random } = this.#parts;
    const { wait, intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, signal } = this.#options;
    const settleMs = this.#options.settleMs ?? kind.settleMs ?? 0;
    const job = await store.jobs.get(this.#jobId);
    const profile = job?.profile ?? '';
    const run = { store, clock, random, kind, lease, profile, jobId: this.#jobId };
    const limits = { wait, intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, settleMs, signal };
    return {
      ...run,
      ...limits,
      client: await this.#parts.client(),
      billedCalls: this.#billedCalls,
      lists: new Map(),
      sending: () => undefined,
      sendingUnlooked: async (reason) => {
        if (this.#saidUnlooked) return;
        this.#saidUnlooked = true;
        await this.#options.onUnlooked?.(reason);
      },
    };
  }

  #launch(parts: StepDependencies, item: ItemRow, queue: ItemQueue): void {
    let wasSent = false;
    const sending = (): void => {
      wasSent = true;
      this.#sends += 1;
    };
    this.#runner.launch(async () => {
      const result = await step({ ...parts, sending }, item).catch((error: unknown) => {
        if (wasSent) this.#unwritten += 1;
        throw error;
      });
      this.#took(item, result, queue);
    });
  }

  #took(item: ItemRow, result: StepResult, queue: ItemQueue): void {
    const { clock } = this.#parts;
    if (result.seen !== undefined) this.#options.onSeen?.(item, result.seen);
    this.#tally.move(item.state, result.to);
    if (result.answered) this.#health.answered(clock.now(), result.error);
    if (result.dueAt !== undefined) queue.expect(result.dueAt);
    if (result.stop === 'lease-lost') {
      this.#stop ??= { reason: 'held', error: new FiscalError('job.lease_lost', { id: this.#jobId }) };
    } else if (result.stop !== undefined) {
      this.#stop ??= { reason: result.stop, ...(result.error === undefined ? {} : { error: result.error }) };
    }
    if (result.error !== undefined) this.#considerStopping(item, result, result.error);
  }

  #considerStopping(item: ItemRow, result: StepResult, error: FiscalError): void {
    if (this.#health.isGivenUp(this.#parts.clock.now())) this.#stop ??= { reason: 'unavailable', error };
    const isFailure = result.to === 'failed' || result.to === 'rejected';
    if (!isFailure || item.state === result.to) return;
    if (this.#options.onError === 'stop') this.#stop ??= { reason: 'stopped', error };
    const limit = this.#options.maxFailures;
    if (limit !== undefined && this.#tally.failures >= limit) this.#stop ??= { reason: 'failure-limit' };
  }

  #mustStop(lease: Lease): boolean {
    if (this.#runner.failure !== undefined || this.#stop !== undefined) return true;
    if (this.#options.signal.aborted) return true;
    if (lease.lost.aborted) {
      this.#runner.fail(lease.lost.reason);
      return true;
    }
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined || this.#parts.clock.now() < this.#startedAt + timeoutMs) return false;
    this.#stop = { reason: 'timeout' };
    return true;
  }

  /** An earlier run may have been told to come back at a time that this one does not wait for. */
  async #isHeldBackTooLong(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const dueAt = await store.items.nextDue(this.#jobId, ['sending', 'prepared'], now);
    if (dueAt === undefined || dueAt - now <= longestPause(this.#options)) return false;
    this.#stop ??= { reason: 'rate-limited', error: await this.#heldBack(dueAt - now) };
    return true;
  }

  /** What was sent waits to be looked up; what was not, waits because the service, or the network, asked for it. */
  async #heldBack(waitMs: number): Promise<FiscalError> {
    const facts = { sent: 'no', retryable: true } as const;
    const sent = await this.#parts.store.items.list(this.#jobId, { states: ['sending'], limit: 1 });
    if (sent.length === 0) return rateLimited(waitMs, facts);
    const seconds = Math.ceil(waitMs / 1000);
    return new FiscalError(
      'job.looks_later',
      { seconds },
      { ...facts, sent: 'unknown', retryAfterSeconds: seconds },
    );
  }

  /** Sleeps until an item in flight ends, the run is interrupted, or the time, or the run's own, is up. */
  async #sleepUntil(time = Number.POSITIVE_INFINITY): Promise<void> {
    const deadline = this.#startedAt + (this.#options.timeoutMs ?? Number.POSITIVE_INFINITY);
    await this.#runner.news.sleepUntilNotified(Math.min(time, deadline));
  }

  /** A listener for webhooks hears first that something has ended. */
  async #sleepAndLook(queue: ItemQueue, time: number): Promise<void> {
    const lookAt = this.#parts.clock.now() + LOOK_EVERY_MS;
    const isLong = this.#options.wait && time > lookAt;
    await this.#sleepUntil(isLong ? lookAt : time);
    if (isLong) await queue.look();
  }

  /** True when no living process works on this job any more; otherwise waits a little, at most `lockWaitMs` in all. */
  async #othersAreDone(): Promise<boolean> {
    const { store, clock, machine } = this.#parts;
    await removeDeadWorkers(store, machine);
    const holders = await store.items.holders(this.#jobId, clock.now());
    const holder = holders[0];
    if (holder === undefined) return !(await this.#somethingIsLeft(store));
    if (clock.now() - this.#startedAt >= this.#options.lockWaitMs) {
      this.#stop = { reason: 'held', error: heldBy(this.#jobId, holder) };
      return true;
    }
    await this.#sleepUntil(clock.now() + OTHERS_CHECK_MS);
    return false;
  }

  /** Between the last claim and now another process may have given something back. */
  async #somethingIsLeft(store: Store): Promise<boolean> {
    return (await store.items.nextDue(this.#jobId, this.#states, this.#parts.clock.now())) !== undefined;
  }

  /** A store that fails after the first send leaves a job that goes on, and says what of it may exist. */
  async #fatalError(error: unknown): Promise<unknown> {
    const job = await orNothing(this.#parts.store.jobs.get(this.#jobId));
    const resume = job?.commandLine ?? `fiscal job resume ${this.#jobId}`;
    const isOfTheStore = error instanceof FiscalError && error.code.startsWith('store.');
    if (!isOfTheStore || this.#sends === 0) return withJob(error, this.#jobId, resume);
    const values = { sent: this.#sends, unknown: this.#unwritten, reason: error.text };
    const facts = { sent: this.#unwritten > 0 ? 'unknown' : 'yes', retryable: true } as const;
    return withJob(new FiscalError('job.store_failed', values, facts), this.#jobId, resume);
  }

  async #result(): Promise<JobResult> {
    const { store, clock } = this.#parts;
    if (this.#runner.failure !== undefined) throw this.#runner.failure.error;
    const counts = await this.#tally.load();
    const left = counts.prepared + counts.sending + counts.pending + counts.uncertain;
    const before = await store.jobs.get(this.#jobId);
    if (left === 0 && before?.state === 'open') await store.jobs.setState(this.#jobId, 'done', clock.now());
    const job = await store.jobs.get(this.#jobId);
    if (job === undefined) throw new FiscalError('job.not_found', { id: this.#jobId });
    if (this.#options.signal.aborted && left > 0) {
      throw withJob(this.#options.signal.reason, job.id, job.commandLine);
    }
    const { reason, error } = this.#stop ?? { reason: counts.pending > 0 ? 'sent' : 'complete' };
    const elapsedMs = clock.now() - this.#startedAt;
    const base = {
      job,
      counts,
      stopped: reason,
      elapsedMs,
      newStore: this.#isNewStore(),
      unlooked: await store.jobs.unlooked(job.id),
      billed: this.#billedCalls.counts,
    };
    return error === undefined ? base : { ...base, error };
  }
}

/** What a store answers, or nothing where it fails as well. */
async function orNothing<Result>(work: Promise<Result | undefined>): Promise<Result | undefined> {
  return await work.catch(() => undefined);
}

function withJob(error: unknown, jobId: string, commandLine: string): unknown {
  return error instanceof FiscalError ? error.with({ jobId, resume: commandLine }) : error;
}

interface ItemQueueDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly jobId: string;
  readonly states: readonly ItemState[];
  readonly batch: number;
}

/** Hands out due items of one job, claimed in small batches; memory stays flat whatever the job's size. */
class ItemQueue {
  readonly #parts: ItemQueueDependencies;
  readonly #claimed: ItemRow[] = [];
  /** Nothing is due before this time, as far as this process knows. */
  #quietUntil = 0;

  constructor(parts: ItemQueueDependencies) {
    this.#parts = parts;
  }

  /** The next item to work on, or `undefined` when nothing is due now. */
  async take(): Promise<ItemRow | undefined> {
    const ready = this.#claimed.shift();
    if (ready !== undefined) return ready;
    const { store, clock, workerId, jobId, states, batch } = this.#parts;
    const now = clock.now();
    if (now < this.#quietUntil) return undefined;
    this.#claimed.push(...(await store.items.claim({ workerId, jobId, limit: batch, now, states })));
    const first = this.#claimed.shift();
    if (first === undefined) this.#quietUntil = (await this.#nextDue(now)) ?? Number.POSITIVE_INFINITY;
    return first;
  }

  /** When `take` may find something again; `undefined`: never, unless `expect` is called. */
  get wakeAt(): number | undefined {
    return Number.isFinite(this.#quietUntil) ? this.#quietUntil : undefined;
  }

  /** An item was given back and wants attention at `dueAt`. */
  expect(dueAt: number): void {
    this.#quietUntil = Math.min(this.#quietUntil, dueAt);
  }

  /** Look again at once: others may have left work behind. */
  refresh(): void {
    this.#quietUntil = 0;
  }

  /** Another process may have settled, or made due, what this one waits for. */
  async look(): Promise<void> {
    const dueAt = await this.#nextDue(this.#parts.clock.now());
    this.#quietUntil = dueAt ?? Number.POSITIVE_INFINITY;
  }

  async #nextDue(now: number): Promise<number | undefined> {
    return await this.#parts.store.items.nextDue(this.#parts.jobId, this.#parts.states, now);
  }
}
