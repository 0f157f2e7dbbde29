import { fiscalLine } from '../../domain/command-words.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { pollDelayMs } from '../../jobs/decide.js';
import { observeSweep, type Summary } from '../../jobs/kinds/backfill-sweep.js';
import type { Context } from '../../services/context.js';
import { readSummaries, requireSole, type CompanySummary } from './read-all.js';
import { companyOfLabel } from '../../services/scope/text.js';
import { shownSummary } from './show.js';

export interface WatchRequest {
  readonly ids: readonly string[];
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

interface Watched extends CompanySummary {
  readonly status: string | undefined;
  readonly isSettled: boolean;
}

/**
 * Follows companies by their summaries alone: whoever asked, until the state that the service says was asked for is
 * reached. Errors: `outcome.still_pending` for one company; exit 8 for several.
 */
export async function watchSummaries(
  context: Context,
  { ids, timeoutMs, intervalMs }: WatchRequest,
): Promise<Outcome> {
  const startedAt = context.clock.uptime();
  const watch = new Map<string, Watched>();
  const label = await (await context.scope()).labels();
  let most = 0;
  try {
    for (;;) {
      const open = ids.filter((id) => watch.get(id)?.isSettled !== true);
      const companies = open.map((id) => companyOfLabel(id, label(id)));
      for (const read of await readSummaries(context, companies)) {
        watch.set(read.company.id, next(read, watch.get(read.company.id)));
      }
      const all = ids.flatMap((id) => watch.get(id) ?? []);
      if (ids.length === 1) requireSole(all);
      const age = context.clock.uptime() - startedAt;
      if (all.every(({ isSettled }) => isSettled)) return ending(all);
      if (age >= timeoutMs) return stillOpen(all, age);
      most = Math.max(most, hiddenOf(all));
      report(context, { most, now: hiddenOf(all) });
      await context.clock.sleep(
        Math.min(pollDelayMs(age, intervalMs), timeoutMs - age),
        context.interruption,
      );
    }
  } finally {
    context.progress.stop();
  }
}

/** What is asked for is what the last read said; another word begins the watch of this company anew. */
function next(read: CompanySummary, before: Watched | undefined): Watched {
  const { summary } = read;
  if (summary?.released === undefined) return { ...read, status: undefined, isSettled: true };
  const { released } = summary;
  const isSame = before?.summary?.released === released;
  const { state, remoteStatus } = observeSweep(summary, { released }, isSame ? before.status : undefined);
  return { ...read, status: remoteStatus, isSettled: state === 'succeeded' };
}

function hiddenOf(all: readonly { readonly summary: Summary | undefined }[]): number {
  return all.reduce((sum, { summary }) => sum + (summary?.released === true ? (summary.hidden ?? 0) : 0), 0);
}

function report(context: Context, { most, now }: { readonly most: number; readonly now: number }): void {
  const label = { en: 'following the history', pt: 'acompanhando o histórico' };
  context.progress.report({ label, done: most - now, ...(most === 0 ? {} : { total: most }) });
}

function ending(all: readonly Watched[]): Outcome {
  const records = all.map(record);
  const [first, ...others] = records;
  const isPartial = all.some(({ error }) => error !== undefined);
  return {
    data: others.length === 0 ? first : records,
    exitCode: isPartial ? ExitCode.partial : ExitCode.ok,
  };
}

function stillOpen(all: readonly Watched[], ageMs: number): Outcome {
  const [first, ...others] = all;
  if (first === undefined || others.length > 0) return { data: all.map(record), exitCode: ExitCode.pending };
  const what = first.company.id;
  throw new FiscalError(
    'outcome.still_pending',
    { what, status: first.status ?? '–', seconds: Math.round(ageMs / 1000) },
    { sent: 'yes', resume: fiscalLine({ command: 'backfill wait', company: what }) },
  );
}

function record(one: Watched): DataRecord {
  const ended = one.isSettled ? 'settled' : 'pending';
  return { ...shownSummary(one), state: one.error === undefined ? ended : 'failed' };
}
