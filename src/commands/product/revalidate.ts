import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { findProduct } from './find.js';
import { fetchNamed } from './get.js';
import { tenantOf } from '../../services/read-tenant.js';
import { followProduct } from './wait.js';

export interface RevalidateRequest {
  /** Its id, or a SKU that this machine knows. */
  readonly product: string;
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

/** Asks for the validation again (§4). The answer is the present state; what it moves is not shown by the document. */
export async function revalidateProduct(context: Context, request: RevalidateRequest): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, request.product);
  const { productId } = named;
  const input = { path: { tenantId, productId } };
  if (settings.dryRun) return { data: await previewOne(context, 'product.revalidate', input) };
  if (named.sku !== undefined) await fetchNamed(context, tenantId, named);
  const client = await context.client();
  const { body } = await client.call('product.revalidate', input, { signal: context.interruption });
  if (request.wait) return { data: await followProduct(context, tenantId, { ...request, productId }) };
  return {
    data: { id: productId, ...body },
    notices: [
      {
        en: 'a revalidation is treated as free: the service does not say whether it is billed',
        pt: 'a revalidação é tratada como gratuita: o serviço não informa se ela é cobrada',
      },
    ],
  };
}
