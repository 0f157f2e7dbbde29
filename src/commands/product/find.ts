import { FiscalError } from '../../errors/fiscal-error.js';
import { productCreate } from '../../jobs/kinds/product.js';
import type { KnownRow, Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { createKey } from './identity.js';
import { PRODUCT } from './remember.js';

/** Whose products: SKUs and ids belong to a tenant of a profile. */
export interface Place {
  readonly space: string;
  readonly tenantId: string;
}

/** A product as a person named it. */
export interface NamedProduct {
  readonly productId: string;
  /** The SKU that stands for it on this machine; absent: it was named by its id. */
  readonly sku?: string;
}

/**
 * The product that a person names by its id or by a SKU which this machine knows; an id wins over a SKU of the same
 * spelling. What is neither is sent only where it has the form of an id: it may have been made elsewhere.
 * Errors, with nothing sent: `product.not_known` (exit 9), `product.several`.
 */
export async function findProduct(context: Context, tenantId: string, value: string): Promise<NamedProduct> {
  const { space } = await context.settings();
  const store = await context.store();
  const known = await store.known.get({ profile: space, kind: PRODUCT, scope: tenantId, id: value });
  if (known !== undefined) return { productId: value };
  const ids = await idsOfSku(store, { space, tenantId }, value);
  const [only] = ids;
  if (ids.length > 1) {
    const shown = ids.join(', ');
    throw new FiscalError('product.several', { value, tenant: tenantId, count: ids.length, ids: shown });
  }
  if (only !== undefined) return { productId: only, sku: value };
  if (hasFormOfId(value)) return { productId: value };
  throw new FiscalError(
    'product.not_known',
    { value, tenant: tenantId },
    {
      sent: 'no',
      hint: {
        en: 'see what this machine knows: fiscal product list; a product that was made elsewhere is reached by its id',
        pt: 'veja o que esta máquina conhece: fiscal product list; um produto criado em outro lugar é acessado pelo id',
      },
    },
  );
}

/** Every product of the tenant that this machine knows under this SKU, also one that an interrupted run has just created. */
export async function idsOfSku(store: Store, place: Place, sku: string): Promise<readonly string[]> {
  const rows = await rowsOfSku(store, place, sku);
  const dedupeKey = createKey(place.tenantId, { sku });
  const holder = await store.items.holder({ profile: place.space, kind: productCreate.name, dedupeKey });
  const created = holder?.resourceId === undefined ? [] : [holder.resourceId];
  return [...new Set([...rows.map((row) => row.id), ...created])];
}

export async function rowsOfSku(store: Store, place: Place, sku: string): Promise<readonly KnownRow[]> {
  return await store.known.list({ profile: place.space, kind: PRODUCT, scope: place.tenantId, label: sku });
}

/** General convention 4 of the service: identifiers are UUIDs or numbers. */
function hasFormOfId(value: string): boolean {
  return (
    /^\d+$/.test(value) || /^(?:[0-9a-f]{24}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/i.test(value)
  );
}
