import type { Outcome } from '../../domain/outcome.js';
import { type BatchOptions, continueBatch } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { familyOf } from '../families.js';
import { previewJob } from './dry-run.js';
import { ownJob } from './own.js';

/** Goes on with a job where it stopped. What is settled is not touched, what is uncertain still asks. */
export async function resumeJob(context: Context, id: string, options: BatchOptions): Promise<Outcome> {
  const job = await ownJob(context, id);
  if ((await context.settings()).dryRun) return await previewJob(context, job, ['prepared']);
  return await continueBatch(context, job.id, { family: familyOf(context, job), options });
}
