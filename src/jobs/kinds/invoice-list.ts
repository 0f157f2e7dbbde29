import type { Client } from '../../client/client.js';
import { endsWith } from '../../client/list-rows.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { numberToDecimalText, parseDecimalText } from '../../domain/decimal-text.js';
import { isNumber } from '../../domain/json-numbers.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { listField, textField } from './answer-fields.js';
import type { MerchandiseItem, MerchandiseModel } from './invoice-items.js';

export const PAGE = 50;
/** Pages read at most. What stands further back is not found. */
export const MAX_PAGES = 200;

const environments = ['Production', 'Test'] as const;

/** The rows of both environments' lists since a time, or why they cannot be had. */
export async function rowsSince(
  client: Client,
  { model, companyId }: Pick<MerchandiseItem, 'model' | 'companyId'>,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<readonly unknown[] | 'no end'> {
  const rows: unknown[] = [];
  for (const environment of environments) {
    const list = await readList(client, { model, companyId, environment }, { since, signal });
    if (list === 'no end') return list;
    rows.push(...list);
  }
  return rows;
}

interface ListQuery {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  readonly environment: string;
}

async function readList(
  client: Client,
  { model, companyId, environment }: ListQuery,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<readonly unknown[] | 'no end'> {
  const all: unknown[] = [];
  let startingAfter: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { environment, limit: PAGE, startingAfter };
    const options = { attempts: 'once', signal } as const;
    const { body } = await client.call(`${model}.list`, { path: { companyId }, query }, options);
    const rows = listField(body, 'productInvoices') ?? listField(body, 'consumerInvoices');
    if (rows === undefined) return 'no end';
    all.push(...rows);
    const last = textField(rows.at(-1), 'id');
    const isNew = last !== undefined && last !== startingAfter;
    if (endsWith(body, rows, { limit: PAGE, isNew }) || isBehind(rows, since)) return all;
    // The page announces more but is empty or repeats itself.
    if (!isNew) return 'no end';
    startingAfter = last;
  }
  return 'no end';
}

/**
 * True when the page is sorted by time, newest first, and ends before `since` (milliseconds): later pages are older.
 * Equal times do not prove an order.
 */
export function isBehind(rows: readonly unknown[], since: number): boolean {
  const times = rows.map((row) => createdAt(row) ?? Number.NaN);
  const [first = Number.NaN] = times;
  const last = times.at(-1) ?? Number.NaN;
  const isFalling = times.every((at, index) => at <= (times[index - 1] ?? Number.POSITIVE_INFINITY));
  return isFalling && last < first && last < since;
}

export function createdAt(row: unknown): number | undefined {
  const at = Date.parse(textField(row, 'createdOn') ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Whether a row of the service can be the invoice that was sent. The published body of an NF-e or NFC-e has no
 * externalId, so only what the list and a read publish is compared: serie, number, buyer, total, and the order number
 * where the body has one.
 *
 * - `other`: the buyer, the total, an item or the order number differs.
 * - `named`: it shows what only this invoice has: the order number that is its externalId, or its serie, number and
 *   total.
 * - `same`: buyer and total are equal, and nothing shown differs.
 * - `alike`: nothing shown differs, and nothing identifies it.
 * - `unseen`: like `alike`, but the row leaves out the buyer or the total, which a read may show.
 */
export type Match = 'other' | 'named' | 'same' | 'alike' | 'unseen';

export function matchInvoice({ invoice, externalId }: MerchandiseItem, row: unknown): Match {
  // An invoice whose body had no externalId shows none.
  if (textField(row, 'externalId') !== undefined && textField(row, 'externalId') !== externalId) return 'other';
  const order = compare(orderOf(invoice), orderOf(row));
  const buyer = compareBuyer(invoice, row);
  const total = compareTotal(invoice, row);
  const [serie, number] = ['serie', 'number'].map((name) => compare(textField(invoice, name), textField(row, name)));
  const isOrder = order === 'equal' && orderOf(invoice) === externalId;
  const isNumbered = serie === 'equal' && number === 'equal';
  const differs = [order, buyer, total, compareItems(invoice, row)].includes('differs');
  // What only this invoice should have, on a row that is otherwise another: nobody can tell.
  if (differs) return isOrder || isNumbered ? 'alike' : 'other';
  if (isOrder) return 'named';
  // Another number proves nothing: the service may have assigned its own.
  if (serie === 'differs' || number === 'differs') return 'alike';
  if (isNumbered && total === 'equal') return 'named';
  if ([order, buyer, total].includes('unseen')) return 'unseen';
  return buyer === 'equal' && total === 'equal' ? 'same' : 'alike';
}

/** True when the body carries its externalId as the order number, a published field that lists show. */
export function carriesOrder({ invoice, externalId }: MerchandiseItem): boolean {
  return orderOf(invoice) === externalId;
}

/** The order number of an invoice (`additionalInformation.order`, published). */
export function orderOf(invoice: unknown): string | undefined {
  return textField(fieldOf(invoice, 'additionalInformation'), 'order');
}

/** `none`: our invoice does not have the field. `unsure`: the values do not decide. */
type Comparison = 'equal' | 'differs' | 'unseen' | 'none' | 'unsure';

function compare(ours: string | undefined, theirs: string | undefined): Comparison {
  if (ours === undefined) return 'none';
  if (theirs === undefined) return 'unseen';
  return ours === theirs ? 'equal' : 'differs';
}

function compareBuyer(invoice: unknown, row: unknown): Comparison {
  if (textField(fieldOf(row, 'buyer'), 'federalTaxNumber')?.includes('*') === true) return 'unseen';
  const [ours, theirs] = [taxNumberOf(invoice), taxNumberOf(row)];
  if (ours !== undefined) return compare(ours, theirs);
  return theirs === undefined ? 'none' : 'differs';
}

/** The buyer's tax number without punctuation and leading zeros, which a JSON number cannot hold. */
function taxNumberOf(invoice: unknown): string | undefined {
  const number = textField(fieldOf(invoice, 'buyer'), 'federalTaxNumber')?.replaceAll(/[^\da-z]/gi, '');
  return number === undefined || /^0*$/.test(number) ? undefined : number.replace(/^0+/, '').toUpperCase();
}

function compareTotal(invoice: unknown, row: unknown): Comparison {
  const theirs = totalOf(row);
  // A total of zero is one that was not calculated yet.
  if (theirs === undefined || theirs === 0n) return 'unseen';
  const [goods, paid] = [goodsOf(invoice), paymentOf(invoice)];
  if (paid === theirs || totalOf(invoice) === theirs) return 'equal';
  if (goods === undefined || addsTaxes(invoice)) return 'unsure';
  if (goods === theirs) return 'equal';
  // The authority allows a cent of rounding for each item.
  const difference = goods > theirs ? goods - theirs : theirs - goods;
  return difference <= BigInt(listField(invoice, 'items')?.length ?? 0) ? 'unsure' : 'differs';
}

/** Compares the items that the row shows, which may be only the first ones. */
function compareItems(invoice: unknown, row: unknown): Comparison {
  const [ours, theirs] = [listField(invoice, 'items') ?? [], listField(row, 'items')];
  if (theirs === undefined) return 'unseen';
  const isOther = theirs.some((shown, index) => {
    const item = ours[index];
    if (item === undefined) return true;
    if (compare(textField(item, 'code'), textField(shown, 'code')) === 'differs') return true;
    const [our, their] = [centsOf(fieldOf(item, 'totalAmount')), centsOf(fieldOf(shown, 'totalAmount'))];
    return our !== undefined && their !== undefined && our !== their;
  });
  return isOther ? 'differs' : 'equal';
}

/** What the recipient pays by the body of an invoice, in cents; `undefined` where the body does not say it. */
export function invoiceCents(model: CheckedModel, invoice: unknown): bigint | undefined {
  if (model === 'nfse') return centsOf(fieldOf(invoice, 'servicesAmount'));
  if (model !== 'general') return totalOf(invoice) ?? paymentOf(invoice) ?? goodsOf(invoice);
  let sum = 0n;
  for (const item of listField(invoice, 'itens') ?? []) {
    const [count, price] = ['quantidade', 'valorUnitario'].map((name) => Number(fieldOf(item, name)));
    const cents = centsOf(((count ?? Number.NaN) * (price ?? Number.NaN)).toFixed(2));
    if (cents === undefined) return undefined;
    sum += cents;
  }
  return sum;
}

/** The total of an invoice (published). */
function totalOf(invoice: unknown): bigint | undefined {
  return centsOf(fieldOf(fieldOf(fieldOf(invoice, 'totals'), 'icms'), 'invoiceAmount'));
}

/** The sum of the items with freight, insurance, other expenses and discounts, in cents. */
function goodsOf(invoice: unknown): bigint | undefined {
  let sum = 0n;
  for (const item of listField(invoice, 'items') ?? []) {
    // An item that does not make up the total (layout, indTot).
    if (fieldOf(item, 'totalIndicator') === false) continue;
    const total = centsOf(fieldOf(item, 'totalAmount'));
    if (total === undefined) return undefined;
    const added = ['freightAmount', 'insuranceAmount', 'othersAmount'].map((name) => centsOf(fieldOf(item, name)));
    sum += added.reduce<bigint>((part, each) => part + (each ?? 0n), total);
    sum -= centsOf(fieldOf(item, 'discountAmount')) ?? 0n;
  }
  return sum;
}

/** The sum of the payments without the change, which equals the total of the invoice (layout, group YA). */
function paymentOf(invoice: unknown): bigint | undefined {
  let sum: bigint | undefined;
  for (const payment of listField(invoice, 'payment') ?? []) {
    for (const detail of listField(payment, 'paymentDetail') ?? []) {
      const amount = centsOf(fieldOf(detail, 'amount'));
      if (amount !== undefined) sum = (sum ?? 0n) + amount;
    }
    if (sum !== undefined) sum -= centsOf(fieldOf(payment, 'payBack')) ?? 0n;
  }
  return sum;
}

/**
 * True when taxes that this program does not calculate may change the total: IPI, import tax, selective tax, ICMS of
 * substitution, exempted ICMS.
 */
function addsTaxes(invoice: unknown): boolean {
  if (fieldOf(invoice, 'totals') !== undefined) return true;
  const items = listField(invoice, 'items') ?? [];
  return items.some((item) => fieldOf(item, 'taxDetermination') !== undefined || namesAddedTax(fieldOf(item, 'tax')));
}

const addedTax = /^(?:ipi|ii|IS|IBSCBS)$|^st[A-Z]|ST|fcp|mono|Mono|exempt|Exempt/;

function namesAddedTax(tax: unknown): boolean {
  if (!isRecord(tax)) return false;
  return Object.entries(tax).some(([name, value]) => addedTax.test(name) || namesAddedTax(value));
}

/** An amount in cents; `undefined` for no amount, or one with a fraction of a cent. */
function centsOf(value: unknown): bigint | undefined {
  const text = isNumber(value) && /e/i.test(String(value)) ? numberToDecimalText(Number(value)) : value;
  const isAmount = typeof text === 'string' || isNumber(text);
  const parts = isAmount ? parseDecimalText(String(text).trim()) : undefined;
  if (parts === undefined || /[^0]/.test(parts.fraction.slice(2))) return undefined;
  const cents = BigInt(parts.whole + parts.fraction.slice(0, 2).padEnd(2, '0'));
  return parts.negative ? -cents : cents;
}
