import type { ProductInput } from '../../contract/product.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { contentDigest } from './identity.js';
import { findCreated } from './remember.js';
import { unknownOutcome } from '../../services/single-job.js';

/** A product that this machine has created under the same key. */
export interface Earlier {
  readonly productId: string;
  readonly jobId: string;
  readonly status: string | undefined;
  readonly at: number;
  readonly isSameContent: boolean;
}

export interface EarlierQuery {
  readonly space: string;
  readonly tenantId: string;
  readonly key: string;
  readonly product: ProductInput;
}

/**
 * What stands under the key: the living item that holds it, else the index of what was created (a product whose
 * validation ended as Error no longer holds its key, but exists). `undefined`: nothing, or a send of this very content
 * that was not finished and goes on. Errors: `outcome.unknown`, `job.key_held`.
 */
export async function findEarlier(context: Context, query: EarlierQuery): Promise<Earlier | undefined> {
  const store = await context.store();
  const { space, tenantId, key, product } = query;
  const digest = contentDigest(product);
  const holder = await store.items.holder({ profile: space, kind: productCreate.name, dedupeKey: key });
  if (holder !== undefined) return await fromHolder(context, holder, digest);
  const created = await findCreated(store, { space, tenantId, key });
  return created === undefined ? undefined : { ...created, isSameContent: created.digest === digest };
}

async function fromHolder(context: Context, holder: ItemRow, digest: string): Promise<Earlier | undefined> {
  if (holder.state === 'uncertain') throw unknownOutcome(holder);
  // The row was written by the kind `product-create`, whose input has this type.
  const isSameContent = contentDigest((holder.input as ProductCreateInput).product) === digest;
  const { resourceId, jobId, remoteStatus, sentAt, updatedAt } = holder;
  if (resourceId !== undefined) {
    return { productId: resourceId, jobId, status: remoteStatus, at: sentAt ?? updatedAt, isSameContent };
  }
  const store = await context.store();
  const job = await store.jobs.get(jobId);
  if (isSameContent && job?.inputDigest.endsWith(` ${digest}`)) return undefined;
  throw new FiscalError(
    'job.key_held',
    { label: holder.label, id: holder.id },
    { jobId, sent: 'no', resume: `fiscal job resume ${jobId}` },
  );
}
