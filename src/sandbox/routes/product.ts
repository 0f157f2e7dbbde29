import type { Fields, StoredProduct } from '../core/records.js';
import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
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
  const named = { id: core.chance.uuid(), tenantId: call.caller.tenantId };
  const product = { ...named, content, status: 'Created', errorMessage: null, revision: 1 } as const;
  core.products.put(product);
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
  const before = find(core, call.path);
  const given = readProduct(call.body);
  const sku = skuOf(given) === '' ? skuOf(before.content) : skuOf(given);
  const product = restart(core, { ...before, content: { ...given, sku } });
  const effect = { updated: 'product', id: product.id, sku };
  return { status: 204, effect, ...bill(core, call.operation, product) };
}

/** Answers with the current status. A finished validation restarts if there are rules (assumed). */
function revalidate(core: Core, call: Call<'product.revalidate'>): Reply {
  const product = find(core, call.path);
  const { id, content, status, errorMessage } = product;
  const isFinished = status === 'Active' || status === 'Error';
  if (!isFinished || !hasTaxRules(content)) {
    return { status: 200, body: { status, ...(errorMessage === null ? {} : { errorMessage }) } };
  }
  restart(core, product);
  return {
    status: 200,
    body: { status: 'Created' },
    effect: { revalidated: 'product', id, sku: skuOf(content) },
  };
}

/** The validation begins again. */
function restart(core: Core, product: StoredProduct): StoredProduct {
  const { revision } = product;
  const changed = { ...product, status: 'Created', errorMessage: null, revision: revision + 1 } as const;
  core.products.put(changed);
  startValidation(core, changed);
  return changed;
}

function find(core: Core, path: { readonly tenantId: string; readonly productId: string }): StoredProduct {
  const product = core.products.get(path.productId);
  if (product?.tenantId === path.tenantId) return product;
  throw new Refusal('not_found', 'There is no product with this id.');
}

function skuOf(content: Fields): string {
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
