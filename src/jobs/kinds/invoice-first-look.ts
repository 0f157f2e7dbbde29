import type { Client } from '../../client/client.js';
import { listCut } from '../../client/list-reading.js';
import { endsWith, nothingMore } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import type { Text } from '../../contract/text.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { AdmitContext, FoundBefore, ListReading } from '../kind.js';
import { reasons } from '../../errors/reasons.js';
import { textField } from './answer-fields.js';
import {
  observeInvoice,
  observeOthers,
  readByExternalId,
  statusOfInvoice,
  type NamedInvoice,
} from './invoice-answer.js';
import { isNumber } from '../../domain/json-numbers.js';
import { rememberAlike, SEEN_BEFORE_MS } from './invoice-by-content.js';
import {
  type IssueItem,
  type MerchandiseItem,
  type MerchandiseModel,
  sendsExternalId,
  type ServiceItem,
} from './invoice-items.js';
import { carriesOrder, createdAt, isBehind, matchInvoice, MAX_PAGES, orderOf, PAGE } from './invoice-list.js';

/** How far back a list sorted newest first is read. The same order is rarely issued twice in different months. */
const LOOK_BACK_MS = 31 * 86_400_000;
/** A cached list older than this is refreshed, since another machine may have sent meanwhile. */
const LIST_AGE_MS = 60_000;
/** How late an invoice may appear in the list, by the service's clock. */
const LATE_ROWS_MS = 10 * 60_000;

/**
 * Looks for an invoice with the item's externalId before it is sent; another machine may have issued the same order. An
 * invoice with the same content gives its own state, or `rejected` when it is no longer valid. Different or
 * incomparable content is `failed`: it is never reported as our success.
 */
export async function findBefore(context: AdmitContext, item: IssueItem): Promise<FoundBefore> {
  if (matchesContent(item)) return await noteAlike(context, item);
  const found = item.model === 'nfse' ? await readService(context, item) : await readListed(context, item);
  if (found === 'unclear') return { ...taken, reason: { is: 'several-there' } };
  if (found === 'absent' || 'unknown' in found) return found;
  const { resourceId, body } = found;
  const observation = observeOthers(body);
  const { remoteStatus } = observation;
  const comparison = compareContent(item.invoice, body);
  if (comparison === 'same') return { ...observation, resourceId };
  return {
    ...{ ...taken, resourceId },
    ...(remoteStatus === undefined ? {} : { remoteStatus }),
    reason: { is: comparison === 'differs' ? 'other-content-there' : 'content-unseen' },
  };
}

/** True for an NF-e or NFC-e whose body carries its externalId neither as such nor as the order number. */
export function matchesContent(item: IssueItem): item is MerchandiseItem {
  return item.model !== 'nfse' && !sendsExternalId(item) && !carriesOrder(item);
}

/**
 * Nothing that the service shows names this invoice, so nobody can tell whether another machine has issued it. What
 * looks like it now is remembered: a later lookup must not take it for this one.
 */
async function noteAlike(context: AdmitContext, item: MerchandiseItem): Promise<FoundBefore> {
  const { model, companyId } = item;
  try {
    const ids: string[] = [];
    let isWhole = true;
    for (const environment of environments) {
      const list = await readingOf(context, { model, companyId, environment, by: 'content' });
      isWhole &&= list.unknown === undefined;
      const alike = (list.rows ?? []).filter((row) => matchInvoice(item, row) !== 'other');
      ids.push(...alike.flatMap((row) => textField(row, 'id') ?? []));
    }
    await rememberAlike(context, item, isWhole ? ids : undefined);
  } catch (error) {
    await rememberAlike(context, item, undefined);
    throw error;
  }
  return { unknown: reasons.namedByNothing };
}

const environments = ['Production', 'Test'] as const;

const taken = { state: 'failed', errorCode: 'invoice.external_id_taken' } as const;

type Reading = NamedInvoice | 'unclear' | Extract<FoundBefore, 'absent' | { readonly unknown: Text }>;

async function readService({ client, signal }: AdmitContext, item: ServiceItem): Promise<Reading> {
  const { companyId, externalId } = item;
  const path = { companyId, externalId };
  const body = await orAbsent(
    client.call('nfse.getByExternalId', { path }, { attempts: 'once', signal }).then((answer) => answer.body),
  );
  const found = body === 'absent' ? body : readByExternalId(body, externalId);
  return found === 'another' ? { unknown: unknown.otherAnswer } : found;
}

async function readListed(context: AdmitContext, item: MerchandiseItem): Promise<Reading> {
  const invoiceId = await idInLists(context, item);
  if (typeof invoiceId !== 'string') return invoiceId;
  if (invoiceId === 'absent') return 'absent';
  const { client, signal } = context;
  const path = { companyId: item.companyId, invoiceId };
  const body = await orAbsent(
    client.call(`${item.model}.get`, { path }, { attempts: 'once', signal }).then((answer): unknown => answer.body),
  );
  // The list shows the invoice but the read returns 404: it exists, with nothing to compare yet.
  return { resourceId: invoiceId, body: body === 'absent' ? {} : body };
}

async function orAbsent(reading: Promise<unknown>): Promise<unknown> {
  return await reading.catch((error: unknown) => {
    if (error instanceof FiscalError && error.code === 'service.not_found') return 'absent';
    throw error;
  });
}

/** The id found in the lists of the invoice's environments, `absent`, or the reason why the lists cannot tell. */
async function idInLists(context: AdmitContext, item: MerchandiseItem): Promise<string | { readonly unknown: Text }> {
  const { model, companyId, externalId } = item;
  const by = sendsExternalId(item) ? 'externalId' : 'order';
  const named = item.invoice.environment;
  let reason: Text | undefined;
  for (const environment of named === undefined ? environments : [named]) {
    const list = await readingOf(context, { model, companyId, environment, by });
    const id = list.ids.get(externalId);
    if (id !== undefined) return id;
    reason ??= list.unknown;
  }
  return reason === undefined ? 'absent' : { unknown: reason };
}

interface ListQuery {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  readonly environment: string;
  /** What identifies an invoice in it; `content`: nothing does. */
  readonly by: 'externalId' | 'order' | 'content';
}

/** The cached list, at most a minute old. The whole list is read once per run; later reads fetch only new rows. */
async function readingOf(context: AdmitContext, query: ListQuery): Promise<ListReading> {
  const { lists, now } = context;
  const key = JSON.stringify(query);
  for (;;) {
    const known = lists.get(key);
    const reading = known ?? readList(context, query);
    lists.set(key, reading);
    // The next item retries a failed read.
    const list = await reading.catch((error: unknown) => {
      if (lists.get(key) === reading) lists.delete(key);
      throw error;
    });
    if (now - list.at <= LIST_AGE_MS) return list;
    if (lists.get(key) === reading) lists.set(key, readList(context, query, list));
  }
}

/** Reads the list from the newest row back to the previous reading or to the look-back limit. */
async function readList(context: AdmitContext, query: ListQuery, before?: ListReading): Promise<ListReading> {
  const { now } = context;
  const oldest = now - (query.by === 'content' ? SEEN_BEFORE_MS : LOOK_BACK_MS);
  const since = before?.newest === undefined ? oldest : before.newest - LATE_ROWS_MS;
  const { rows, isWhole } = await readRows(context, query, since);
  const isTooLong = !isWhole || before?.unknown === unknown.tooLong;
  const newest = [before?.newest, ...rows.map(createdAt)].reduce(latest, undefined);
  const reading = { at: now, ...(newest === undefined ? {} : { newest }) };
  const tooLong = isTooLong ? { unknown: unknown.tooLong } : {};
  if (query.by === 'content')
    return { ...reading, ids: new Map(), rows: newerRows(rows, before?.rows ?? [], oldest), ...tooLong };
  const ids = idsOf(rows, before?.ids);
  const isUnnamed = rows.length > 0 && ids.size === 0;
  const unnamed = { unknown: query.by === 'order' ? unknown.orderless : unknown.unnamed };
  return { ...reading, ids, ...(isUnnamed ? unnamed : {}), ...tooLong };
}

async function readRows({ client, signal }: AdmitContext, query: ListQuery, since: number) {
  const rows: Readonly<Record<string, unknown>>[] = [];
  let startingAfter: string | undefined;
  let isWhole = false;
  for (let page = 1; page <= MAX_PAGES && !isWhole; page += 1) {
    const body = await readPage(client, query, { startingAfter, signal });
    const fresh = rowsOf(`${query.model}.list`, body);
    rows.push(...fresh.map((row) => neededOf(row, query.by)));
    const last = textField(fresh.at(-1), 'id');
    const isNew = last !== undefined && last !== startingAfter;
    isWhole = endsWith(body, fresh, { limit: PAGE, isNew }) || isBehind(fresh, since);
    if (!isWhole && !isNew) {
      const different = new Set(rows.map((row) => textField(row, 'id') ?? row));
      throw listCut(`${query.model}.list`, different.size, nothingMore);
    }
    startingAfter = last;
  }
  return { rows, isWhole };
}

/** Keeps only the fields that are compared: thousands of rows are held at a time. */
function neededOf(row: unknown, by: ListQuery['by']): Readonly<Record<string, unknown>> {
  const shown = { id: textField(row, 'id'), createdOn: textField(row, 'createdOn') };
  if (by !== 'content') {
    const name = by === 'order' ? orderOf(row) : textField(row, 'externalId');
    return { ...shown, name, status: statusOfInvoice(row) };
  }
  const compared = ['externalId', 'serie', 'number', 'totals'].map((name) => [name, fieldOf(row, name)] as const);
  const buyer = { federalTaxNumber: fieldOf(fieldOf(row, 'buyer'), 'federalTaxNumber') };
  return { ...shown, ...Object.fromEntries(compared), buyer, additionalInformation: { order: orderOf(row) } };
}

/** Each row once, without those that no lookup asks for any more. */
function newerRows(fresh: readonly unknown[], before: readonly unknown[], since: number): readonly unknown[] {
  const seen = new Set(fresh.map((row) => textField(row, 'id')));
  const kept = before.filter((row) => !seen.has(textField(row, 'id')));
  return [...fresh, ...kept].filter((row) => (createdAt(row) ?? since) >= since);
}

/** Ids by externalId or order number. An invoice that was not rejected takes precedence. */
function idsOf(rows: readonly unknown[], before: ListReading['ids'] = new Map()): ListReading['ids'] {
  const found = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const row of rows) {
    const [id, name] = [textField(row, 'id'), textField(row, 'name')];
    if (id === undefined || name === undefined) continue;
    const kept = observeInvoice(row).state === 'rejected' ? refused : found;
    if (!kept.has(name)) kept.set(name, id);
  }
  return new Map([...refused, ...before, ...found]);
}

/** Why a list cannot prove that an order was never issued. */
const unknown = {
  tooLong: {
    en: `its list of issued invoices is longer than ${MAX_PAGES * PAGE}`,
    pt: `a lista de notas emitidas dele tem mais de ${MAX_PAGES * PAGE}`,
  },
  unnamed: {
    en: 'its list of issued invoices shows no externalId',
    pt: 'a lista de notas emitidas dele não mostra o externalId',
  },
  orderless: {
    en: 'its list of issued invoices shows no order number',
    pt: 'a lista de notas emitidas dele não mostra o número do pedido',
  },
  otherAnswer: {
    en: 'it answered with another invoice than the one asked for',
    pt: 'ele respondeu com outra nota, e não com a que foi pedida',
  },
} as const satisfies Readonly<Record<string, Text>>;

function latest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

async function readPage(
  client: Client,
  { model, companyId, environment }: ListQuery,
  { startingAfter, signal }: { readonly startingAfter: string | undefined; readonly signal: AbortSignal },
): Promise<unknown> {
  const query = { environment, limit: PAGE, startingAfter };
  const { body } = await client.call(`${model}.list`, { path: { companyId }, query }, { attempts: 'once', signal });
  return body;
}

/**
 * Compares what would be sent with what the service shows. Fields present on both sides must be equal, and every field
 * about amounts and parties must be shown; otherwise the result is `unseen`.
 */
function compareContent(ours: unknown, theirs: unknown): 'same' | 'differs' | 'unseen' {
  const shown = new Map(leavesOf(theirs));
  let isUnseen = false;
  for (const [path, value] of leavesOf(ours)) {
    const other = shown.get(path);
    if (other === undefined) isUnseen ||= /amount|taxnumber|quantity/i.test(path);
    else if (!isSameValue(path, value, other)) return 'differs';
  }
  return isUnseen ? 'unseen' : 'same';
}

function leavesOf(value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || isNumber(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`));
}

/** A service that stores digits as a number drops the leading zeros. */
function isSameValue(path: string, ours: unknown, theirs: unknown): boolean {
  const [one, other] = [leafText(ours), leafText(theirs)];
  if (one === other) return true;
  const isDigits = /taxnumber/i.test(path) || [ours, theirs].some(isNumber);
  return isDigits && withoutZeros(one) === withoutZeros(other);
}

function withoutZeros(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

/** Normalises a value for comparison: `18.90`, `18.9` and 18.9 are equal; of a tax number only the digits count. */
function leafText(value: unknown): string {
  const text = String(value).trim();
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?(?<!0)0+$/, '');
  return /^[\d./-]{14,18}$/.test(text) ? text.replaceAll(/[./-]/g, '') : text;
}
