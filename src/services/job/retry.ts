import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { kindOfJob, retryStates } from '../../jobs/manage.js';
import type { ItemRow } from '../../store/store.js';
import { type BatchOptions, continueBatch } from '../batch.js';
import type { Context } from '../context.js';
import { familyOf } from '../families.js';
import { previewJob } from './dry-run.js';
import { ownJob } from './own.js';

/** Sends again what failed or was cancelled, and what was rejected unless it stays at the service, as fresh items linked to the old ones. */
export async function retryJob(context: Context, id: string, options: BatchOptions): Promise<Outcome> {
  const store = await context.store();
  const job = await ownJob(context, id);
  const family = familyOf(context, job);
  const kind = await kindOfJob({ store }, job.id);
  const ended = await store.items.list(job.id, { states: retryStates(kind) });
  if (ended.length === 0) throw new FiscalError('job.nothing_to_retry', { id: job.id }, { jobId: job.id });
  if ((await context.settings()).dryRun) return await previewJob(context, job, retryStates(kind));
  await context.consent({ what: sendingAgain(job.id, ended) });
  await (await context.jobs()).retry(job.id);
  return await continueBatch(context, job.id, { family, options });
}

function sendingAgain(id: string, items: readonly ItemRow[]): Text {
  const billed = items.filter((item) => item.billed).length;
  return {
    en: `send ${items.length} items of job ${id} again, ${billed} of them billed`,
    pt: `enviar de novo ${items.length} itens do trabalho ${id}, ${billed} deles cobrados`,
  };
}
