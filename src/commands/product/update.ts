import type { ProductInput } from '../../contract/product.js';
import { productDifferences } from '../../domain/product-difference.js';
import type { Outcome } from '../../domain/outcome.js';
import type { StartRequest } from '../../jobs/engine.js';
import { hasTaxRules, productUpdate, seenBy, type ProductUpdateInput } from '../../jobs/kinds/product.js';
import type { ItemRow } from '../../store/store.js';
import { billedNotices } from '../../services/batch/notices.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { findProduct, labelOf, rememberProduct, skuOf, updateKey } from './known-products.js';
import { fetchNamed } from './get.js';
import type { Given } from '../../cli/command.js';
import type { update } from './commands.js';
import { readProduct } from './read-product.js';
import { runSingle } from '../../services/batch/single-job.js';
import { tenantOf } from '../../services/scope/companies.js';
import { requireValidated } from './outcome.js';
import { productSentence } from './sentence.js';

/**
 * Replaces a product (PUT, §4) as a job of one item. Once it has succeeded, the same update may be sent again. That the
 * validation of the new content starts with the PUT, so that an `Active` read afterwards is its own, is assumed.
 */
export async function updateProduct(context: Context, given: Given<typeof update>): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, given.product);
  const { productId, sku } = named;
  const { product, notices } = await readProduct(context, given, { forCreate: false });
  const billed = hasTaxRules(product);
  if (settings.dryRun) {
    const input = { path: { tenantId, productId }, body: product };
    const preview = await previewOne(context, productUpdate.submit, input);
    return { data: { ...preview, billedCalls: billed ? 1 : 0 }, notices };
  }
  // An earlier run of this update may have given it the new SKU.
  const before = await fetchNamed(context, tenantId, named, [skuOf(product) ?? sku ?? '']);
  const seen = seenBy(productDifferences(before, product));
  const job = jobOf({ tenantId, productId, product, seen });
  const names = { profile: settings.storeNamespace };
  const single = await runSingle(context, { ...job, ...names }, given);
  if (single.item.resourceId !== undefined) await remember(context, single.item, { tenantId, productId, product });
  const { remoteStatus, jobId } = requireValidated(single, given.wait);
  return {
    data: { type: 'product', id: productId, status: remoteStatus, jobId },
    sentence: productSentence('updated', {
      name: labelOf(product, productId),
      status: remoteStatus,
      billedCalls: single.result.billed.billed,
    }),
    notices: [...notices, ...billedNotices(single.result.billed, 'engine')],
  };
}

function jobOf(input: ProductUpdateInput): Omit<StartRequest<ProductUpdateInput>, 'profile' | 'commandLine'> {
  const { tenantId, productId, product } = input;
  const key = updateKey(tenantId, productId, product);
  return {
    kind: productUpdate,
    inputDigest: key,
    scope: { tenantId },
    items: [{ ordinal: 1, label: labelOf(product, productId), dedupeKey: key, input }],
  };
}

async function remember(
  context: Context,
  item: ItemRow,
  seen: { readonly tenantId: string; readonly productId: string; readonly product: ProductInput },
): Promise<void> {
  const { tenantId, productId: id, product } = seen;
  const { storeNamespace } = await context.settings();
  const status = item.remoteStatus;
  const sighting = { storeNamespace, tenantId, id, sku: product.sku, status, data: { ...product, id, status } };
  await rememberProduct(await context.store(), sighting, item.updatedAt);
}
