import type { ItemRow, KnownRow, Store } from '../../store/store.js';
import { contentDigest, createKey } from './identity.js';
import type { ProductCreateInput } from '../../jobs/kinds/product.js';

const PRODUCT = 'product';
/** An index beside the products: what was created under which key, whatever became of it. */
const CREATED = 'product-created';

/** What was seen of a product. */
export interface Sighting {
  readonly space: string;
  readonly tenantId: string;
  readonly id: string;
  readonly sku?: string | undefined;
  readonly status?: string | undefined;
  readonly data: unknown;
}

/** What this machine created under a key. */
export interface Created {
  readonly productId: string;
  readonly jobId: string;
  readonly digest: string;
  readonly status: string | undefined;
  readonly at: number;
}

export async function rememberProduct(store: Store, seen: Sighting, at: number): Promise<void> {
  const { space, tenantId, id, sku, status, data } = seen;
  await store.known.put({
    profile: space,
    kind: PRODUCT,
    scope: tenantId,
    id,
    data,
    seenAt: at,
    ...(sku === undefined ? {} : { label: sku }),
    ...(status === undefined ? {} : { status }),
  });
}

/** Keeps what an item of `product-create` left at the service: the product, and that its key was used. */
export async function rememberCreated(store: Store, space: string, item: ItemRow): Promise<void> {
  const { resourceId, remoteStatus } = item;
  if (resourceId === undefined) return;
  // The row was written by the kind `product-create`, whose input has this type.
  const { tenantId, product } = item.input as ProductCreateInput;
  const sku = typeof product.sku === 'string' ? product.sku : undefined;
  const data = { ...product, id: resourceId, status: remoteStatus };
  const seenAt = item.updatedAt;
  const status = remoteStatus === undefined ? {} : { status: remoteStatus };
  await Promise.all([
    rememberProduct(store, { space, tenantId, id: resourceId, sku, status: remoteStatus, data }, seenAt),
    store.known.put({
      profile: space,
      kind: CREATED,
      scope: tenantId,
      id: createKey(tenantId, product),
      data: { productId: resourceId, jobId: item.jobId, digest: contentDigest(product), at: item.sentAt },
      seenAt,
      ...status,
    }),
  ]);
}

/** What was created under this key before, if anything. */
export async function findCreated(
  store: Store,
  key: { readonly space: string; readonly tenantId: string; readonly key: string },
): Promise<Created | undefined> {
  const row = await store.known.get({
    profile: key.space,
    kind: CREATED,
    scope: key.tenantId,
    id: key.key,
  });
  return row === undefined ? undefined : readCreated(row);
}

function readCreated(row: KnownRow): Created {
  // Written by `rememberCreated` alone.
  const data = row.data as { productId: string; jobId: string; digest: string; at?: number };
  const { productId, jobId, digest, at } = data;
  return { productId, jobId, digest, status: row.status, at: at ?? row.firstSeenAt };
}

/** Newest first. */
export async function knownProducts(
  store: Store,
  filter: {
    readonly space: string;
    readonly tenantId: string | undefined;
    readonly status: string | undefined;
    readonly limit: number | undefined;
  },
): Promise<readonly KnownRow[]> {
  const { space, tenantId, status, limit } = filter;
  return store.known.list({
    profile: space,
    kind: PRODUCT,
    ...(tenantId === undefined ? {} : { scope: tenantId }),
    ...(status === undefined ? {} : { status }),
    ...(limit === undefined ? {} : { limit }),
  });
}
