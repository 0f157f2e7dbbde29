import type { Answer, Client } from '../../client/client.js';
import type { Product, ProductInput } from '../../contract/product.js';
import { exactJson } from '../../domain/json-numbers.js';
import { type FieldChange, productDifferences } from '../../domain/product-difference.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons, said } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import type { ItemRow } from '../../store/store.js';
import type { AdmitContext, JobKind, LookupContext, LookupResult, Observation } from '../kind.js';
import { changedMeanwhile, MOST_NAMED } from '../resources/resource.js';
import { textField } from './answer-fields.js';

/** The input of a `product-create` item. */
export interface ProductCreateInput {
  readonly tenantId: string;
  readonly product: ProductInput;
}

/** The input of a `product-update` item. */
export interface ProductUpdateInput extends ProductCreateInput {
  readonly productId: string;
  /** The value of each field that the update was to change when the product was read for it; null: it had none. */
  readonly seen: Readonly<Record<string, unknown>>;
}

/** Replay is unsafe: the service has no product list in which an interrupted send could be found (§4). */
export const productCreate: JobKind<ProductCreateInput, 'product.create', 'product.get'> = {
  name: 'product-create',
  submit: 'product.create',
  poll: 'product.get',
  replay: 'unsafe',
  rejectedStays: true,
  onceOnly: true,
  billed: ({ product }) => hasTaxRules(product),
  submitInput: ({ tenantId, product }) => ({ path: { tenantId }, body: product }),
  pollInput: ({ tenantId }, item) => ({ path: { tenantId, productId: item.resourceId ?? '' } }),
  observeSubmit: (answer) => created(answer),
  observePoll: ({ body }, { product }) =>
    hasOtherSku(body, product) ? { state: 'uncertain', reason: { is: 'another-product' } } : observeValidation(body),
};

/**
 * PUT replaces the whole product, so repeating a request changes nothing (§4); with tax rules each request is billed.
 */
export const productUpdate: JobKind<ProductUpdateInput, 'product.update', 'product.get'> = {
  name: 'product-update',
  submit: 'product.update',
  poll: 'product.get',
  replay: 'safe',
  rejectedStays: false,
  onceOnly: false,
  billed: ({ product }) => hasTaxRules(product),
  submitInput: ({ tenantId, productId, product }) => ({ path: { tenantId, productId }, body: product }),
  pollInput: ({ tenantId, productId }) => ({ path: { tenantId, productId } }),
  // The response has no body; the new validation is read afterwards (assumed to start at once).
  observeSubmit: (_answer, { productId }) => ({ state: 'pending', resourceId: productId }),
  observePoll: ({ body }, { product }, item) => observeUpdated(body, product, item),
  admit: changeOfOthers,
  lookup: findUpdate,
};

/** The fields that an update changes, as they are kept with it. */
export function seenBy(changes: readonly FieldChange[]): ProductUpdateInput['seen'] {
  return Object.fromEntries(changes.map(({ field, from }) => [field, from ?? null]));
}

/** The fields that are neither as the update found them nor as it makes them. */
function movedSince(now: unknown, { product, seen }: ProductUpdateInput): readonly string[] {
  const isSeen = ({ field, from }: FieldChange): boolean =>
    Object.hasOwn(seen, field) && exactJson(from ?? null) === exactJson(seen[field]);
  return productDifferences(now, product).flatMap((change) => (isSeen(change) ? [] : [change.field]));
}

/** Reads the product before its update: the whole is replaced, and somebody may have changed it since it was shown. */
async function changeOfOthers(
  { client, signal }: AdmitContext,
  input: ProductUpdateInput,
): Promise<FiscalError | undefined> {
  const { tenantId, productId, product } = input;
  const now = productIn(await client.call('product.get', { path: { tenantId, productId } }, { signal }));
  const fields = movedSince(now, input);
  if (fields.length === 0) return undefined;
  return changedMeanwhile(filled(reasons.productNamed, { id: textField(product, 'sku') ?? productId }), fields);
}

/**
 * Reads the product after an interrupted update. When its content is already that of the update, nothing is sent again:
 * the service answers a PUT after it has stored the record (§4). A third content is of another hand, and replaces ours or was
 * there before: it is not replaced.
 */
async function findUpdate(client: Client, input: ProductUpdateInput, { signal }: LookupContext): Promise<LookupResult> {
  const { tenantId, productId, product } = input;
  const { body } = await client.call('product.get', { path: { tenantId, productId } }, { signal });
  if (readStatus(body).status === undefined) return 'cannot tell';
  if (productDifferences(body, product).length === 0) return { ...observeValidation(body), resourceId: productId };
  const about = movedSince(body, input).slice(0, MOST_NAMED);
  if (about.length === 0) return 'absent';
  return { state: 'uncertain', errorCode: 'outcome.unknown', reason: { is: 'third-content', about } };
}

/** The product of an answer. Checks only what the program relies on, where null is absent. Error: `service.unreadable`. */
export function productIn({ body, status: httpStatus }: Answer<unknown>): Product {
  if (isProduct(body)) return body;
  const reason = { en: 'it is not a product', pt: 'não é um produto' };
  throw new FiscalError('service.unreadable', { operation: 'product.get', status: httpStatus, reason });
}

function isProduct(body: unknown): body is Product {
  if (!isRecord(body)) return false;
  const status = body['status'] ?? undefined;
  return status === undefined || typeof status === 'string';
}

/**
 * The validation result of an update. A lagging service may return the result for the previous content, so a final
 * status counts only when the product shows the content that was sent, or, where it shows none of it, after a running
 * validation was seen.
 */
function observeUpdated(body: unknown, product: ProductInput, { remoteStatus }: ItemRow): Observation {
  const seen = observeValidation(body);
  if (seen.state === 'pending') return seen;
  const shown = shownContent(body, product);
  if (shown === 'sent') return seen;
  const hasRun = remoteStatus !== undefined && remoteStatus !== 'Active' && remoteStatus !== 'Error';
  if (shown === 'none' && hasRun) return seen;
  return { state: 'pending', reason: { is: shown === 'other' ? 'content-before' : 'content-not-shown' } };
}

/**
 * Whether a response shows the content that was sent, different content, or none. Defaults added by the service are not
 * a difference; a field that was sent and is missing among shown fields is.
 */
function shownContent(body: unknown, product: ProductInput): 'sent' | 'other' | 'none' {
  const changes = productDifferences(body, product);
  const isOther = changes.some(
    ({ field, from, to }) => from !== undefined && (to !== undefined || field.startsWith('customTax')),
  );
  if (isOther) return 'other';
  const hidden = new Set(changes.map(({ field }) => field));
  const sent = productDifferences({}, product).filter(({ field }) => field.toLowerCase() !== 'sku');
  const shown = sent.filter(({ field }) => !hidden.has(field)).length;
  if (shown === 0) return 'none';
  return shown === sent.length ? 'sent' : 'other';
}

/** True when the response shows another SKU. A missing SKU on either side does not count. */
export function hasOtherSku(body: unknown, product: ProductInput): boolean {
  const [sent, shown] = [textField(product, 'sku'), textField(body, 'sku')];
  return sent !== undefined && shown !== undefined && shown.toLowerCase() !== sent.toLowerCase();
}

/** Creating or updating a product is billed when it carries tax rules (§1). */
export function hasTaxRules(product: ProductInput): boolean {
  const { customTax } = product;
  if (Array.isArray(customTax)) return customTax.length > 0;
  return typeof customTax === 'object' && customTax !== null && Object.keys(customTax).length > 0;
}

/** Maps the validation status (§3): Active and Error are final; an unknown status counts as pending. */
export function observeValidation(body: unknown): Observation {
  const { status, errorMessage } = readStatus(body);
  if (status === undefined) return { state: 'pending' };
  if (status === 'Active') return { state: 'succeeded', remoteStatus: status };
  if (status !== 'Error') return { state: 'pending', remoteStatus: status };
  return {
    state: 'rejected',
    remoteStatus: status,
    errorCode: 'outcome.ended_badly',
    ...(errorMessage === undefined ? {} : { reason: said(errorMessage) }),
  };
}

function created(answer: Answer<unknown>): Observation {
  const id = textField(answer.body, 'id') ?? answer.createdId;
  return id === undefined
    ? { state: 'uncertain', reason: { is: 'nameless-product' } }
    : { state: 'pending', resourceId: id, remoteStatus: 'Created' };
}

function readStatus(body: unknown): { status: string | undefined; errorMessage: string | undefined } {
  return { status: textField(body, 'status'), errorMessage: textField(body, 'errorMessage') };
}
