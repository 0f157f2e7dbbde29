import type { Product } from '../../contract/product.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../context.js';
import { productEndedBadly } from './endings.js';
import { rememberProduct } from './remember.js';
import { tenantOf } from './tenant.js';

export interface GetRequest {
  readonly productId: string;
  /** The exit code tells the state: 8 while the validation runs, 13 for Error. */
  readonly exitStatus: boolean;
}

/** Reads a product once. */
export async function getProduct(context: Context, request: GetRequest): Promise<Outcome> {
  const { productId, exitStatus } = request;
  const tenantId = tenantOf(await context.settings());
  if ((await context.settings()).dryRun) {
    const client = await context.client();
    return { data: await client.preview('product.get', { path: { tenantId, productId } }) };
  }
  const product = await fetchProduct(context, tenantId, productId);
  if (!exitStatus || product.status === 'Active') return { data: product };
  if (product.status === 'Error') throw productEndedBadly({ ...product, id: productId });
  return { data: product, exitCode: 8 };
}

/** One read, kept in what this machine knows. */
export async function fetchProduct(context: Context, tenantId: string, productId: string): Promise<Product> {
  const [client, settings] = await Promise.all([context.client(), context.settings()]);
  const { body } = await client.call(
    'product.get',
    { path: { tenantId, productId } },
    { signal: context.interruption },
  );
  const store = await context.store();
  const { sku, status } = body;
  const sighting = { space: settings.space, tenantId, id: productId, sku, status, data: body };
  await rememberProduct(store, sighting, context.clock.now());
  return body;
}
