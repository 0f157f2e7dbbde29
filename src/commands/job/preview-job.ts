import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { ItemState, JobRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { itemsOf } from './items.js';

/** What a run on this job would do with the items in these states: how many sends, and how many of them billed. */
export async function previewJob(
  context: Context,
  job: JobRow,
  states: readonly ItemState[],
): Promise<Outcome> {
  const store = await context.store();
  const labels: string[] = [];
  let sends = 0;
  let billedCalls = 0;
  for await (const item of itemsOf(store, job.id, { states, limit: undefined })) {
    sends += 1;
    if (item.billed) billedCalls += 1;
    if (labels.length < SHOWN) labels.push(item.label);
  }
  const { sending, pending, uncertain } = await store.jobs.counts(job.id);
  return {
    data: {
      type: 'dry-run',
      jobId: job.id,
      operation: job.operation,
      sends,
      billedCalls,
      labels,
      sending,
      pending,
      uncertain,
    },
    notices: [nothingSent],
  };
}

const SHOWN = 20;

const nothingSent: Text = {
  en: 'nothing was sent and nothing was changed',
  pt: 'nada foi enviado e nada foi alterado',
};
