import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import type { Content, StoredProduct } from '../product/products.js';
import { readProduct } from '../product/read-product.js';
import { hasTaxRules, startValidation } from '../product/validation.js';
import type { Call, HandlersOf, Reply } from './handler.js';

/**
 * The product registry (§4). The service promises neither uniqueness nor idempotency of a create, so the same SKU,
 * and even the same Idempotency-Key, creates a second product: the hardest case for a client.
 */
export const productHandlers: HandlersOf<Extract<OperationId, `product.${string}`>> = {
  'product.create': create,
  'product.get': get,
  'product.update': update,
  'product.revalidate': revalidate,
};

function create(core: Core, call: Call<'product.create'>): Reply {
  const content = readProduct(call.body);
  const sku = skuOf(content);
  if (sku === '') throw invalid('sku', 'Is required.');
  const product = { id: core.chance.uuid(), tenantId: call.caller.tenantId, content, revision: 1 };
  core.products.insert({ ...product, status: 'Created', errorMessage: null });
  startValidation(core, product);
  const effect = { created: 'product', id: product.id, sku };
  return { status: 201, body: { id: product.id }, effect, ...bill(core, call.operation, product) };
}

function get(core: Core, call: Call<'product.get'>): Reply {
  const { id, content, status, errorMessage } = find(core, call.path);
  const answer = { id, ...content, status, ...(errorMessage === null ? {} : { errorMessage }) };
  return { status: 200, body: answer };
}

/** Replaces the content; without a SKU the old one stays (assumed). The validation restarts (assumed). */
function update(core: Core, call: Call<'product.update'>): Reply {
  const { id, tenantId, content: before } = find(core, call.path);
  const given = readProduct(call.body);
  const content = { ...given, sku: skuOf(given) === '' ? skuOf(before) : skuOf(given) };
  const revision = core.products.restart(id, content);
  startValidation(core, { id, content, revision });
  const effect = { updated: 'product', id, sku: content.sku };
  return { status: 204, effect, ...bill(core, call.operation, { id, tenantId, content }) };
}

/** Answers with the current status. A finished validation restarts if there are rules (assumed). */
function revalidate(core: Core, call: Call<'product.revalidate'>): Reply {
  const { id, content, status, errorMessage } = find(core, call.path);
  const isFinished = status === 'Active' || status === 'Error';
  if (!isFinished || !hasTaxRules(content)) {
    return { status: 200, body: { status, ...(errorMessage === null ? {} : { errorMessage }) } };
  }
  startValidation(core, { id, content, revision: core.products.restart(id) });
  return {
    status: 200,
    body: { status: 'Created' },
    effect: { revalidated: 'product', id, sku: skuOf(content) },
  };
}

function find(core: Core, path: { readonly tenantId: string; readonly productId: string }): StoredProduct {
  const product = core.products.get(path.productId);
  if (product?.tenantId === path.tenantId) return product;
  throw new Refusal('not_found', 'There is no product with this id.');
}

function skuOf(content: Content): string {
  return typeof content['sku'] === 'string' ? content['sku'] : '';
}

/** §1: creating or updating products with tax rules records engine consumption. */
function bill(
  core: Core,
  operation: string,
  product: Pick<StoredProduct, 'id' | 'tenantId' | 'content'>,
): Pick<Reply, 'billed'> {
  if (!hasTaxRules(product.content)) return {};
  const { id: resourceId, tenantId } = product;
  core.usage.add({ at: core.clock.now(), tenantId, operation, action: 'engine', resourceId });
  return { billed: 'engine' };
}
