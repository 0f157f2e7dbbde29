import type { Text } from '../../contract/text.js';
import type { CutOffRequest } from '../../jobs/kinds/backfill-start-from.js';
import { requestOf } from '../../jobs/kinds/backfill-release.js';
import { sweepStatus, type SweepRequest } from '../../jobs/kinds/backfill-sweep.js';
import type { BatchFamily, Meter } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { ItemRow } from '../../store/store.js';
import { factColumns, factsOf, senderOf } from './facts.js';
import { noteUsed } from './plan-used.js';

/** What a report of companies has beside the columns of every report. */
export const sweepReport = { idField: 'companyId', reportFields: factColumns } as const;

/**
 * The batch family of releases and revokes: the request, and the counts of the last read. Whoever finishes a release notes that the
 * row of its plan was used.
 */
export const sweepFamily = (context: Context): BatchFamily => ({
  label: { en: 'following the history', pt: 'acompanhando o histórico' },
  ...sweepReport,
  fields: (item, duplicate) => {
    const { companyId, released } = requestOf(item);
    const seen = sweepStatus(item.remoteStatus);
    return {
      companyId,
      asked: released ? 'release' : 'revoke',
      ...(seen === undefined ? {} : { released: seen.released }),
      ...(seen?.hidden === undefined ? {} : { hiddenDocumentsCount: seen.hidden }),
      ...factsOf(item),
      ...(duplicate === undefined ? {} : { duplicateOf: duplicate.id, askedByJob: duplicate.jobId }),
    };
  },
  read: async (item) => ({ ...(await senderOf(context, item)) }),
  cause,
  keep: (items) => noteUsed(context, items),
  meter: (items) => sweepMeter(items),
});

/** The batch family of new cut-offs. */
export const startFromFamily: BatchFamily = {
  label: { en: 'moving the cut-off', pt: 'alterando a data de corte' },
  ...sweepReport,
  fields: (item) => {
    // The row was written by the kind `backfill-start-from`, whose input has this type.
    const { companyId, startFromDate } = item.input as CutOffRequest;
    return { companyId, startFromDate };
  },
  cause,
};

function cause(code: string): Text | undefined {
  if (code !== 'backfill.forbidden') return undefined;
  return { en: '403: the key lacks the role Management', pt: '403: falta à chave o papel Management' };
}

interface Share {
  readonly total: number;
  readonly done: number;
}

/**
 * The progress of the sweeps in hidden documents: those gone since the job was written (a release), or those
 * present of the expected (a revoke). The job stores the starting count, so that a second run continues from it.
 */
export async function sweepMeter(items: AsyncIterable<ItemRow>): Promise<Meter> {
  const shares = new Map<string, Share>();
  const take = (item: ItemRow, remoteStatus: string | undefined): void =>
    void shares.set(item.id, shareOf(requestOf(item), sweepStatus(remoteStatus)?.hidden));
  for await (const item of items) take(item, item.remoteStatus);
  const sum = (part: keyof Share) => [...shares.values()].reduce((all, share) => all + share[part], 0);
  return {
    see: take,
    get done() {
      return sum('done');
    },
    get total() {
      return sum('total');
    },
  };
}

function shareOf({ released, hidden = 0, expected = 0 }: SweepRequest, now: number | undefined): Share {
  const total = released ? hidden : expected;
  if (now === undefined) return { total, done: 0 };
  const done = released ? total - now : now;
  return { total, done: Math.min(total, Math.max(0, done)) };
}
