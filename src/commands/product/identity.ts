import { createHash } from 'node:crypto';
import type { ProductInput } from '../../contract/product.js';
import { isRecord } from '../../domain/record.js';
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
  const sku = skuOf(product);
  if (sku === undefined) return `${tenantId} content ${contentDigest(product)}`;
  return canonicalJson([tenantId, collectionOf(product) ?? '', sku]);
}

/** The sku of a product, also of one that was not checked and may spell the name in any letter case (§2). */
export function skuOf(product: unknown): string | undefined {
  return textOf(product, 'sku');
}

export function collectionOf(product: unknown): string | undefined {
  return textOf(product, 'collectionid');
}

function textOf(product: unknown, lowerName: string): string | undefined {
  if (!isRecord(product)) return undefined;
  const value = Object.entries(product).find(([name]) => name.toLowerCase() === lowerName)?.[1];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What must not be in flight twice: the same new content of the same product. */
export function updateKey(tenantId: string, productId: string, product: ProductInput): string {
  return canonicalJson([tenantId, productId, contentDigest(product)]);
}

/** What a person calls the product. */
export function labelOf(product: ProductInput, otherwise = 'product'): string {
  const { description } = product;
  const sku = skuOf(product);
  if (sku !== undefined) return sku;
  return typeof description === 'string' && description !== '' ? description : otherwise;
}
