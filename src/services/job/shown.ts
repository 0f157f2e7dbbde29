import { formatUtc } from '../../domain/utc.js';
import type { ItemCounts, ItemRow, JobRow } from '../../store/store.js';

/** A job as data for people and programs. */
export function shownJob(job: JobRow) {
  return {
    id: job.id,
    kind: job.kind,
    operation: job.operation,
    profile: job.profile,
    state: job.state,
    createdAt: formatUtc(job.createdAt),
    updatedAt: formatUtc(job.updatedAt),
    ...(job.finishedAt === undefined ? {} : { finishedAt: formatUtc(job.finishedAt) }),
    commandLine: job.commandLine,
    scope: job.scope,
  };
}

/** An item as data: what was asked for and what became of it; the engine's own marks stay out. */
export function shownItem(item: ItemRow) {
  const { input: _input, jobId: _job, epoch: _epoch, workerId, ...rest } = item;
  const { dueAt, sentAt, settledAt, updatedAt, ...plain } = rest;
  return {
    ...plain,
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
