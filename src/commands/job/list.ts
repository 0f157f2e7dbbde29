import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../../services/context.js';
import type { LabelOf } from '../../services/scope/scope.js';
import type { ItemCounts, ItemRow, JobRow, JobState } from '../../store/store.js';

interface ListRequest {
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

/** Names of companies as the store knows them of the job's profile. */
export async function labelsOf(context: Pick<Context, 'scope'>, job: Pick<JobRow, 'profile'>) {
  return await (await context.scope()).labels(job.profile);
}

/** A job as data for people and programs. `label`: of its profile. */
export function shownJob(job: JobRow, label: LabelOf) {
  return {
    id: job.id,
    kind: job.kind,
    operation: job.operation,
    profile: job.profile,
    ...companyOf(job.scope, label),
    state: job.state,
    createdAt: formatUtc(job.createdAt),
    updatedAt: formatUtc(job.updatedAt),
    ...(job.finishedAt === undefined ? {} : { finishedAt: formatUtc(job.finishedAt) }),
    commandLine: job.commandLine,
    scope: job.scope,
  };
}

/** Of a job or an item that is about one company. */
function companyOf(about: unknown, label: LabelOf) {
  const companyId = textField(about, 'companyId');
  return companyId === undefined || companyId === '' ? {} : { companyId, ...label(companyId) };
}

/** An item as data: what was asked for and what became of it; the engine's own marks stay out. */
export function shownItem(item: ItemRow, label: LabelOf) {
  const { input, jobId: _job, epoch: _epoch, workerId, ...rest } = item;
  const { dueAt, sentAt, settledAt, updatedAt, ...plain } = rest;
  return {
    ...plain,
    ...companyOf(input, label),
    inWork: workerId !== undefined,
    dueAt: formatUtc(dueAt),
    ...(sentAt === undefined ? {} : { sentAt: formatUtc(sentAt) }),
    ...(settledAt === undefined ? {} : { settledAt: formatUtc(settledAt) }),
    updatedAt: formatUtc(updatedAt),
  };
}

export function totalOf(counts: ItemCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
