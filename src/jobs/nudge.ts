import { BilledCalls } from './billed-calls.js';
import type { ItemRow } from '../store/store.js';
import type { Nudge, NudgeResult, EngineDependencies } from './engine.js';
import { takeLease, type Lease } from './lease.js';
import { finishJobIfDone, kindOfJob } from './manage.js';
import { step } from './step.js';
import type { StepDependencies } from './claimed-item.js';

/**
 * Reads at once the pending items of any job that refer to some resources, after a webhook event reported them as
 * finished. Sends nothing. Items that another process holds become due there first. Errors: those of the call.
 */
export async function nudgeItems(dependencies: EngineDependencies, nudge: Nudge): Promise<NudgeResult> {
  const { store, machine, random } = dependencies;
  const { profile, resourceIds } = nudge;
  const woken = (
    await Promise.all(resourceIds.map((resourceId) => store.items.wake({ profile, resourceId })))
  ).flat();
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
    ...{
      store,
      clock,
      random,
      kind,
      lease,
      jobId,
      profile: nudge.profile,
      client: await dependencies.client(),
    },
    ...{
      wait: true,
      intervalMs: nudge.intervalMs,
      maxRetryWaitMs: 0,
      retryBillable: false,
      signal: nudge.signal,
    },
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
