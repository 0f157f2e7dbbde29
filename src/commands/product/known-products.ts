import type { Given } from '../../cli/command.js';
import type { list } from './commands.js';
import { createHash } from 'node:crypto';
import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { itemPages } from '../../jobs/item-pages.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import type { Context } from '../../services/context.js';
import type { ItemRow, ItemState, KnownRow, Store } from '../../store/store.js';

/** The digest of a product's content: the same whatever the order, spacing and letter case of its input. */
export function contentDigest(product: ProductInput): string {
  return createHash('sha256').update(canonicalJson(product)).digest('hex');
}

/**
 * The key that must not be created twice: a sku within its collection and tenant; without a sku, the content itself.
 * The service does not promise unique skus (§4), so this is a rule of the client.
 */
export function createKey(tenantId: string, product: ProductInput): string {
  const sku = skuOf(product);
  if (sku === undefined) return `${tenantId} content ${contentDigest(product)}`;
  return canonicalJson([tenantId, collectionOf(product) ?? '', sku]);
}

/** The sku of a product, also of one that was not checked and may spell the name in any letter case (§2). */
export function skuOf(product: unknown): string | undefined {
  return textOf(product, 'sku');
}

export function collectionOf(product: unknown): string | undefined {
  return textOf(product, 'collectionid');
}

function textOf(product: unknown, lowerName: string): string | undefined {
  if (!isRecord(product)) return undefined;
  const value = Object.entries(product).find(([name]) => name.toLowerCase() === lowerName)?.[1];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The key that must not be in flight twice: the same new content of the same product. */
export function updateKey(tenantId: string, productId: string, product: ProductInput): string {
  return canonicalJson([tenantId, productId, contentDigest(product)]);
}

/** The name of a product in messages: its sku, else its description. */
export function labelOf(product: ProductInput, otherwise = 'product'): string {
  const { description } = product;
  const sku = skuOf(product);
  if (sku !== undefined) return sku;
  return typeof description === 'string' && description !== '' ? description : otherwise;
}

/** Known products: by id, with the SKU as label. */
export const PRODUCT = 'product';
/** An index of the keys under which products were created, whatever their state is now. */
const CREATED = 'product-created';

/** A product as it was read or sent. */
export interface Sighting {
  readonly storeNamespace: string;
  readonly tenantId: string;
  readonly id: string;
  readonly sku?: string | undefined;
  readonly status?: string | undefined;
  readonly data: unknown;
}

/** A product that this machine created under a key. */
export interface Created {
  readonly productId: string;
  readonly jobId: string;
  readonly digest: string;
  readonly status: string | undefined;
  readonly at: number;
}

/** `durable: false` for a product that was only read. */
export async function rememberProduct(
  store: Store,
  seen: Sighting,
  at: number,
  options?: { readonly durable: boolean },
): Promise<void> {
  const { storeNamespace, tenantId, id, sku, status, data } = seen;
  const row = {
    profile: storeNamespace,
    kind: PRODUCT,
    scope: tenantId,
    id,
    data,
    seenAt: at,
    ...(sku === undefined ? {} : { label: sku }),
    ...(status === undefined ? {} : { status }),
  };
  await store.known.put(row, options);
}

/**
 * Remembers the product of an item of `product-create` or `product-update`, and that its key was used. A newer sighting of the
 * product is kept.
 */
export async function rememberCreated(store: Store, storeNamespace: string, item: ItemRow): Promise<void> {
  const { resourceId, remoteStatus } = item;
  if (resourceId === undefined) return;
  // The row was written by one of the two kinds, whose inputs have this type.
  const { tenantId, product } = item.input as ProductCreateInput;
  const known = await store.known.get({ profile: storeNamespace, kind: PRODUCT, scope: tenantId, id: resourceId });
  if (known !== undefined && known.seenAt > item.updatedAt) return;
  const sku = typeof product.sku === 'string' ? product.sku : undefined;
  const data = { ...product, id: resourceId, status: remoteStatus };
  const seenAt = item.updatedAt;
  const status = remoteStatus === undefined ? {} : { status: remoteStatus };
  await Promise.all([
    rememberProduct(store, { storeNamespace, tenantId, id: resourceId, sku, status: remoteStatus, data }, seenAt),
    store.known.put({
      profile: storeNamespace,
      kind: CREATED,
      scope: tenantId,
      id: createKey(tenantId, product),
      data: { productId: resourceId, jobId: item.jobId, digest: contentDigest(product), at: item.sentAt },
      seenAt,
      ...status,
    }),
  ]);
}

/** Remembers the products of interrupted runs: a run does so at its end. */
export async function rememberInterrupted(store: Store, storeNamespace: string): Promise<void> {
  const jobs = await store.jobs.list({ profile: storeNamespace, kind: productCreate.name, states: ['open'] });
  for (const job of jobs) {
    for await (const page of itemPages(store, job.id, { states: created }))
      await Promise.all(page.map((item) => rememberCreated(store, storeNamespace, item)));
  }
}

const created: readonly ItemState[] = ['pending', 'succeeded', 'rejected'];

/** The product that was created under this key, if any. */
export async function findCreated(
  store: Store,
  key: { readonly storeNamespace: string; readonly tenantId: string; readonly key: string },
): Promise<Created | undefined> {
  const row = await store.known.get({ profile: key.storeNamespace, kind: CREATED, scope: key.tenantId, id: key.key });
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
    readonly storeNamespace: string;
    readonly tenantId: string | undefined;
    readonly status: string | undefined;
    readonly limit: number | undefined;
  },
): Promise<readonly KnownRow[]> {
  const { storeNamespace, tenantId, status, limit } = filter;
  return store.known.list({
    profile: storeNamespace,
    kind: PRODUCT,
    ...(tenantId === undefined ? {} : { scope: tenantId }),
    ...(status === undefined ? {} : { status }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** The tenant of a profile: SKUs and ids are unique within it. */
export interface ProductScope {
  readonly storeNamespace: string;
  readonly tenantId: string;
}

/** The product that a command names. */
export interface NamedProduct {
  readonly productId: string;
  /** The SKU by which it was named; absent when it was named by its id. */
  readonly sku?: string;
}

/**
 * Finds a product by its id or by a SKU that this machine knows; an id wins over a SKU of the same spelling. A value that is
 * neither is used only if it has the form of an id: the product may have been created elsewhere.
 * Errors, with nothing sent: `product.not_known` (exit 9), `product.several`.
 */
export async function findProduct(context: Context, tenantId: string, value: string): Promise<NamedProduct> {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  const known = await store.known.get({ profile: storeNamespace, kind: PRODUCT, scope: tenantId, id: value });
  if (known !== undefined) return { productId: value };
  const ids = await idsOfSku(store, { storeNamespace, tenantId }, value);
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
        en: 'see what this machine knows: fiscal product list; for a product that was created elsewhere, use its id',
        pt: 'veja o que esta máquina conhece: fiscal product list; para um produto criado em outro lugar, use o id',
      },
    },
  );
}

/** Ids of all products of the tenant with this SKU, including one that an interrupted run has just created. */
export async function idsOfSku(store: Store, scope: ProductScope, sku: string): Promise<readonly string[]> {
  const rows = await rowsOfSku(store, scope, sku);
  const dedupeKey = createKey(scope.tenantId, { sku });
  const holder = await store.items.holder({ profile: scope.storeNamespace, kind: productCreate.name, dedupeKey });
  const created = holder?.resourceId === undefined ? [] : [holder.resourceId];
  return [...new Set([...rows.map((row) => row.id), ...created])];
}

export async function rowsOfSku(store: Store, scope: ProductScope, sku: string): Promise<readonly KnownRow[]> {
  return await store.known.list({ profile: scope.storeNamespace, kind: PRODUCT, scope: scope.tenantId, label: sku });
}

/** General convention 4 of the service: identifiers are UUIDs or numbers. */
function hasFormOfId(value: string): boolean {
  return /^\d+$/.test(value) || /^(?:[0-9a-f]{24}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/i.test(value);
}

/** Lists the products that this machine has seen: the service has no list of products (§4). */
export async function listProducts(context: Context, { status, limit }: Given<typeof list>): Promise<Outcome> {
  const settings = await context.settings();
  const { storeNamespace } = settings;
  // Without a profile and a key there is no account whose products these could be: an empty list would be a claim.
  if (settings.profile === undefined) await (await context.config()).credential('invoice', settings);
  const tenant = await (await context.scope()).tenant();
  const store = await context.store();
  await rememberInterrupted(store, storeNamespace);
  const rows = await knownProducts(store, { storeNamespace, tenantId: tenant, status, limit });
  return { data: rows.map(shown), notices: [onlyThisMachine] };
}

function shown(row: KnownRow) {
  return {
    id: row.id,
    ...(row.label === undefined ? {} : { sku: row.label }),
    ...nameOf(row.data),
    ...(row.status === undefined ? {} : { status: row.status }),
    seenAt: new Date(row.seenAt).toISOString(),
    firstSeenAt: new Date(row.firstSeenAt).toISOString(),
    tenantId: row.scope,
  };
}

/** Its description. */
function nameOf(data: unknown): { readonly name?: string } {
  if (!isRecord(data)) return {};
  const { description } = data;
  return typeof description === 'string' ? { name: description } : {};
}

const onlyThisMachine: Text = {
  en: 'these are the products that this machine knows, each as it was at seenAt: the service has no list of products',
  pt: 'estes são os produtos que esta máquina conhece, cada um como na última consulta (seenAt): o serviço não tem lista de produtos',
};
