import type { Product, ProductInput } from '../../contract/product.js';
import { productDifferences, type FieldChange } from '../../domain/product-difference.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Learned } from '../../jobs/engine.js';
import { hasTaxRules, observeValidation, productCreate, productUpdate } from '../../jobs/kinds/product.js';
import type { ItemRow, ItemState, Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { unknownOutcome } from '../../services/batch/single-job.js';
import { productEndedBadly, stateOf } from './outcome.js';
import { collectionOf, createKey, labelOf, type ProductScope, rowsOfSku, skuOf, updateKey } from './known-products.js';
import { fetchProduct } from './get.js';

/** What an apply does with one row of its file. */
export type RowAction = 'create' | 'update' | 'unchanged' | 'blocked';

export interface PlannedRow {
  readonly line: number;
  readonly label: string;
  readonly action: RowAction;
  /** Its call is billed. */
  readonly billed: boolean;
  readonly productId?: string;
  /** Of the product as it was just read. */
  readonly status?: string | undefined;
  readonly changes?: readonly FieldChange[];
  /** Why nothing can be sent for it, or what is wrong with the product. */
  readonly problem?: FiscalError;
  /** The state of a row for which nothing is sent. */
  readonly state?: ItemState;
  /** An unsent item of an earlier run that this row replaces. */
  readonly replaces?: ItemRow;
  /** What the product shows about items of earlier runs. */
  readonly learned: readonly { readonly item: ItemRow; readonly seen: Learned }[];
}

/** Plans each row from what this machine knows and from the product as the service returns it now. Writes nothing. */
export class Planner {
  readonly #context: Context;
  readonly #store: Store;
  readonly #scope: ProductScope;

  constructor(context: Context, store: Store, scope: ProductScope) {
    this.#context = context;
    this.#store = store;
    this.#scope = scope;
  }

  async plan(line: number, product: ProductInput): Promise<PlannedRow> {
    const row: Row = { line, label: labelOf(product), product, billed: hasTaxRules(product) };
    const holder = await this.#holder(productCreate.name, createKey(this.#scope.tenantId, product));
    if (holder?.state === 'uncertain') return uncertain(row, holder);
    if (holder !== undefined && holder.resourceId === undefined) {
      const blocked = await this.#unfinished(row, holder);
      if (blocked !== undefined) return blocked;
    }
    const ids = await this.#idsOf(product, holder);
    const [id] = ids;
    if (ids.length > 1) return blocked(row, several(row, this.#scope.tenantId, ids));
    if (id !== undefined) return await this.#compare(row, id, holder);
    if (holder === undefined || holder.state === 'prepared') return created(row, holder);
    return blocked(row, idNotKnown(row, holder), { state: holder.state });
  }

  /** A create without a product: its run may still be working, or may have died during the request. */
  async #unfinished(row: Row, holder: ItemRow): Promise<PlannedRow | undefined> {
    if (holder.state !== 'prepared' && holder.state !== 'sending') return undefined;
    const jobs = await this.#context.jobs();
    if ((await jobs.workers(holder.jobId)).length > 0) return blocked(row, inWork(row, holder));
    return holder.state === 'sending' ? uncertain(row, holder, interrupted) : undefined;
  }

  async #idsOf(product: ProductInput, holder: ItemRow | undefined): Promise<readonly string[]> {
    const own = holder?.resourceId === undefined ? [] : [holder.resourceId];
    const rows = await rowsOfSku(this.#store, this.#scope, skuOf(product) ?? '');
    const collection = collectionOf(product);
    const same = rows.filter(({ data }) => collectionOf(data) === collection);
    // The row may give a collection to a product that has none.
    const free = rows.filter(({ data }) => collectionOf(data) === undefined);
    const fit = same.length > 0 || own.length > 0 ? same : free;
    return [...new Set([...own, ...(collection === undefined ? rows : fit).map(({ id }) => id)])];
  }

  async #compare(row: Row, productId: string, holder: ItemRow | undefined): Promise<PlannedRow> {
    const { tenantId } = this.#scope;
    const product = await this.#read(productId);
    if (product === undefined) return blocked(row, gone(row, productId), { productId });
    const sku = skuOf(product);
    const { status } = product;
    const facts = { productId, status };
    if (sku !== undefined && sku !== skuOf(row.product)) {
      return blocked(row, otherSku(row, productId, sku), facts);
    }
    const learned = holder === undefined ? [] : learnedOf(holder, product, productId);
    const changes = productDifferences(product, row.product);
    const sent = await this.#holder(productUpdate.name, updateKey(tenantId, productId, row.product));
    if (changes.length > 0 && !showsContent(product)) {
      return blocked(row, contentNotShown(row, productId), { ...facts, learned, state: 'uncertain' });
    }
    if (changes.length > 0) return await this.#update(row, { ...facts, changes, learned }, sent);
    const also = sent === undefined ? [] : learnedOf(sent, product, productId);
    return unchanged(row, product, { ...facts, learned: [...learned, ...also] });
  }

  async #update(row: Row, facts: Facts, sent: ItemRow | undefined): Promise<PlannedRow> {
    const update: PlannedRow = { ...base(row), learned: [], ...facts, action: 'update' };
    if (sent === undefined) return update;
    if (sent.state === 'uncertain') return uncertain(row, sent, undefined, facts);
    const jobs = await this.#context.jobs();
    if ((await jobs.workers(sent.jobId)).length > 0) return blocked(row, inWork(row, sent), facts);
    if (sent.state === 'sending' && sent.billed) return uncertain(row, sent, notThere, facts);
    if (sent.state === 'prepared' || sent.state === 'sending') return { ...update, replaces: sent };
    return { ...update, learned: [...update.learned, { item: sent, seen: replaced }] };
  }

  async #read(productId: string): Promise<Product | undefined> {
    try {
      return await fetchProduct(this.#context, this.#scope.tenantId, productId);
    } catch (error) {
      if (error instanceof FiscalError && error.code === 'service.not_found') return undefined;
      throw error;
    }
  }

  async #holder(kind: string, dedupeKey: string): Promise<ItemRow | undefined> {
    return await this.#store.items.holder({ profile: this.#scope.storeNamespace, kind, dedupeKey });
  }
}

interface Row {
  readonly line: number;
  readonly label: string;
  readonly product: ProductInput;
  readonly billed: boolean;
}

type Facts = Partial<PlannedRow>;

function base({ line, label, billed }: Row) {
  return { line, label, billed };
}

function created(row: Row, replaces: ItemRow | undefined): PlannedRow {
  return { ...base(row), action: 'create', learned: [], ...(replaces === undefined ? {} : { replaces }) };
}

function blocked(row: Row, problem: FiscalError, facts: Facts = {}): PlannedRow {
  return { ...base(row), billed: false, learned: [], state: 'failed', ...facts, action: 'blocked', problem };
}

/** A request that may have arrived: only a person may decide to send it again. */
function uncertain(row: Row, item: ItemRow, seen?: Learned, facts: Facts = {}): PlannedRow {
  const learned = seen === undefined ? [] : [{ item, seen }];
  return blocked(row, unknownOutcome(item), { ...facts, state: 'uncertain', learned });
}

function unchanged(row: Row, product: Product, facts: Facts): PlannedRow {
  return validated({ ...base(row), learned: [], ...facts, billed: false, action: 'unchanged' }, product);
}

/** A product that matches the file, with the state of its validation. */
export function validated(row: PlannedRow, product: Product): PlannedRow {
  const { state } = observeValidation(product);
  const { status } = product;
  if (state !== 'rejected') return { ...row, status, state };
  const problem = productEndedBadly(stateOf(row.productId ?? product.id, product));
  return { ...row, status, state, action: 'blocked', problem };
}

/** The item of an earlier run, if the product as it was just read decides its state. */
function learnedOf(item: ItemRow, product: Product, resourceId: string): PlannedRow['learned'] {
  const seen = observeValidation(product);
  const isOpen = item.state === 'pending' ? seen.state !== 'pending' : item.state !== seen.state;
  const wantsNews = ['pending', 'rejected', 'uncertain', 'sending'].includes(item.state);
  if (!wantsNews || !isOpen) return [];
  return [{ item, seen: { ...seen, resourceId, step: { is: 'read', by: 'apply' } } }];
}

const interrupted: Learned = { state: 'uncertain', errorCode: 'outcome.unknown', step: { is: 'interrupted' } };

const notThere: Learned = {
  state: 'uncertain',
  errorCode: 'outcome.unknown',
  step: { is: 'interrupted', otherContent: true },
};

const replaced: Learned = {
  state: 'failed',
  errorCode: 'job.item_changed',
  reason: { is: 'updated-before-read' },
  step: { is: 'read', by: 'apply' },
};

/** A product without content differs from every file, so a real difference cannot be detected. */
function showsContent(product: Product): boolean {
  const names = ['sku', 'collectionid'];
  return productDifferences(product, {}).some(({ field }) => !names.includes(field.toLowerCase()));
}

function contentNotShown({ label: name }: Row, id: string): FiscalError {
  return new FiscalError('product.content_not_shown', { name, id }, { sent: 'no' });
}

function several({ label }: Row, tenant: string, ids: readonly string[]): FiscalError {
  return new FiscalError('product.several', { value: label, tenant, count: ids.length, ids: ids.join(', ') });
}

function inWork({ label }: Row, { jobId }: ItemRow): FiscalError {
  return new FiscalError('product.in_work', { name: label, job: jobId }, { jobId });
}

function gone({ label }: Row, id: string): FiscalError {
  return new FiscalError('product.gone', { name: label, id });
}

function otherSku({ label }: Row, id: string, sku: string): FiscalError {
  return new FiscalError('product.other_sku', { name: label, id, sku });
}

function idNotKnown({ label }: Row, { jobId }: ItemRow): FiscalError {
  const hint = {
    en: 'read it by its id so that this machine knows it: fiscal product get <id>',
    pt: 'leia-o pelo id para que esta máquina o conheça: fiscal product get <id>',
  };
  return new FiscalError('product.id_not_known', { name: label }, { jobId, hint });
}
