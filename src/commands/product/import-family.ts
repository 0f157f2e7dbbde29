import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobResult } from '../../jobs/engine.js';
import type { ProductCreateInput } from '../../jobs/kinds/product.js';
import type { ItemRow } from '../../store/store.js';
import type { BatchFamily, ItemProblem } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { unknownOutcome } from '../../services/single-job.js';
import { conflictingProduct } from './endings.js';
import { problem, problemOfExisting } from './existing.js';
import { rememberCreated } from './remember.js';

/** What products add to a batch: their id, what is wrong with skipped ones, and what this machine keeps of them. */
export function productFamily(context: Context, space: string): BatchFamily {
  return {
    label: { en: 'products', pt: 'produtos' },
    idField: 'productId',
    fields: (item, twin) => {
      const productId = item.resourceId ?? twin?.resourceId;
      return {
        ...(productId === undefined ? {} : { productId }),
        ...(twin === undefined ? {} : { duplicateOf: twin.id }),
        ...(twin?.jobId === item.jobId ? { duplicateOfLine: twin.ordinal } : {}),
      };
    },
    problem: async (item, twin) => await problemOf(context, { space, item, twin }),
    conflict: (operation) => (operation === 'product.create' ? conflictingProduct : undefined),
    notices: endNotices,
    keep: async (items) => {
      const store = await context.store();
      await Promise.all(items.map((item) => rememberCreated(store, space, item)));
    },
  };
}

interface Skipped {
  readonly space: string;
  readonly item: ItemRow;
  readonly twin: ItemRow | undefined;
}

/** Skipping is right for a product that is there as the record says; everything else is named. */
async function problemOf(context: Context, { space, item, twin }: Skipped): Promise<ItemProblem | undefined> {
  // A record that repeats another one of its file is that one.
  if (twin === undefined || twin.jobId === item.jobId) return undefined;
  if (twin.state === 'uncertain') return problem(unknownOutcome(twin), `fiscal job resolve ${twin.id}`);
  const { label: name, jobId: job, resourceId: id } = twin;
  if (id === undefined) return problem(new FiscalError('product.in_work', { name, job }));
  // Both rows were written by the kinds of products, whose inputs have this type.
  const { product: wanted } = item.input as ProductCreateInput;
  const { tenantId, product: created } = twin.input as ProductCreateInput;
  const { remoteStatus: status, errorMessage } = twin;
  const existing = { id, name, wanted, created, status, errorMessage };
  return await problemOfExisting(await context.store(), { space, tenantId }, existing);
}

function endNotices({ counts, stopped, job }: JobResult): readonly Text[] {
  return [
    ...(counts.rejected > 0 ? [correct] : []),
    ...(counts.pending > 0 && stopped === 'sent' ? [accepted(counts.pending, job.id)] : []),
  ];
}

const correct: Text = {
  en: 'correct the rows and bring the products to the file: fiscal product apply <file>',
  pt: 'corrija as linhas e deixe os produtos como no arquivo: fiscal product apply <arquivo>',
};

function accepted(count: number, jobId: string): Text {
  return {
    en: `${count} products are accepted, and their validation has not been seen to end; follow it: fiscal job resume ${jobId} --wait`,
    pt: `${count} produtos foram aceitos, e o fim da validação ainda não foi visto; acompanhe: fiscal job resume ${jobId} --wait`,
  };
}
