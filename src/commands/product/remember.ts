import type { ItemRow, ItemState, KnownRow, Store } from '../../store/store.js';
import { contentDigest, createKey } from './identity.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';

/** What this machine has seen of products: by id, with the SKU as label. */
export const PRODUCT = 'product';
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

/**
 * Keeps what an item of `product-create` or `product-update` left at the service: the product, and that its key was used.
 * What was seen of the product since then stays.
 */
export async function rememberCreated(store: Store, space: string, item: ItemRow): Promise<void> {
  const { resourceId, remoteStatus } = item;
  if (resourceId === undefined) return;
  // The row was written by one of the two kinds, whose inputs have this type.
  const { tenantId, product } = item.input as ProductCreateInput;
  const known = await store.known.get({ profile: space, kind: PRODUCT, scope: tenantId, id: resourceId });
  if (known !== undefined && known.seenAt > item.updatedAt) return;
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

/** What the items of runs that did not come to their end have left at the service: a run keeps it at its end. */
export async function rememberInterrupted(store: Store, space: string): Promise<void> {
  const jobs = await store.jobs.list({ profile: space, kind: productCreate.name, states: ['open'] });
  for (const job of jobs) {
    for (let afterOrdinal = 0, page: readonly ItemRow[] = []; ; afterOrdinal = page.at(-1)?.ordinal ?? 0) {
      page = await store.items.list(job.id, { states: created, limit: PAGE, afterOrdinal });
      await Promise.all(page.map((item) => rememberCreated(store, space, item)));
      if (page.length < PAGE) break;
    }
  }
}

const PAGE = 500;
const created: readonly ItemState[] = ['pending', 'succeeded', 'rejected'];

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
