import { BilledCalls } from './billed-calls.js';
import type {
  EngineDependencies,
  JobEngine,
  Nudge,
  NudgeResult,
  PlannedItem,
  StartRequest,
  StartedJob,
} from './engine.js';
import { leaseInWords, removeDeadWorkers, takeLease, type Lease } from './lease.js';
import {
  cancelItem,
  cancelJob,
  finishJobIfDone,
  kindOfJob,
  learnItem,
  resolveItem,
  retryItems,
  workersOf,
} from './manage.js';
import { step } from './step.js';
import type { StepDependencies } from './claimed-item.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemRow, JobState, NewItem } from '../store/store.js';
import { itemsOf } from './item-pages.js';
import { JobRun } from './run.js';

/**
 * Reads at once the pending items of any job that refer to some resources, after a webhook event reported them as
 * finished. Sends nothing. Items that another process holds become due there first. Errors: those of the call.
 */
async function nudgeItems(dependencies: EngineDependencies, nudge: Nudge): Promise<NudgeResult> {
  const { store, machine, random } = dependencies;
  const { profile, resourceIds } = nudge;
  const woken = (await Promise.all(resourceIds.map((resourceId) => store.items.wake({ profile, resourceId })))).flat();
  if (woken.length === 0) return { finished: 0, waiting: 0 };
  let finished = 0;
  const workerId = random.uuid();
  const lease = await takeLease({ store, machine, workerId, jobId: 'webhook listen' });
  try {
    for (const jobId of new Set(woken.map((item) => item.jobId))) {
      finished += await readJob(dependencies, { nudge, lease, jobId });
      await finishJobIfDone(dependencies, jobId);
    }
  } finally {
    // Releases what was claimed and not read.
    await lease.end();
  }
  return { finished, waiting: woken.length - finished };
}

interface Reading {
  readonly nudge: Nudge;
  readonly lease: Lease;
  readonly jobId: string;
}

/** Claims return the woken items first. */
async function readJob(dependencies: EngineDependencies, { nudge, lease, jobId }: Reading): Promise<number> {
  const { store, clock, random } = dependencies;
  const kind = await kindOfJob(dependencies, jobId);
  const stepDependencies: StepDependencies = {
    ...{ store, clock, random, kind, lease, jobId, profile: nudge.profile, client: await dependencies.client() },
    ...{ wait: true, intervalMs: nudge.intervalMs, maxRetryWaitMs: 0, retryBillable: false, signal: nudge.signal },
    ...{ resendAbsent: false, settleMs: kind.settleMs ?? 0 },
    // Reading a pending item is never billed.
    billedCalls: new BilledCalls(0),
    lists: new Map(),
    noteSender: () => Promise.resolve(),
    sending: () => undefined,
  };
  const claim = { workerId: lease.workerId, jobId, states: ['pending'] as const };
  const limit = nudge.resourceIds.length;
  const claimed = await store.items.claim({ ...claim, limit, now: clock.now() });
  const steps = claimed.filter(isAbout(nudge)).map((item) => step(stepDependencies, item));
  const results = await Promise.all(steps);
  return results.filter(({ to }) => to !== 'pending').length;
}

function isAbout({ resourceIds }: Nudge): (item: ItemRow) => boolean {
  return ({ resourceId }) => resourceId !== undefined && resourceIds.includes(resourceId);
}

export function createEngine(dependencies: EngineDependencies): JobEngine {
  return {
    start: (request) => startJob(dependencies, request),
    run: async (jobId, options) => {
      const kind = options.kind ?? (await kindOfJob(dependencies, jobId));
      return await new JobRun(dependencies, jobId, options).run(kind);
    },
    item: (itemId) => dependencies.store.items.get(itemId),
    items: (jobId, states) => itemsOf(dependencies.store, jobId, { states }),
    retry: (jobId, itemIds) => retryItems(dependencies, jobId, itemIds),
    cancel: (jobId) => cancelJob(dependencies, jobId),
    nudge: (nudge) => nudgeItems(dependencies, nudge),
    workers: (jobId) => workersOf(dependencies, jobId),
    learn: (item, learned) => learnItem(dependencies, item, learned),
    cancelItem: (item, step) => cancelItem(dependencies, item, step),
    resolve: (itemId, verdict) => resolveItem(dependencies, itemId, verdict),
  };
}

const CHUNK = 500;
const LOADER_CHECK_MS = 100;

/** Finds the job of this input, or writes it completely before anything is sent. Two processes agree on one job. */
async function startJob<Input>(dependencies: EngineDependencies, request: StartRequest<Input>): Promise<StartedJob> {
  const { store, clock, machine, random } = dependencies;
  const loaderId = random.uuid();
  const jobId = newJobId(dependencies);
  const lease = await takeLease({ store, machine, workerId: loaderId, jobId });
  try {
    const existing = await createOrFind(dependencies, request, { jobId, loaderId });
    if (existing !== undefined) return existing;
    await load(dependencies, request, jobId);
    await store.jobs.seal(jobId, clock.now());
  } finally {
    await lease.end();
  }
  const job = await store.jobs.get(jobId);
  if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
  return { job, resumed: false };
}

async function createOrFind<Input>(
  dependencies: EngineDependencies,
  request: StartRequest<Input>,
  ids: { readonly jobId: string; readonly loaderId: string },
): Promise<StartedJob | undefined> {
  const { store, clock, machine } = dependencies;
  const { kind, profile, inputDigest, scope } = request;
  const states: readonly JobState[] = kind.onceOnly ? ['loading', 'open', 'done'] : ['loading', 'open'];
  for (;;) {
    const at = clock.now();
    const row = {
      id: ids.jobId,
      kind: kind.name,
      operation: kind.submit,
      profile,
      inputDigest,
      commandLine: request.commandLine(ids.jobId),
      scope,
    };
    const job = await store.jobs.create({ ...row, loaderId: ids.loaderId, at }, states);
    if (job === undefined) return undefined;
    if (job.state !== 'loading') return { job, resumed: true };
    await removeDeadWorkers(store, machine);
    const workers = await store.workers.list();
    const loader = workers.find((worker) => worker.id === job.loaderId);
    // A loader that died sent nothing: its partial job is discarded and written again by this process.
    if (loader === undefined || loader.expiresAt <= clock.now()) await store.jobs.discard(job.id);
    else await clock.sleep(LOADER_CHECK_MS, undefined, leaseInWords(loader));
  }
}

async function load<Input>(
  dependencies: EngineDependencies,
  request: StartRequest<Input>,
  jobId: string,
): Promise<void> {
  let chunk: NewItem[] = [];
  for await (const planned of request.items) {
    chunk.push(newItem(dependencies, request, planned));
    if (chunk.length < CHUNK) continue;
    await dependencies.store.jobs.append(jobId, chunk, dependencies.clock.now());
    chunk = [];
  }
  if (chunk.length > 0) await dependencies.store.jobs.append(jobId, chunk, dependencies.clock.now());
}

function newItem<Input>(
  dependencies: EngineDependencies,
  request: StartRequest<Input>,
  planned: PlannedItem<Input>,
): NewItem {
  const { ordinal, label, dedupeKey, input, previousId } = planned;
  const billed = request.kind.billed(input);
  return {
    id: dependencies.random.uuid(),
    ordinal,
    label,
    dedupeKey,
    input,
    billed,
    idempotencyKey: planned.idempotencyKey ?? dependencies.random.uuid(),
    ...(previousId === undefined ? {} : { previousId }),
  };
}

/** Sorts by time and is short enough to type: the minute of creation, then random characters. */
function newJobId(dependencies: EngineDependencies): string {
  const stamp = new Date(dependencies.clock.now()).toISOString().replaceAll(/[-:]/g, '').slice(2, 13);
  return `${stamp.replace('T', '-')}-${dependencies.random.uuid().slice(0, 6)}`;
}
