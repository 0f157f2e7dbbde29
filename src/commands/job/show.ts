import { wordsAgain } from '../../jobs/manage.js';
import { formatUtc } from '../../domain/dates.js';
import type { Outcome } from '../../domain/outcome.js';
import type { ItemCounts, ItemRow, JobRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { findJob, jobLine } from './find-job.js';
import { labelsOf, shownJob, totalOf } from './list.js';

/** The others are counted. */
const MAX_ASKING = 10;

/** One job with its counts, who works on it now, and the words that take it further. */
export async function showJob(context: Context, id: string): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, id);
  const counts = await store.jobs.counts(job.id);
  const workers = await (await context.jobs()).workers(job.id);
  const asking = await store.items.list(job.id, { states: ['uncertain'], limit: MAX_ASKING });
  const next = nextCommand(job, counts, workers.length > 0);
  return {
    data: {
      ...shownJob(job, await labelsOf(context, job)),
      items: totalOf(counts),
      counts,
      workers: workers.map(({ pid, machine, expiresAt }) => ({ pid, machine, until: formatUtc(expiresAt) })),
      ...(asking.length === 0 ? {} : { uncertain: asking.map(shownQuestion) }),
      ...(next === undefined ? {} : { next }),
    },
  };
}

/** What a person must decide, and why: the outcome is not known, or the effect is another company's. */
function shownQuestion({ id, label, errorCode, errorMessage, requestId }: ItemRow) {
  return {
    id,
    label,
    errorCode: errorCode ?? 'outcome.unknown',
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function nextCommand(job: JobRow, counts: ItemCounts, isInWork: boolean): string | undefined {
  if (isInWork) return jobLine(job, 'watch');
  if (job.state === 'loading') return wordsAgain(job);
  if (counts.prepared + counts.sending + counts.pending > 0) return jobLine(job, 'resume');
  if (counts.uncertain > 0) return jobLine(job, 'items', [['--state', 'uncertain']]);
  if (counts.rejected + counts.failed > 0) return jobLine(job, 'retry');
  return undefined;
}
