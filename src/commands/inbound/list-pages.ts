import type { Client } from '../../client/client.js';
import { asksForAnotherWay, ListReading } from '../../client/list-reading.js';
import { lastPageOf, nothingMore, nothingNew } from '../../client/list-rows.js';
import { nextLinkIn, rowsOf, totalIn } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { allOf, fromPosition, type OdataPosition, requiredFilter } from '../../domain/odata.js';
import { fieldOf } from '../../domain/record.js';
import { parseUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  type DocumentQuery,
  filterOf,
  orderField,
  pageParameters,
  type QueryValues,
  showsConditions,
} from './list-query.js';

/** One page of a list, in one shape for both paginations. Rows are not validated yet. */
interface ListPage {
  readonly rows: readonly unknown[];
  readonly body: unknown;
  /** The query of the next page, from the link of the service. */
  readonly next: QueryValues | undefined;
  readonly total: number | undefined;
  /** The response is a numbered list, without OData. */
  readonly isNumbered: boolean;
}

/** Requests the pages of the list of one company. */
export interface PageReader {
  /** The filter of a request without conditions, where the list requires one. */
  readonly everyRow: string | undefined;
  /** The clock of the service when it gave the first page, in milliseconds; absent: its answers have no date. */
  readonly servedAt: number | undefined;
  read(query: QueryValues): Promise<ListPage>;
  /** A reading of the list from its beginning. */
  begin(): ListReading;
  /** `service.list_cut` of the last reading. */
  cut(reason: Text): FiscalError;
  /** Tells one row of the list from another. */
  identify(row: unknown): string;
  /** `service.unreadable`: a row has the wrong shape. */
  unreadable(reason: Text): FiscalError;
}

interface PageSource {
  readonly operation: `${InboundFamily}.inbound.list` | `${'nfe' | 'cte'}.inbound.events`;
  readonly companyId: string;
  readonly identify: (row: unknown) => string;
  /** Reads each row first. */
  readonly read?: (row: unknown) => unknown;
}

export async function pageReader(
  client: Client,
  { operation, companyId, identify, read: readRow }: PageSource,
  signal: AbortSignal,
): Promise<PageReader> {
  const path = { companyId };
  const base = new URL((await client.preview(operation, { path })).url);
  let servedAt: number | undefined;
  let reading = new ListReading(operation, identify);
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  const unreadable = (reason: Text): FiscalError =>
    new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
  return {
    everyRow: requiredFilter(base),
    identify,
    unreadable,
    begin: () => (reading = new ListReading(operation, identify)),
    cut: (reason) => reading.cut(reason),
    get servedAt() {
      return servedAt;
    },
    async read(query) {
      const answer = await client.call(operation, { path, query }, { signal });
      servedAt ??= answer.servedAt;
      const { body } = answer;
      const given = rowsOf(operation, body);
      const rows = readRow === undefined ? given : given.map(readRow);
      const link = nextLinkIn(body);
      return {
        rows,
        body,
        next:
          typeof link === 'string' && link !== '' ? nextQuery(link, { base, query, reading, unreadable }) : undefined,
        total: totalIn(body),
        isNumbered:
          Array.isArray(fieldOf(body, 'documents')) &&
          link === undefined &&
          fieldOf(body, '@odata.count') === undefined,
      };
    },
  };
}

interface Asked extends Pick<PageReader, 'unreadable'> {
  readonly base: URL;
  readonly reading: ListReading;
  readonly query: QueryValues;
}

/** Uses only the query of the link, at the address of the list: no key is sent to an address from a response. */
function nextQuery(link: string, { base, query, reading, unreadable }: Asked): QueryValues {
  if (!URL.canParse(link, base.href)) throw unreadable(noLink);
  const url = new URL(link, base);
  if (url.host !== base.host) throw unreadable(elsewhere(url.host));
  url.searchParams.delete('apikey');
  const next = Object.fromEntries(url.searchParams);
  if (textOf(next) === textOf(query)) throw reading.cut(itself);
  return next;
}

function textOf(query: QueryValues): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.map(([name, value]) => [name, String(value)]).toSorted());
}

const noLink: Text = {
  en: 'its link to the next page is not an address',
  pt: 'o link da próxima página não é um endereço',
};

const itself: Text = {
  en: 'its link to the next page leads to the same page again',
  pt: 'o link da próxima página leva de novo à mesma página',
};

function elsewhere(host: string): Text {
  const shown = host.slice(0, 100);
  return {
    en: `its link to the next page leads to another host (${shown}), which is never called`,
    pt: `o link da próxima página leva a outro endereço (${shown}), que não é consultado`,
  };
}

/** §public: `pageCount` 1 to 100. */
const MAX_PAGE_SIZE = 100;

/** Pages by the link of the service, else by number, from 1, to the last one; to an empty one where no total tells which that is. Error: `service.list_cut`. */
export async function* numberedPages(reader: PageReader, query: DocumentQuery): AsyncGenerator<readonly unknown[]> {
  const pageCount = Math.min(query.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const parameters = pageParameters(query);
  const reading = reader.begin();
  let linked: QueryValues | undefined;
  for (let pageIndex = 1; ; pageIndex += 1) {
    const page = await reader.read(linked ?? { ...parameters, pageIndex, pageCount });
    const { rows, total, body } = page;
    const fresh = reading.take(rows, { total });
    yield rows;
    const isLastLinked = linked !== undefined && page.next === undefined;
    linked = page.next;
    if (isLastLinked) return reading.end();
    if (linked !== undefined && fresh.length > 0) continue;
    const last = lastPageOf(body, rows, { total, reading });
    if (pageIndex >= (last ?? Infinity)) return reading.end();
    if (rows.length === 0 && (last !== undefined || linked !== undefined)) throw reading.notWhole(nothingMore);
    if (rows.length === 0) return reading.end();
    if (fresh.length === 0) throw reading.notWhole(nothingNew);
  }
}

const PAGE_SIZE = 500;
/** The list of NFS-e has smaller pages in both paginations. */
const NFSE_PAGE_SIZE = 100;

/** The request of an OData list. */
export interface OdataList {
  /** Absent: the default of the service. */
  readonly pageSize?: number | undefined;
  readonly filter: string | undefined;
  /** The conditions that a position does not imply. Defaults to `filter`. */
  readonly filterBehind?: string | undefined;
  /** The fields of the default order, which an order of the user replaces. */
  readonly order?: { readonly time: string; readonly key: string };
  readonly orderBy?: string | undefined;
  /** Each page by the link of the service, else after the last NSU (`$skiptoken`): all that is published. */
  readonly isPublished?: boolean;
  /** The filter may be left out where every row shows what it is about: whether one does. The caller filters then. */
  readonly shows?: (row: unknown) => boolean;
  /** Without any option: the service refuses those that it does not know. */
  readonly isBare?: boolean;
  /** One key bounds the list, so a page that repeats the previous one is its end: the service ignores `$skip`. */
  readonly endsRepeated?: boolean;
  /** The fallback when the service answers by page number and ignores OData. */
  readonly byNumber?: () => AsyncGenerator<readonly unknown[]>;
}

/** The list of documents by OData. */
export function documentList(query: DocumentQuery): OdataList {
  const largest = query.family === 'nfse' ? NFSE_PAGE_SIZE : PAGE_SIZE;
  const time = orderField(query);
  // A row after a position is also after the beginning of a range of the same field.
  const isImplied = query.by !== 'issued';
  return {
    pageSize: Math.min(query.pageSize ?? largest, largest),
    filter: filterOf(query),
    filterBehind: filterOf(isImplied ? { ...query, since: undefined } : query),
    ...(query.orderBy === undefined ? { order: { time, key: 'accessKey' } } : { orderBy: query.orderBy }),
    ...(query.filter === undefined && { shows: (row) => showsConditions(row, query) }),
  };
}

/** The pages of an OData list, in the first way that the service understands. Error: `service.list_cut` for a list that is not whole. */
export async function* orderedPages(reader: PageReader, list: OdataList): AsyncGenerator<readonly unknown[]> {
  const ways = waysOf(reader, list);
  let first: unknown;
  for (const { pages, isLast } of ways) {
    if (isLast === true && !(first instanceof FiscalError && first.code === 'service.refused')) continue;
    try {
      return yield* pages();
    } catch (error) {
      first ??= error;
      if (!asksForAnotherWay(error)) throw error;
    }
  }
  throw first;
}

/**
 * In an order of our own, which stays exact while the list changes; then with what is published alone, at last without conditions,
 * and without options where they are refused. An order of the user is never left out.
 */
function waysOf(reader: PageReader, list: OdataList): readonly Way[] {
  const { order, orderBy, byNumber, ...rest } = list;
  const published = { ...rest, isPublished: true };
  const open = { ...published, filter: undefined };
  const isConditional = list.filter !== undefined;
  const lists = order === undefined ? [] : [published, ...(list.shows !== undefined && isConditional ? [open] : [])];
  const bare =
    order !== undefined && (list.shows !== undefined || !isConditional)
      ? [{ ...open, pageSize: undefined, isBare: true }]
      : [];
  return [
    { pages: () => pagesOf(reader, list) },
    ...lists.map((each) => ({ pages: () => pagesOf(reader, each) })),
    ...(byNumber === undefined ? [] : [{ pages: byNumber }]),
    ...bare.map((each) => ({ pages: () => pagesOf(reader, each), isLast: true })),
  ];
}

interface Way {
  readonly pages: () => AsyncGenerator<readonly unknown[]>;
  /** Only where the service refuses the first one. */
  readonly isLast?: boolean;
}

/**
 * The pages in one way: by position in the default order, else by link or count of the service. A page that is
 * short and has no link is the last one only when the count confirms it, or when nothing stands behind it.
 * Error: `service.list_cut` for a list that is not whole.
 */
async function* pagesOf(reader: PageReader, list: OdataList): AsyncGenerator<readonly unknown[]> {
  const reading = reader.begin();
  let state: ListState | undefined = {
    query: { ...firstOf(list, reader), ...(list.isBare === true ? {} : { $count: true }) },
    ...{ page: [], place: undefined, longest: 0, announced: false, byNsu: list.isPublished === true, isStale: false },
  };
  while (state !== undefined) {
    const page: ListPage = await reader.read(state.query);
    if (page.isNumbered && list.byNumber !== undefined) return yield* list.byNumber();
    if (list.endsRepeated === true && isRepeated(page, state, { reader, reading })) return;
    const { total, rows } = page;
    if (list.filter === undefined && list.shows !== undefined && !rows.every(list.shows))
      throw reading.standsStill(notShown);
    const leftOut = state.place && reading.count - (isLeft(state.place) ? 0 : state.place.rows.size);
    const isSkipped = state.place?.way === 'skipped';
    const fresh = reading.take(rows, { total, leftOut, isSkipped }).length;
    yield rows;
    state = stateBehind(page, state, { reader, list, reading, fresh });
  }
  reading.end();
}

/** How far the list is read. */
interface ListState {
  /** What is asked for. */
  readonly query: QueryValues;
  /** The rows of the page before. */
  readonly page: readonly unknown[];
  /** Where in the order the query begins, which its count covers from there on; absent: at the beginning of the list. */
  readonly place: Place | undefined;
  /** How many rows the longest page has. */
  readonly longest: number;
  /** The previous page was short, but linked to another one. */
  readonly announced: boolean;
  /** The service ignores `$skip`; each page begins after the last NSU (`$skiptoken`, published). */
  readonly byNsu: boolean;
  /** The previous page had no new row. */
  readonly isStale: boolean;
}

/**
 * The position of the last row of a page. Rows of the same time and key, as a note and its event may be, can stand on both sides of
 * the end of a page: so the next page begins with the rows at the position, which are known by their identities.
 */
interface Place extends OdataPosition {
  /** The rows that were read at the position. */
  readonly rows: ReadonlySet<string>;
  /** The next page begins with them again, after them (they would fill it), or with the next position, if the service cannot skip rows. */
  readonly way: 'again' | 'skipped' | 'left';
}

function isLeft({ way }: Place): boolean {
  return way === 'left';
}

interface Reading {
  readonly reader: PageReader;
  readonly list: OdataList;
  readonly reading: ListReading;
  /** The rows of this page that no earlier one had. */
  readonly fresh: number;
}

function firstOf({ pageSize, order, orderBy, filter, isBare }: OdataList, { everyRow }: PageReader): QueryValues {
  if (isBare === true) return {};
  const words = orderBy ?? (order === undefined ? undefined : `${order.time} asc,${order.key} asc`);
  return { $top: pageSize, $orderby: words, $filter: filter ?? everyRow };
}

/** `undefined`: the page is the last one. Error: `service.list_cut` for a page that leads nowhere. */
function stateBehind(page: ListPage, state: ListState, about: Reading): ListState | undefined {
  const { reading, list, fresh } = about;
  const { rows } = page;
  const isStill = state.place !== undefined && fresh === 0;
  if (isStill && !isAtPlace(rows, state.place, about)) throw reading.standsStill(nothingNew);
  // A page with room for another row of the position: nothing stands there or behind it.
  const isAlone = isStill && state.place.way === 'again' && rows.length < state.longest;
  if (rows.length === 0 || isAlone) return assertEnd(page, state, reading);
  if (isEndOfLinks(page, state, list)) return undefined;
  const isShort = rows.length < (list.pageSize ?? Infinity);
  const announced = (isShort && page.next !== undefined) || (isStill && state.announced);
  const mayEnd = isShort && !announced;
  if (mayEnd && reading.total === reading.count) return undefined;
  // Without a sign that more follows, request the count.
  const more = mayEnd && list.isBare !== true ? { $count: true } : {};
  return nextState(page, { ...state, page: rows, announced }, { ...about, more });
}

function assertEnd({ rows, total, next }: ListPage, { place, announced }: ListState, reading: ListReading): undefined {
  if (announced || next !== undefined) throw reading.notWhole(nothingMore);
  // The rows of the position should have come again: the service may not have understood the filter.
  if (rows.length === 0 && place?.way === 'again' && total === undefined) throw reading.standsStill(nothingNew);
}

/** Without options every page is as long as the service likes, so the links alone tell its end. */
function isEndOfLinks(page: ListPage, state: ListState, list: OdataList): boolean {
  return list.isBare === true && state.announced && page.next === undefined;
}

function isAtPlace(rows: readonly unknown[], place: Place, { reader }: Reading): boolean {
  return rows.every((row) => place.rows.has(reader.identify(row)));
}

/** This may be a full page with more rows after it. */
const PERHAPS_FULL = 50;

/** The same few rows as on the previous page, and no count or link that announces more. */
function isRepeated(
  page: ListPage,
  before: ListState,
  { reader, reading }: Pick<Reading, 'reader' | 'reading'>,
): boolean {
  const [rows, earlier] = [page.rows.map(reader.identify), before.page.map(reader.identify)];
  const isSame = rows.length === earlier.length && rows.every((row) => earlier.includes(row));
  const isAll = page.next === undefined && reading.count >= (reading.total ?? 0);
  return isSame && isAll && rows.length > 0 && rows.length < PERHAPS_FULL;
}

interface Onward extends Reading {
  readonly more: QueryValues;
}

function nextState(page: ListPage, here: ListState, about: Onward): ListState {
  const { reader, list, reading, fresh, more } = about;
  const first = { ...firstOf(list, reader), ...more };
  const longest = Math.max(here.longest, page.rows.length);
  const place = list.order && placeBehind(page.rows, here, { ...about, order: list.order, longest });
  if (place === undefined || list.order === undefined) {
    const byNsu = here.byNsu || (fresh === 0 && page.next === undefined);
    if (fresh === 0 && (here.isStale || list.isPublished === true)) throw reading.standsStill(nothingNew);
    const state = { ...here, longest, place: undefined, byNsu, isStale: fresh === 0 };
    if (page.next !== undefined) return { ...state, query: page.next };
    const nsu = byNsu ? lastNsu(page.rows) : undefined;
    if (byNsu && (nsu === undefined || here.query['$skiptoken'] === nsu)) throw reading.standsStill(standsStill);
    return { ...state, query: { ...first, ...(byNsu ? { $skiptoken: nsu } : { $skip: reading.count }) } };
  }
  const from = fromPosition(list.order, place, { isBehind: isLeft(place) });
  const $filter = allOf([list.filterBehind ?? list.filter, from]);
  const $skip = place.way === 'skipped' ? place.rows.size : undefined;
  return { ...here, query: { ...first, $filter, $skip }, longest, place };
}

interface Placing extends Reading {
  readonly order: NonNullable<OdataList['order']>;
  readonly longest: number;
}

/** Where the next page begins. `undefined`: the page is in another order. Error: `service.list_cut` for a page that leads nowhere. */
function placeBehind(
  rows: readonly unknown[],
  { place: before }: ListState,
  { reader, list, reading, fresh, order, longest }: Placing,
): Place | undefined {
  const position = positionBehind(rows, order);
  if (position === undefined) return undefined;
  if (fresh === 0) {
    // The rows came although they were to be skipped. A full page of them may hide another one of their position.
    const isPassed = before?.way === 'skipped' && rows.length < (list.pageSize ?? Infinity);
    if (!isPassed) throw reading.standsStill(nothingNew);
    return { ...before, way: 'left' };
  }
  const { time, key } = position;
  const isThere = (row: unknown): boolean => fieldOf(row, order.time) === time && fieldOf(row, order.key) === key;
  const known = before?.time === time && before.key === key ? before.rows : [];
  const there = new Set([...known, ...rows.filter(isThere).map(reader.identify)]);
  return { time, key, rows: there, way: there.size < longest ? 'again' : 'skipped' };
}

/** The position of the last row. A page in another order has none: rows before its last one may be missing. */
function positionBehind(rows: readonly unknown[], order: NonNullable<OdataList['order']>): OdataPosition | undefined {
  let before: RowPosition | undefined;
  for (const row of rows) {
    const position = positionOf(row, order);
    if (position === undefined || (before !== undefined && isBefore(position, before))) return undefined;
    before = position;
  }
  return before;
}

/** The NSU of the last row, in digits. A page in no order of NSU has none: rows before its last one may be missing. */
function lastNsu(rows: readonly unknown[]): string | undefined {
  const texts = rows.map((row) => String(fieldOf(row, 'nsu') ?? ''));
  if (!texts.every((text) => /^\d{1,20}$/.test(text))) return undefined;
  const numbers = texts.map(BigInt);
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? number));
  const isOrdered = steps.every((step) => step >= 0n) || steps.every((step) => step <= 0n);
  return isOrdered ? numbers.at(-1)?.toString() : undefined;
}

interface RowPosition extends OdataPosition {
  /** The same time in milliseconds. */
  readonly at: number;
}

function isBefore(one: RowPosition, other: RowPosition): boolean {
  return one.at < other.at || (one.at === other.at && one.time === other.time && one.key < other.key);
}

/** The time goes into a filter without quotes, so it must be a plain time. */
function positionOf(row: unknown, order: NonNullable<OdataList['order']>): RowPosition | undefined {
  const [time, key] = [fieldOf(row, order.time), fieldOf(row, order.key)];
  if (typeof time !== 'string' || typeof key !== 'string') return undefined;
  const at = parseUtc(time);
  return at === undefined || key === '' ? undefined : { time, key, at };
}

const standsStill: Text = {
  en: 'the page after the last row ends with the same row again',
  pt: 'a página depois da última linha termina de novo na mesma linha',
};

const notShown: Text = { en: 'its rows do not show what was asked for', pt: 'as linhas não mostram o que foi pedido' };
