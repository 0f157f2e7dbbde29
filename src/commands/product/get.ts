import type { Product } from '../../contract/product.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasOtherSku, productIn } from '../../jobs/kinds/product.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { productEndedBadly, stateOf } from './outcome.js';
import { findProduct, type NamedProduct, rememberProduct } from './known-products.js';
import type { Given } from '../../cli/command.js';
import type { get } from './commands.js';
import { tenantOf } from '../../services/scope/companies.js';

/** Reads a product once; with `exitStatus`, exits 8 while the validation runs, and 13 for Error. */
export async function getProduct(
  context: Context,
  { product: typed, exitStatus }: Pick<Given<typeof get>, 'product' | 'exitStatus'>,
): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, typed);
  const { productId } = named;
  if (settings.dryRun) {
    return { data: await previewOne(context, 'product.get', { path: { tenantId, productId } }) };
  }
  const product = await fetchNamed(context, tenantId, named);
  if (!exitStatus || product.status === 'Active') return { data: product };
  if (product.status === 'Error') throw productEndedBadly(stateOf(productId, product));
  return { data: product, exitCode: ExitCode.pending };
}

/**
 * Reads a product by the name that the command gave. Errors: `product.other_sku` if it was named by a SKU and the service returns
 * another one that is not in `skus`; those of `fetchProduct`.
 */
export async function fetchNamed(
  context: Context,
  tenantId: string,
  { productId: id, sku }: NamedProduct,
  skus: readonly string[] = [],
): Promise<Product> {
  const product = await fetchProduct(context, tenantId, id);
  if (sku === undefined || [sku, ...skus].some((each) => !hasOtherSku(product, { sku: each }))) return product;
  const get = `fiscal product get ${id}`;
  throw new FiscalError(
    'product.other_sku',
    { name: sku, id, sku: String(product.sku) },
    {
      retryable: false,
      hint: {
        en: `see it: ${get}; if it is the one you mean, use its id`,
        pt: `veja-o: ${get}; se for o que você quer, use o id dele`,
      },
    },
  );
}

/** Reads a product and remembers it. Error: `service.unreadable` for an answer that is not a product. */
export async function fetchProduct(context: Context, tenantId: string, productId: string): Promise<Product> {
  const [client, settings] = await Promise.all([context.client(), context.settings()]);
  const product = productIn(
    await client.call('product.get', { path: { tenantId, productId } }, { signal: context.interruption }),
  );
  const sku = typeof product.sku === 'string' ? product.sku : undefined;
  const sighting = {
    storeNamespace: settings.storeNamespace,
    tenantId,
    id: productId,
    sku,
    status: product.status ?? undefined,
    data: product,
  };
  await rememberProduct(await context.store(), sighting, context.clock.now(), { durable: false });
  return product;
}
