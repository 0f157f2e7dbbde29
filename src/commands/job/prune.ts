import type { Given } from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { prune } from './commands.js';

/** Deletes jobs that finished long ago; with `--dry-run` reports them. Always keeps items that need a decision. */
export async function pruneJobs(context: Context, { olderThan }: Given<typeof prune>): Promise<Outcome> {
  if (olderThan === undefined) throw new FiscalError('usage.missing', { names: '--older-than' });
  const { dryRun } = await context.settings();
  const store = await context.store();
  const before = context.clock.now() - olderThan;
  if (dryRun) return { data: { before: formatUtc(before), dryRun, ...(await wouldGo(context, before)) } };
  const jobs = await store.jobs.prune(before);
  const requests = await store.history.prune(before);
  const events = await store.deliveries.prune(before);
  return { data: { before: formatUtc(before), jobs, requests, events } };
}

interface Old {
  readonly jobs: number;
  readonly requests: number;
  /** Received webhooks. */
  readonly events: number;
}

async function wouldGo(context: Context, before: number): Promise<Old> {
  const store = await context.store();
  const requests = await store.history.list({});
  return {
    jobs: await store.jobs.prunable(before),
    requests: requests.filter((request) => request.at < before).length,
    events: await store.deliveries.prunable(before),
  };
}
