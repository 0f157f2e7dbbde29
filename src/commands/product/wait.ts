import type { Product } from '../../contract/product.js';
import type { Outcome } from '../../domain/outcome.js';
import { pollDelayMs } from '../../jobs/decide.js';
import type { Context } from '../../services/context.js';
import { productEndedBadly, productStillPending } from './endings.js';
import { findProduct } from './find.js';
import { fetchNamed, fetchProduct } from './get.js';
import { tenantOf } from '../../services/read-tenant.js';
import { sleepUntilTold } from '../../services/told.js';

export interface FollowRequest {
  readonly productId: string;
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

export interface WaitRequest extends Omit<FollowRequest, 'productId'> {
  /** Its id, or a SKU that this machine knows. */
  readonly product: string;
}

/**
 * Reads a product until its validation has ended. A status that no list names is waited for as well, never taken
 * for success (§3). Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function waitForProduct(context: Context, request: WaitRequest): Promise<Outcome<Product>> {
  const tenantId = await tenantOf(context);
  const named = await findProduct(context, tenantId, request.product);
  const { productId } = named;
  if (named.sku !== undefined) await fetchNamed(context, tenantId, named);
  return { data: await followProduct(context, tenantId, { ...request, productId }) };
}

export async function followProduct(
  context: Context,
  tenantId: string,
  request: FollowRequest,
): Promise<Product> {
  const id = request.productId;
  const { product, elapsedMs } = await untilValidated(context, tenantId, request);
  if (product.status === 'Active') return product;
  if (product.status === 'Error') throw productEndedBadly({ ...product, id });
  throw productStillPending({ ...product, id }, Math.round(elapsedMs / 1000));
}

/** The product when its validation has ended, or as it is when the time is up. */
export async function untilValidated(
  context: Context,
  tenantId: string,
  request: FollowRequest,
): Promise<{ readonly product: Product; readonly elapsedMs: number }> {
  const { productId, timeoutMs, intervalMs } = request;
  const startedAt = context.clock.uptime();
  try {
    for (;;) {
      const since = (await context.store()).clock.now();
      const product = await fetchProduct(context, tenantId, productId);
      const age = context.clock.uptime() - startedAt;
      const hasEnded = product.status === 'Active' || product.status === 'Error';
      if (hasEnded || age >= timeoutMs) return { product, elapsedMs: age };
      showStatus(context, product.status);
      const pause = Math.min(pollDelayMs(age, intervalMs), timeoutMs - age);
      await sleepUntilTold(context, pause, { resource: productId, since });
    }
  } finally {
    context.progress.stop();
  }
}

function showStatus(context: Context, status: string): void {
  context.progress.report({
    label: { en: `validation: ${status}`, pt: `validação: ${status}` },
    done: 0,
    total: 1,
  });
}
