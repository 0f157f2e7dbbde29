import type { Outcome } from '../../domain/outcome.js';
import type { JobState } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { labelsOf, shownJob, totalOf } from './shown.js';

export interface ListRequest {
  /** Every job of every profile; otherwise the newest of the profile in use. */
  readonly all: boolean;
  readonly kind: string | undefined;
  readonly states: readonly JobState[] | undefined;
  readonly limit: number;
}

/** The jobs of this machine, newest first, each with how far it is. */
export async function listJobs(context: Context, request: ListRequest): Promise<Outcome> {
  const { profile, space } = await context.settings();
  const store = await context.store();
  const jobs = await store.jobs.list({
    ...(request.all ? {} : { limit: request.limit }),
    // Without a chosen profile there is nothing to narrow the list to.
    ...(request.all || profile === undefined ? {} : { profile: space }),
    ...(request.kind === undefined ? {} : { kind: request.kind }),
    ...(request.states === undefined ? {} : { states: request.states }),
  });
  const data = await Promise.all(
    jobs.map(async (job) => {
      const counts = await store.jobs.counts(job.id);
      const { succeeded, skipped, rejected, failed, uncertain } = counts;
      return {
        ...shownJob(job, await labelsOf(context, job)),
        items: totalOf(counts),
        done: succeeded + skipped,
        bad: rejected + failed,
        uncertain,
      };
    }),
  );
  return { data };
}
