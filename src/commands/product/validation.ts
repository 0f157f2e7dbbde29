import type { Product } from '../../contract/product.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { tenantOf } from '../../services/scope/companies.js';
import { type FollowTimes, followUntil } from '../../services/batch/follow.js';
import { fetchNamed, fetchProduct, getProduct } from './get.js';
import { findProduct, type NamedProduct } from './known-products.js';
import type { Given } from '../../cli/command.js';
import type { get, revalidate } from './commands.js';
import { productEndedBadly, productStillPending, stateOf } from './outcome.js';
import { productSentence } from './sentence.js';

interface FollowRequest extends FollowTimes {
  readonly productId: string;
}

/**
 * Reads a product until its validation ends. An unknown status counts as pending, never as success (§3). Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function waitForProduct(context: Context, given: Given<typeof get>): Promise<Outcome> {
  if ((await context.settings()).dryRun) return await getProduct(context, { ...given, exitStatus: false });
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, given.product);
  const { productId } = named;
  if (named.sku !== undefined) await fetchNamed(context, tenantId, named);
  return followed('waited', named, await followProduct(context, tenantId, { ...given, productId }));
}

function followed(
  verb: 'waited' | 'revalidated',
  { sku, productId }: NamedProduct,
  product: Product,
): Outcome<Product> {
  const sentence = productSentence(verb, { name: sku ?? product.sku ?? productId, status: product.status });
  return { data: product, sentence };
}

export async function followProduct(context: Context, tenantId: string, request: FollowRequest): Promise<Product> {
  const id = request.productId;
  const { product, elapsedMs } = await untilValidated(context, tenantId, request);
  if (product.status === 'Active') return product;
  if (product.status === 'Error') throw productEndedBadly(stateOf(id, product));
  throw productStillPending(stateOf(id, product), Math.round(elapsedMs / 1000));
}

/** The product when its validation ends, or as it is at the timeout. */
export async function untilValidated(
  context: Context,
  tenantId: string,
  request: FollowRequest,
): Promise<{ readonly product: Product; readonly elapsedMs: number }> {
  const { productId, timeout, interval } = request;
  const { read: product, elapsedMs } = await followUntil(context, {
    ...{ resource: productId, timeout, interval },
    label: { en: 'validation', pt: 'validação' },
    read: () => fetchProduct(context, tenantId, productId),
    pendingStatus: ({ status }) => (status === 'Active' || status === 'Error' ? undefined : (status ?? '–')),
  });
  return { product, elapsedMs };
}

/** Requests another validation (§4). The answer holds the present state; §4 does not say what the request changes. */
export async function revalidateProduct(context: Context, given: Given<typeof revalidate>): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, given.product);
  const { productId } = named;
  const input = { path: { tenantId, productId } };
  if (settings.dryRun) return { data: await previewOne(context, 'product.revalidate', input) };
  if (named.sku !== undefined) await fetchNamed(context, tenantId, named);
  const client = await context.client();
  const { body } = await client.call('product.revalidate', input, { signal: context.interruption });
  if (given.wait)
    return followed('revalidated', named, await followProduct(context, tenantId, { ...given, productId }));
  return {
    data: { id: productId, ...body },
    // The state in the answer may be that of the validation before.
    sentence: productSentence('revalidated', { name: named.sku ?? productId, status: undefined }),
    notices: [
      {
        en: 'the revalidation is counted as free: the service does not say whether it is billed',
        pt: 'a revalidação conta como gratuita: o serviço não informa se ela é cobrada',
      },
    ],
  };
}
