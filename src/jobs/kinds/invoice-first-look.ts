import type { Client } from '../../client/client.js';
import { endsWith, listCut, nothingMore } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { AdmitContext, FoundBefore, ListReading } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { textField } from './answer-fields.js';
import {
  observeInvoice,
  observeOthers,
  readByExternalId,
  statusOfInvoice,
  type NamedInvoice,
} from './invoice-answer.js';
import type { IssueItem, MerchandiseItem, MerchandiseModel, ServiceItem } from './invoice-items.js';
import { createdAt, isBehind } from './invoice-lookup.js';
import { isNumber } from '../../domain/json-numbers.js';

const PAGE = 50;
/** Pages read at most. An invoice further back is not found. */
const MAX_PAGES = 200;
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
export async function findBefore(parts: AdmitContext, item: IssueItem): Promise<FoundBefore> {
  const found = item.model === 'nfse' ? await readService(parts, item) : await readListed(parts, item);
  if (found === 'unclear') return { ...taken, errorMessage: reasons.severalThere.en };
  if (found === 'absent' || 'unknown' in found) return found;
  const { resourceId, body } = found;
  const observation = observeOthers(body);
  const { remoteStatus } = observation;
  const comparison = compareContent(item.invoice, body);
  if (comparison === 'same') return { ...observation, resourceId };
  return {
    ...{ ...taken, resourceId },
    ...(remoteStatus === undefined ? {} : { remoteStatus }),
    errorMessage: reasons[comparison === 'differs' ? 'otherContentThere' : 'contentUnseen'].en,
  };
}

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

async function readListed(parts: AdmitContext, item: MerchandiseItem): Promise<Reading> {
  const invoiceId = await idInLists(parts, item);
  if (typeof invoiceId !== 'string') return invoiceId;
  if (invoiceId === 'absent') return 'absent';
  const { client, signal } = parts;
  const path = { companyId: item.companyId, invoiceId };
  const body = await orAbsent(
    client
      .call(`${item.model}.get`, { path }, { attempts: 'once', signal })
      .then((answer): unknown => answer.body),
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
async function idInLists(
  parts: AdmitContext,
  item: MerchandiseItem,
): Promise<string | { readonly unknown: Text }> {
  const { model, companyId, externalId } = item;
  const named = item.invoice.environment;
  let reason: Text | undefined;
  for (const environment of named === undefined ? ['Production', 'Test'] : [named]) {
    const list = await readingOf(parts, { model, companyId, environment });
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
}

/** The cached list, at most a minute old. The whole list is read once per run; later reads fetch only new rows. */
async function readingOf(parts: AdmitContext, query: ListQuery): Promise<ListReading> {
  const { lists, now } = parts;
  const key = JSON.stringify(query);
  for (;;) {
    const known = lists.get(key);
    const reading = known ?? readList(parts, query);
    lists.set(key, reading);
    // The next item retries a failed read.
    const list = await reading.catch((error: unknown) => {
      if (lists.get(key) === reading) lists.delete(key);
      throw error;
    });
    if (now - list.at <= LIST_AGE_MS) return list;
    if (lists.get(key) === reading) lists.set(key, readList(parts, query, list));
  }
}

/** Reads the list from the newest row back to the previous reading or to the look-back limit. */
async function readList(
  { client, signal, now }: AdmitContext,
  query: ListQuery,
  before?: ListReading,
): Promise<ListReading> {
  const since = before?.newest === undefined ? now - LOOK_BACK_MS : before.newest - LATE_ROWS_MS;
  const rows: unknown[] = [];
  let startingAfter: string | undefined;
  let isWhole = false;
  for (let page = 1; page <= MAX_PAGES && !isWhole; page += 1) {
    const body = await readPage(client, query, { startingAfter, signal });
    const fresh = rowsOf(`${query.model}.list`, body);
    rows.push(...fresh.map(neededOf));
    const last = textField(fresh.at(-1), 'id');
    const isNew = last !== undefined && last !== startingAfter;
    isWhole = endsWith(body, fresh, { limit: PAGE, isNew }) || isBehind(fresh, since);
    if (!isWhole && !isNew) throw listCut(`${query.model}.list`, rows.length, nothingMore);
    startingAfter = last;
  }
  const ids = idsOf(rows, before?.ids);
  const isUnnamed = rows.length > 0 && ids.size === 0;
  const isTooLong = !isWhole || before?.unknown === unknown.tooLong;
  const newest = [before?.newest, ...rows.map(createdAt)].reduce(latest, undefined);
  return {
    ...{ at: now, ids },
    ...(isTooLong || isUnnamed ? { unknown: isTooLong ? unknown.tooLong : unknown.unnamed } : {}),
    ...(newest === undefined ? {} : { newest }),
  };
}

/** Keeps only the fields that are compared: thousands of rows are held at a time. */
function neededOf(row: unknown): Readonly<Record<string, string | undefined>> {
  const [id, externalId, createdOn] = ['id', 'externalId', 'createdOn'].map((name) => textField(row, name));
  return { id, externalId, createdOn, status: statusOfInvoice(row) };
}

/** Ids by externalId. An invoice that was not rejected takes precedence. */
function idsOf(rows: readonly unknown[], before: ListReading['ids'] = new Map()): ListReading['ids'] {
  const found = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const row of rows) {
    const [id, externalId] = [textField(row, 'id'), textField(row, 'externalId')];
    if (id === undefined || externalId === undefined) continue;
    const kept = observeInvoice(row).state === 'rejected' ? refused : found;
    if (!kept.has(externalId)) kept.set(externalId, id);
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
  const { body } = await client.call(
    `${model}.list`,
    { path: { companyId }, query },
    { attempts: 'once', signal },
  );
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
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '');
  return /^[\d./-]{14,18}$/.test(text) ? text.replaceAll(/[./-]/g, '') : text;
}
