import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemCounts, JobRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { findJob, jobLine, labelsOf, shownJob, totalOf } from './read.js';

const LOOK_MS = 500;

/**
 * Follows a job of another process and sends nothing itself. Exits when no process works on it any more:
 * 0 complete, 3 with failed or uncertain items, 8 when work remains or the time is up.
 */
export async function watchJob(context: Context, id: string, timeoutMs: number): Promise<Outcome> {
  const store = await context.store();
  const engine = await context.jobs();
  const { clock } = store;
  const job = await findJob(store, id);
  const deadline = clock.now() + timeoutMs;
  try {
    for (;;) {
      const counts = await store.jobs.counts(job.id);
      const done = totalOf(counts) - open(counts);
      context.progress.report({ label: label(job.id), done, total: totalOf(counts) });
      const workers = await engine.workers(job.id);
      const isWhole = (await store.jobs.get(job.id))?.state !== 'loading';
      if (workers.length === 0 || (isWhole && open(counts) === 0)) return await ended(context, job, counts);
      if (clock.now() >= deadline) throw stillGoing(job, timeoutMs);
      await clock.sleep(LOOK_MS, context.interruption);
    }
  } finally {
    context.progress.stop();
  }
}

async function ended(context: Context, job: JobRow, counts: ItemCounts): Promise<Outcome> {
  const after = (await (await context.store()).jobs.get(job.id)) ?? job;
  const data = { ...shownJob(after, await labelsOf(context, job)), items: totalOf(counts), counts };
  if (after.state === 'loading') return { data, exitCode: ExitCode.pending, notices: [notWhole] };
  if (open(counts) > 0)
    return { data, exitCode: ExitCode.pending, notices: [nobody(jobLine(job, 'resume'))] };
  const isBad = counts.failed + counts.rejected + counts.uncertain > 0;
  return { data, exitCode: isBad ? ExitCode.partial : ExitCode.ok };
}

function open(counts: ItemCounts): number {
  return counts.prepared + counts.sending + counts.pending;
}

function label(id: string): Text {
  return { en: `job ${id}`, pt: `lote ${id}` };
}

function nobody(line: string): Text {
  return {
    en: `no process is working on it; continue with: ${line}`,
    pt: `nenhum processo trabalha nele; continue com: ${line}`,
  };
}

const notWhole: Text = {
  en: 'its input was not read completely, and nothing was sent; run the same command with the same input again',
  pt: 'a entrada não foi lida até o fim e nada foi enviado; execute o mesmo comando com a mesma entrada',
};

function stillGoing(job: JobRow, timeoutMs: number): FiscalError {
  const what: Text = label(job.id);
  const status: Text = { en: 'in progress', pt: 'em andamento' };
  const facts = { jobId: job.id, resume: jobLine(job, 'watch'), sent: 'no' } as const;
  return new FiscalError('outcome.still_pending', { what, status, seconds: timeoutMs / 1000 }, facts);
}
