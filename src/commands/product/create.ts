import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasTaxRules, productCreate } from '../../jobs/kinds/product.js';
import type { ItemRow } from '../../store/store.js';
import { billedNotices } from '../../services/billed-notices.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { contentDigest, createKey, labelOf } from './identity.js';
import { findEarlier, type Earlier } from './earlier.js';
import { updateLine } from './endings.js';
import { readProduct, type ProductFields } from './read-product.js';
import { rememberCreated } from './remember.js';
import { runSingle, withConflictHint, type FollowOptions, type SingleResult } from '../../services/single-job.js';
import { tenantOf } from '../../services/read-tenant.js';
import { conflictingProduct } from './endings.js';
import { requireValidated } from './validated.js';
import { followProduct } from './wait.js';

export interface CreateRequest extends FollowOptions {
  readonly file: string | undefined;
  readonly fields: ProductFields;
  readonly again: boolean;
  readonly unchecked: boolean;
}

/** What a create gives back. */
export interface CreatedProduct extends DataRecord {
  readonly type: 'product';
  readonly id: string;
  readonly status: string | undefined;
  readonly jobId: string;
}

/**
 * Creates a product as a job of one item: written before it is sent, and the same content is never sent twice by this
 * machine unless `again` asks for it. Errors: `input.*`, `product.already_created`, `outcome.unknown` (exit 3),
 * `outcome.ended_badly` and `outcome.still_pending` with `wait`, and those of the client.
 */
export async function createProduct(context: Context, request: CreateRequest): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const { product, notices } = await readProduct(context, { ...request, forCreate: true });
  const billed = hasTaxRules(product);
  if (settings.dryRun) {
    const preview = await previewOne(context, 'product.create', { path: { tenantId }, body: product });
    return { data: { ...preview, billedCalls: billed ? 1 : 0 }, notices };
  }
  const key = createKey(tenantId, product);
  if (!request.again) {
    const earlier = await findEarlier(context, { space: settings.space, tenantId, key, product });
    if (earlier !== undefined) return await repeat(context, { earlier, product, request });
  }
  if (request.again) context.goOn.byJobOnly();
  const suffix = request.again ? ` again ${context.random.uuid()}` : '';
  const single = await runSingle(
    context,
    {
      kind: productCreate,
      profile: settings.space,
      inputDigest: `${key} ${contentDigest(product)}${suffix}`,
      scope: { tenantId },
      items: [
        { ordinal: 1, label: labelOf(product), dedupeKey: `${key}${suffix}`, input: { tenantId, product } },
      ],
    },
    request,
  );
  return await conclude(context, { single, request, notices });
}

interface Ending {
  readonly single: SingleResult;
  readonly request: CreateRequest;
  readonly notices: readonly Text[];
}

async function conclude(context: Context, { single, request, notices }: Ending): Promise<Outcome> {
  const { space } = await context.settings();
  if (single.item.resourceId !== undefined) await rememberCreated(await context.store(), space, single.item);
  const item = withConflictHint(conflictingProduct, () => requireValidated(single, request.wait));
  return {
    data: createdOf(item),
    notices: [...notices, ...billedNotices(single.result.billed, 'engine')],
  };
}

function createdOf(item: ItemRow): CreatedProduct {
  return { type: 'product', id: item.resourceId ?? '', status: item.remoteStatus, jobId: item.jobId };
}

interface Repetition {
  readonly earlier: Earlier;
  readonly product: ProductInput;
  readonly request: CreateRequest;
}

/** The same content was created before: nothing is sent, and the answer is the one of the first time. */
async function repeat(context: Context, { earlier, product, request }: Repetition): Promise<Outcome> {
  const { productId, jobId, status, at } = earlier;
  if (!earlier.isSameContent) throw alreadyCreated(labelOf(product), earlier);
  const notices = [alreadyThere(new Date(at).toISOString(), productId)];
  if (request.wait) {
    const tenantId = await tenantOf(context);
    const followed = await followProduct(context, tenantId, { productId, ...request });
    return { data: { type: 'product', id: productId, status: followed.status, jobId }, notices };
  }
  const data: CreatedProduct = { type: 'product', id: productId, status, jobId };
  return { data, notices };
}

function alreadyCreated(name: string, earlier: Earlier): FiscalError {
  const { productId, jobId } = earlier;
  return new FiscalError(
    'product.already_created',
    { name, id: productId },
    {
      jobId,
      sent: 'no',
      hint: {
        en: `to replace it: ${updateLine(productId)} --file <file>; to create another: --again`,
        pt: `para substituir: ${updateLine(productId)} --file <arquivo>; para criar outro: --again`,
      },
    },
  );
}

function alreadyThere(at: string, productId: string): Text {
  return {
    en: `already created on ${at} as ${productId}; nothing was sent (--again creates another)`,
    pt: `já criado em ${at} como ${productId}; nada foi enviado (--again cria outro)`,
  };
}
