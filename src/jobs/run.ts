import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemRow, ItemState, Store } from '../store/store.js';
import type { EngineDependencies, JobResult, RunOptions, StopReason } from './engine.js';
import { BilledCalls } from './billed-calls.js';
import { Health, Tally } from './progress.js';
import type { RunnableKind } from './kind.js';
import { heldBy, requireWhole, takeUpStranded } from './manage.js';
import { removeDeadWorkers, takeLease, type Lease } from './lease.js';
import { Queue } from './queue.js';
import { longestPause } from './decide.js';
import { step } from './step.js';
import { rateLimited, type StepDependencies, type StepResult } from './item-writes.js';

const OTHERS_CHECK_MS = 200;
const UNTAKEN_PAUSE_MS = 20;
/** Timers have an upper bound; a longer wait is many naps. */
const LONGEST_NAP_MS = 60_000;
/** How long news that another process has of a pending item may stay unseen by this one. */
const LOOK_EVERY_MS = 1_000;

/** One run of one process on one job: claims, works in `concurrency` lanes, stops cleanly. */
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
  #inFlight = 0;
  #stop: { readonly reason: StopReason; readonly error?: FiscalError } | undefined;
  #fatal: { readonly error: unknown } | undefined;
  /** Something happened since the last look: no sleep may miss it. */
  #poked = false;
  #nap: AbortController | undefined;

  constructor(parts: EngineDependencies, jobId: string, options: RunOptions) {
    this.#parts = parts;
    this.#jobId = jobId;
    this.#options = options;
    this.#startedAt = parts.clock.now();
    this.#states = options.wait ? ['sending', 'prepared', 'pending'] : ['sending', 'prepared'];
    this.#tally = new Tally(parts.store, jobId, options.onProgress);
    this.#billedCalls = new BilledCalls(options.maxBillable ?? Number.POSITIVE_INFINITY);
    this.#health = new Health(this.#startedAt, options.maxRetryWaitMs);
  }

  async run(kind: RunnableKind): Promise<JobResult> {
    const { store, machine, random } = this.#parts;
    await removeDeadWorkers(store, machine);
    await requireWhole(this.#parts, this.#jobId);
    await this.#tally.load();
    if (this.#isNewStore() && kind.replay !== 'safe') await this.#options.onNewStore?.(kind.replay);
    const lease = await takeLease({ store, machine, workerId: random.uuid(), jobId: this.#jobId });
    const wake = () => this.#poke();
    this.#options.signal.addEventListener('abort', wake);
    lease.lost.addEventListener('abort', wake);
    // From here on no fault of the store may hide what was sent before it.
    await this.#work(kind, lease).catch((error: unknown) => this.#fail(error));
    while (this.#inFlight > 0) await this.#sleepUntil(undefined);
    this.#options.signal.removeEventListener('abort', wake);
    await lease.end().catch((error: unknown) => this.#fail(error));
    return await this.#result().catch(async (error: unknown) => {
      throw await this.#fatalError(error);
    });
  }

  #fail(error: unknown): void {
    this.#fatal ??= { error };
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
    const queue = new Queue({
      store,
      clock,
      workerId: lease.workerId,
      jobId,
      states,
      batch: concurrency * 2,
    });
    const parts = this.#stepParts(kind, lease);
    while (!this.#mustStop(lease)) {
      const isFull = this.#inFlight >= concurrency;
      const item = isFull ? undefined : await queue.take();
      if (item !== undefined) {
        this.#launch(await parts, item, queue);
      } else if (isFull) {
        await this.#sleepUntil(undefined);
      } else if (this.#inFlight > 0) {
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
    const { intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, signal } = this.#options;
    const settleMs = this.#options.settleMs ?? kind.settleMs ?? 0;
    const job = await store.jobs.get(this.#jobId);
    const profile = job?.profile ?? '';
    const run = { store, clock, random, kind, lease, profile, jobId: this.#jobId };
    const limits = { intervalMs, maxRetryWaitMs, retryBillable, resendAbsent, settleMs, signal };
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

  #launch(parts: StepDependencies, item: ItemRow, queue: Queue): void {
    this.#inFlight += 1;
    let wasSent = false;
    const sending = (): void => {
      wasSent = true;
      this.#sends += 1;
    };
    step({ ...parts, sending }, item)
      .then(
        (result) => this.#took(item, result, queue),
        (error: unknown) => {
          if (wasSent) this.#unwritten += 1;
          this.#fail(error);
        },
      )
      .finally(() => {
        this.#inFlight -= 1;
        this.#poke();
      })
      // The two handlers above do not throw; this satisfies the rule that no promise floats.
      .catch((error: unknown) => this.#fail(error));
  }

  #took(item: ItemRow, result: StepResult, queue: Queue): void {
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
    if (this.#fatal !== undefined || this.#stop !== undefined || this.#options.signal.aborted) return true;
    if (lease.lost.aborted) {
      this.#fatal = { error: lease.lost.reason };
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

  #poke(): void {
    this.#poked = true;
    this.#nap?.abort();
  }

  /** Sleeps until a lane is free, the run is interrupted, or the time has come. */
  async #sleepUntil(time: number | undefined): Promise<void> {
    if (!this.#poked) {
      const { clock } = this.#parts;
      this.#nap = new AbortController();
      const deadline = this.#startedAt + (this.#options.timeoutMs ?? Number.POSITIVE_INFINITY);
      const until = Math.min(time ?? Number.POSITIVE_INFINITY, deadline, clock.now() + LONGEST_NAP_MS);
      await clock.sleep(Math.max(0, until - clock.now()), this.#nap.signal).catch(() => undefined);
      this.#nap = undefined;
    }
    this.#poked = false;
  }

  /** A listener for webhooks hears first that something has ended. */
  async #sleepAndLook(queue: Queue, time: number): Promise<void> {
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
    if (this.#fatal !== undefined) throw this.#fatal.error;
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
