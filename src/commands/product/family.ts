import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { productDifferences } from '../../domain/product-difference.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons, said, type Reason } from '../../errors/reasons.js';
import { Prose } from '../../domain/prose.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { BatchFamily, ItemProblem } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { unknownOutcome } from '../../services/batch/single-job.js';
import type { ItemRow, Store } from '../../store/store.js';
import { type ProductScope, PRODUCT, rememberCreated } from './known-products.js';
import { conflictingProduct, productEndedBadly } from './outcome.js';

/** The batch family of products: their id, the problems of skipped ones, and what the store remembers of them. */
export function productFamily(context: Context, storeNamespace: string): BatchFamily {
  return {
    label: { en: 'products', pt: 'produtos' },
    idField: 'productId',
    next: { en: 'see them: fiscal product list', pt: 'veja os produtos: fiscal product list' },
    fields: (item, duplicate) => {
      const productId = item.resourceId ?? duplicate?.resourceId;
      return {
        ...(productId === undefined ? {} : { productId }),
        ...(duplicate === undefined ? {} : { duplicateOf: duplicate.id }),
        ...(duplicate?.jobId === item.jobId ? { duplicateOfLine: duplicate.ordinal } : {}),
      };
    },
    problem: async (item, duplicate) => await problemOf(context, { storeNamespace, item, duplicate }),
    conflict: (operation) => (operation === productCreate.submit ? conflictingProduct : undefined),
    notices: ({ counts }) => (counts.rejected > 0 ? [correct] : []),
    accepted,
    keep: async (items) => {
      const store = await context.store();
      await Promise.all(items.map((item) => rememberCreated(store, storeNamespace, item)));
    },
  };
}

interface Skipped {
  readonly storeNamespace: string;
  readonly item: ItemRow;
  readonly duplicate: ItemRow | undefined;
}

/** Skipping is right for a product that exists with the content of the record; everything else is a problem. */
async function problemOf(
  context: Context,
  { storeNamespace, item, duplicate }: Skipped,
): Promise<ItemProblem | undefined> {
  // The record repeats another one of the same file.
  if (duplicate === undefined || duplicate.jobId === item.jobId) return undefined;
  if (duplicate.state === 'uncertain') return problem(unknownOutcome(duplicate), resolveIt(duplicate.id));
  const { label: name, jobId: job, resourceId: id } = duplicate;
  if (id === undefined) return problem(new FiscalError('product.in_work', { name, job }));
  // Both rows were written by the kinds of products, whose inputs have this type.
  const { product: wanted } = item.input as ProductCreateInput;
  const { tenantId, product: created } = duplicate.input as ProductCreateInput;
  const { remoteStatus: status, reason } = duplicate;
  const existing = { id, name, wanted, created, status, reason };
  return await problemOfExisting(await context.store(), { storeNamespace, tenantId }, existing);
}

const correct: Text = {
  en: 'correct the rows, then update the products: fiscal product apply <file>',
  pt: 'corrija as linhas e atualize os produtos: fiscal product apply <arquivo>',
};

/** Products whose validation goes on, with what follows it. */
export function stillValidated(count: number, next: Text): Text {
  return counted(count, {
    en: [
      `# product is accepted, and its validation has not finished yet; ${next.en}`,
      `# products are accepted, and their validation has not finished yet; ${next.en}`,
    ],
    pt: [
      `# produto foi aceito, e a validação ainda não terminou; ${next.pt}`,
      `# produtos foram aceitos, e a validação ainda não terminou; ${next.pt}`,
    ],
  });
}

function accepted(count: number, jobId: string): Text {
  const line = `fiscal job resume ${jobId} --wait`;
  return stillValidated(count, { en: `follow it: ${line}`, pt: `acompanhe: ${line}` });
}

/** A product that exists already for a record of an import. */
export interface Existing {
  readonly id: string;
  readonly name: string;
  /** The content of the record. */
  readonly wanted: ProductInput;
  /** The content that was sent, used if nothing newer is known. */
  readonly created?: unknown;
  readonly status?: string | undefined;
  readonly reason?: Reason | undefined;
}

/** Why an existing product differs from its record, by the newest known state; `undefined`: it matches. */
export async function problemOfExisting(
  store: Store,
  { storeNamespace, tenantId }: ProductScope,
  existing: Existing,
): Promise<ItemProblem | undefined> {
  const { id, name, wanted } = existing;
  const known = await store.known.get({ profile: storeNamespace, kind: PRODUCT, scope: tenantId, id });
  if (productDifferences(known?.data ?? existing.created, wanted).length > 0) {
    return problem(new FiscalError('product.already_created', { name, id }), reasons.bringToFile);
  }
  const status = known?.status ?? existing.status;
  if (status !== 'Error') return undefined;
  const words = textField(known?.data, 'errorMessage');
  const reason = words === undefined ? existing.reason : said(words);
  return problem(productEndedBadly({ id, status, reason }), reasons.bringToFile);
}

/** A problem as the record of an item shows it. */
export function problem({ code, text }: FiscalError, next?: Text): ItemProblem {
  const whole = next === undefined ? text : { en: `${text.en}; ${next.en}`, pt: `${text.pt}; ${next.pt}` };
  return { errorCode: code, error: new Prose(whole) };
}

function resolveIt(id: string): Text {
  const line = `fiscal job resolve ${id}`;
  return { en: line, pt: line };
}
