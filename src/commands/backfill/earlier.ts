import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { backfillRelease, backfillReleaseFacts, sweepKey } from '../../jobs/kinds/backfill-release.js';
import type { SweepRequest } from '../../jobs/kinds/backfill-sweep.js';
import type { ItemRow } from '../../store/store.js';
import { continueBatch, type BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { sweepFamily } from './family.js';

/**
 * An earlier request of this machine for the opposite that was not sent yet, or whose send was cut, must not go out after
 * the new one: it is cancelled. One that was sent is left to its job, which will see that it was overtaken.
 */
export async function withdrawOpposite(context: Context, requests: readonly SweepRequest[]): Promise<void> {
  const store = await context.store();
  const now = store.clock.now();
  for (const { companyId, released } of requests) {
    const item = await holderOf(context, { companyId, released: !released });
    if (item === undefined || item.state === 'pending') continue;
    const patch = { state: 'cancelled', settledAt: now, holdsKey: false, keep: false } as const;
    await store.items.decide(item.id, item.state, patch, {
      at: now,
      note: 'a newer command asks for the opposite',
    });
  }
}

/** True when a job of this machine asks for one of them and is not done with it. */
export async function isUnderWay(context: Context, requests: readonly SweepRequest[]): Promise<boolean> {
  for (const request of requests) if ((await holderOf(context, request)) !== undefined) return true;
  return false;
}

export interface Earlier {
  readonly requests: readonly SweepRequest[];
  /** Of the job that is about to run. */
  readonly inputDigest: string;
  readonly options: BatchOptions;
}

/**
 * Who waits for a company that another job has asked for already waits for that job first. `undefined` when those jobs are
 * done; their outcome when they could not be followed to the end.
 */
export async function followEarlier(context: Context, earlier: Earlier): Promise<Outcome | undefined> {
  const { requests, inputDigest, options } = earlier;
  const { space: profile } = await context.settings();
  const operation = backfillReleaseFacts.submit;
  const own = await (await context.store()).jobs.find({ operation, profile, inputDigest });
  const jobs = new Set<string>();
  for (const request of requests) {
    const item = await holderOf(context, request);
    if (item !== undefined && item.jobId !== own?.id) jobs.add(item.jobId);
  }
  for (const jobId of jobs) {
    const outcome = await continueBatch(context, jobId, { family: sweepFamily, options });
    const { exitCode } = outcome;
    if (exitCode !== ExitCode.ok && exitCode !== ExitCode.partial) return outcome;
  }
  return undefined;
}

async function holderOf(context: Context, request: SweepRequest): Promise<ItemRow | undefined> {
  const { space: profile } = await context.settings();
  const store = await context.store();
  return await store.items.holder({ profile, kind: backfillRelease.name, dedupeKey: sweepKey(request) });
}
