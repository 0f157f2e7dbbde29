import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { momentInWords } from '../../domain/dates.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasTaxRules, productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import { billedNotices } from '../../services/batch/notices.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { tenantOf } from '../../services/scope/companies.js';
import { runSingle, type SingleResult, unknownOutcome, withConflictHint } from '../../services/batch/single-job.js';
import type { ItemRow } from '../../store/store.js';
import { conflictingProduct, requireValidated, updateLine } from './outcome.js';
import { contentDigest, createKey, findCreated, labelOf, rememberCreated } from './known-products.js';
import { readProduct } from './read-product.js';
import type { create } from './commands.js';
import type { Given } from '../../cli/command.js';
import { followProduct } from './validation.js';
import { productSentence } from './sentence.js';

type CreateGiven = Given<typeof create>;

export interface CreatedProduct extends DataRecord {
  readonly type: 'product';
  readonly id: string;
  readonly status: string | undefined;
  readonly jobId: string;
}

/**
 * Creates a product as a job of one item, which is stored before it is sent. This machine never sends the same content twice
 * unless `again` is set. Errors: `input.*`, `product.already_created`, `outcome.unknown` (exit 3),
 * `outcome.ended_badly` and `outcome.still_pending` with `wait`, and those of the client.
 */
export async function createProduct(context: Context, given: CreateGiven): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const { product, notices } = await readProduct(context, given, { forCreate: true });
  const billed = hasTaxRules(product);
  if (settings.dryRun) {
    const preview = await previewOne(context, productCreate.submit, { path: { tenantId }, body: product });
    return { data: { ...preview, billedCalls: billed ? 1 : 0 }, notices };
  }
  const key = createKey(tenantId, product);
  if (!given.again) {
    const earlier = await findEarlier(context, { storeNamespace: settings.storeNamespace, tenantId, key, product });
    if (earlier !== undefined) return await repeat(context, { earlier, product, given });
  }
  if (given.again) context.goOn.byJobOnly();
  const suffix = given.again ? ` again ${context.random.uuid()}` : '';
  const single = await runSingle(
    context,
    {
      kind: productCreate,
      profile: settings.storeNamespace,
      inputDigest: `${key} ${contentDigest(product)}${suffix}`,
      scope: { tenantId },
      items: [{ ordinal: 1, label: labelOf(product), dedupeKey: `${key}${suffix}`, input: { tenantId, product } }],
    },
    given,
  );
  return await outcomeOf(context, { single, given, notices });
}

interface Created {
  readonly single: SingleResult;
  readonly given: CreateGiven;
  readonly notices: readonly Text[];
}

async function outcomeOf(context: Context, { single, given, notices }: Created): Promise<Outcome> {
  const { storeNamespace } = await context.settings();
  if (single.item.resourceId !== undefined) await rememberCreated(await context.store(), storeNamespace, single.item);
  const item = withConflictHint(conflictingProduct, () => requireValidated(single, given.wait));
  return {
    data: createdOf(item),
    sentence: productSentence('created', {
      name: item.label,
      status: item.remoteStatus,
      billedCalls: single.result.billed.billed,
    }),
    notices: [...notices, ...billedNotices(single.result.billed, 'engine')],
  };
}

function createdOf(item: ItemRow): CreatedProduct {
  return { type: 'product', id: item.resourceId ?? '', status: item.remoteStatus, jobId: item.jobId };
}

interface Repeated {
  readonly earlier: Earlier;
  readonly product: ProductInput;
  readonly given: CreateGiven;
}

/** The same content was created before: nothing is sent, and the first result is returned. */
async function repeat(context: Context, { earlier, product, given }: Repeated): Promise<Outcome> {
  const { productId, jobId, status, at } = earlier;
  if (!earlier.isSameContent) throw alreadyCreated(labelOf(product), earlier);
  const notices = [alreadyThere(momentInWords(at), productId)];
  if (given.wait) {
    const tenantId = await tenantOf(context);
    const followed = await followProduct(context, tenantId, { productId, ...given });
    const sentence = productSentence('unchanged', { name: labelOf(product), status: followed.status });
    return { data: { type: 'product', id: productId, status: followed.status, jobId }, sentence, notices };
  }
  const data: CreatedProduct = { type: 'product', id: productId, status, jobId };
  return { data, sentence: productSentence('unchanged', { name: labelOf(product), status }), notices };
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

function alreadyThere(at: Text, productId: string): Text {
  return {
    en: `already created on ${at.en} as ${productId}; nothing was sent (--again creates another)`,
    pt: `já criado em ${at.pt} como ${productId}; nada foi enviado (--again cria outro)`,
  };
}

/** A product that this machine has created under the same key. */
export interface Earlier {
  readonly productId: string;
  readonly jobId: string;
  readonly status: string | undefined;
  readonly at: number;
  readonly isSameContent: boolean;
}

export interface EarlierQuery {
  readonly storeNamespace: string;
  readonly tenantId: string;
  readonly key: string;
  readonly product: ProductInput;
}

/**
 * Finds the product of this key: of the item that holds the key, else of the index of created products (a product in Error no
 * longer holds its key, but exists). `undefined`: there is none, or an unfinished send of the same content, which is resumed.
 * Errors: `outcome.unknown`, `job.key_held`.
 */
export async function findEarlier(context: Context, query: EarlierQuery): Promise<Earlier | undefined> {
  const store = await context.store();
  const { storeNamespace, tenantId, key, product } = query;
  const digest = contentDigest(product);
  const holder = await store.items.holder({ profile: storeNamespace, kind: productCreate.name, dedupeKey: key });
  if (holder !== undefined) return await fromHolder(context, holder, digest);
  const created = await findCreated(store, { storeNamespace, tenantId, key });
  return created === undefined ? undefined : { ...created, isSameContent: created.digest === digest };
}

async function fromHolder(context: Context, holder: ItemRow, digest: string): Promise<Earlier | undefined> {
  if (holder.state === 'uncertain') throw unknownOutcome(holder);
  // The row was written by the kind `product-create`, whose input has this type.
  const isSameContent = contentDigest((holder.input as ProductCreateInput).product) === digest;
  const { resourceId, jobId, remoteStatus, sentAt, updatedAt } = holder;
  if (resourceId !== undefined) {
    return { productId: resourceId, jobId, status: remoteStatus, at: sentAt ?? updatedAt, isSameContent };
  }
  const store = await context.store();
  const job = await store.jobs.get(jobId);
  if (isSameContent && job?.inputDigest.endsWith(` ${digest}`)) return undefined;
  throw new FiscalError(
    'job.key_held',
    { label: holder.label, id: holder.id },
    { jobId, sent: 'no', resume: `fiscal job resume ${jobId}` },
  );
}
