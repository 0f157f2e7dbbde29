import { createHash } from 'node:crypto';
import type { ProductInput } from '../../contract/product.js';
import { canonicalJson } from '../../domain/canonical-json.js';

/** The digest of a product's content: the same whatever the order, spacing and letter case of its input. */
export function contentDigest(product: ProductInput): string {
  return createHash('sha256').update(canonicalJson(product)).digest('hex');
}

/**
 * What must not be created twice: a sku within its collection and tenant; without a sku, the very content.
 * The service promises no uniqueness of its own (§4), so this is the client's rule.
 */
export function createKey(tenantId: string, product: ProductInput): string {
  const { sku, collectionId } = product;
  if (typeof sku !== 'string' || sku === '') return `${tenantId} content ${contentDigest(product)}`;
  return canonicalJson([tenantId, collectionId ?? '', sku]);
}

/** What must not be in flight twice: the same new content of the same product. */
export function updateKey(tenantId: string, productId: string, product: ProductInput): string {
  return canonicalJson([tenantId, productId, contentDigest(product)]);
}

/** What a person calls the product. */
export function labelOf(product: ProductInput, otherwise = 'product'): string {
  const { sku, description } = product;
  if (typeof sku === 'string' && sku !== '') return sku;
  return typeof description === 'string' && description !== '' ? description : otherwise;
}
