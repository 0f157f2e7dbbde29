import type { ProductCreateInput } from '../../jobs/kinds/product.js';
import type { ItemRow } from '../../store/store.js';
import type { BatchFamily } from '../batch.js';
import type { Context } from '../context.js';
import { contentDigest } from './identity.js';
import { rememberCreated } from './remember.js';

/** What products add to a batch: their id, a word about skipped ones, and what this machine keeps of them. */
export function productFamily(context: Context, space: string): BatchFamily {
  return {
    label: { en: 'products', pt: 'produtos' },
    idField: 'productId',
    fields: (item, twin) => {
      const productId = item.resourceId ?? twin?.resourceId;
      return {
        ...(productId === undefined ? {} : { productId }),
        ...(twin === undefined ? {} : { duplicateOf: twin.id }),
        ...(twin === undefined || isSame(item, twin) ? {} : otherContent),
      };
    },
    keep: async (items) => {
      const store = await context.store();
      await Promise.all(items.map((item) => rememberCreated(store, space, item)));
    },
  };
}

/** Skipping is right for the same product; other content under the same sku deserves a word. */
const otherContent = {
  errorCode: 'product.already_created',
  error: 'the sku was used before with other content: fiscal product update replaces it',
} as const;

function isSame(item: ItemRow, twin: ItemRow): boolean {
  // Both rows were written by the kind `product-create`, whose input has this type.
  const [mine, other] = [item.input as ProductCreateInput, twin.input as ProductCreateInput];
  return contentDigest(mine.product) === contentDigest(other.product);
}
