import type { Client } from '../../client/client.js';
import { countOf, listCut, nothingMore, totalPagesIn } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { afterPosition, allOf, type OdataPosition, requiredFilter } from '../../domain/odata.js';
import { fieldOf } from '../../domain/record.js';
import { parseUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type DocumentQuery, filterOf, orderField, pageParameters, type QueryValues } from './list-query.js';

/** One page of a list, in one shape for both paginations. Rows are not validated yet. */
interface ListPage {
  readonly rows: readonly unknown[];
  /** The query of the next page, from the link of the service. */
  readonly next: QueryValues | undefined;
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
  /** The response is a numbered list, without OData. */
  readonly isNumbered: boolean;
}

/** Requests the pages of the list of one company. */
export interface PageReader {
  /** The filter of a request without conditions, where the list requires one. */
  readonly everyRow: string | undefined;
  read(query: QueryValues): Promise<ListPage>;
  /** `service.list_cut`: the list cannot be read completely. */
  broken(reason: Text): FiscalError;
  /** `service.unreadable`: a row has the wrong shape. */
  unreadable(reason: Text): FiscalError;
}

interface PageSource {
  readonly operation: `${InboundFamily}.inbound.list` | `${'nfe' | 'cte'}.inbound.events`;
  readonly companyId: string;
}

export async function pageReader(
  client: Client,
  { operation, companyId }: PageSource,
  signal: AbortSignal,
): Promise<PageReader> {
  const path = { companyId };
  const base = new URL((await client.preview(operation, { path })).url);
  let count = 0;
  const broken = (reason: Text): FiscalError => listCut(operation, count, reason);
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  const unreadable = (reason: Text): FiscalError =>
    new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
  const dateField = operation.endsWith('.events') ? 'receiptOn' : 'issuedOn';
  return {
    everyRow: requiredFilter(base, dateField),
    broken,
    unreadable,
    async read(query) {
      const { body } = await client.call(operation, { path, query }, { signal });
      const rows = rowsOf(operation, body);
      count += rows.length;
      const link = fieldOf(body, '@odata.nextLink') ?? fieldOf(body, 'nextLink');
      return {
        rows,
        next: typeof link === 'string' ? nextQuery(link, { base, query, broken, unreadable }) : undefined,
        total: countOf(fieldOf(body, 'totalResults') ?? fieldOf(body, '@odata.count')),
        totalPages: totalPagesIn(body, rows),
        isNumbered:
          Array.isArray(fieldOf(body, 'documents')) &&
          link === undefined &&
          fieldOf(body, '@odata.count') === undefined,
      };
    },
  };
}

interface Asked extends Pick<PageReader, 'broken' | 'unreadable'> {
  readonly base: URL;
  readonly query: QueryValues;
}

/** Uses only the query of the link, at the address of the list: no key is sent to an address from a response. */
function nextQuery(link: string, { base, query, broken, unreadable }: Asked): QueryValues {
  if (!URL.canParse(link, base.href)) throw unreadable(noLink);
  const url = new URL(link, base);
  if (url.host !== base.host) throw unreadable(elsewhere(url.host));
  url.searchParams.delete('apikey');
  const next = Object.fromEntries(url.searchParams);
  if (textOf(next) === textOf(query)) throw broken(itself);
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

/**
 * Pages by number, from 1. Rows that leave the list meanwhile (a filter that they no longer fit) pull the ones behind
 * them to an earlier page: when the total shrinks, that many pages are read again.
 */
export async function* numberedPages(
  reader: PageReader,
  query: DocumentQuery,
): AsyncGenerator<readonly unknown[]> {
  const pageCount = Math.min(query.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const parameters = pageParameters(query);
  let pageIndex = 1;
  let before: ListPage | undefined;
  let read = 0;
  for (;;) {
    const page = await reader.read({ ...parameters, pageIndex, pageCount });
    yield page.rows;
    read += page.rows.length;
    const lost = (before?.total ?? 0) - (page.total ?? 0);
    if (before?.total !== undefined && page.total !== undefined && lost > 0) {
      pageIndex = Math.max(1, pageIndex - Math.ceil(lost / pageCount));
    } else if (page.rows.length === 0 && pageIndex < (page.totalPages ?? 0)) {
      throw reader.broken(nothingMore);
    } else if (isLast(page, pageIndex)) {
      // Rows that were read twice do not replace missing ones, so the sum may only be larger.
      if (read < (page.total ?? 0)) throw reader.broken(nothingMore);
      return;
    } else {
      pageIndex += 1;
    }
    before = page;
  }
}

/** Without totals only an empty page marks the end: a service may return fewer rows than requested. */
function isLast({ rows, totalPages }: ListPage, pageIndex: number): boolean {
  return rows.length === 0 || (totalPages !== undefined && pageIndex >= totalPages);
}

const PAGE_SIZE = 500;
/** The list of NFS-e has smaller pages in both paginations. */
const NFSE_PAGE_SIZE = 100;

/** The request of an OData list. */
export interface OdataList {
  /** Absent: the default of the service. */
  readonly pageSize?: number;
  readonly filter: string | undefined;
  /** The conditions that a position does not imply. Defaults to `filter`. */
  readonly filterBehind?: string | undefined;
  /** The fields of the default order, which an order of the user replaces. */
  readonly order?: { readonly time: string; readonly key: string };
  readonly orderBy?: string | undefined;
  /** The field that identifies a row. */
  readonly key: string;
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
    key: 'accessKey',
  };
}

/**
 * The pages of an OData list: by position in the default order, else by link or count of the service. A page that is
 * short and has no link is the last one only when the count confirms it, or when the next page is empty.
 * Error: `service.list_cut` for a list with fewer rows than the service counts.
 */
export async function* orderedPages(reader: PageReader, list: OdataList): AsyncGenerator<readonly unknown[]> {
  let state: ListState | undefined = {
    query: { ...firstOf(list, reader), $count: true },
    ...{ read: 0, expected: undefined, last: new Set(), position: undefined },
    ...{ isBehind: false, announced: false, byNsu: false },
  };
  while (state !== undefined) {
    const page: ListPage = await reader.read(state.query);
    if (page.isNumbered && list.byNumber !== undefined) return yield* list.byNumber();
    if (list.endsRepeated === true && isRepeated(page, state, list)) return;
    const next = stateBehind(page, state, { reader, list });
    yield page.rows;
    state = next;
  }
}

/** How far the list is read. */
interface ListState {
  /** What is asked for. */
  readonly query: QueryValues;
  /** All rows read, without those that the previous page already had. */
  readonly read: number;
  /** The total according to the service. */
  readonly expected: number | undefined;
  /** The keys of the page before. */
  readonly last: ReadonlySet<unknown>;
  readonly position: OdataPosition | undefined;
  /** The query covers only the rows after a position, and so does its count. */
  readonly isBehind: boolean;
  /** The previous page was short, but linked to another one. */
  readonly announced: boolean;
  /** The service ignores `$skip`; each page begins after the last NSU (`$skiptoken`, published). */
  readonly byNsu: boolean;
}

interface Reading {
  readonly reader: PageReader;
  readonly list: OdataList;
}

function firstOf({ pageSize, order, orderBy, filter }: OdataList, { everyRow }: PageReader): QueryValues {
  const words = orderBy ?? (order === undefined ? undefined : `${order.time} asc,${order.key} asc`);
  return { $top: pageSize, $orderby: words, $filter: filter ?? everyRow };
}

/** `undefined`: the page is the last one. */
function stateBehind(page: ListPage, state: ListState, reading: Reading): ListState | undefined {
  const { reader, list } = reading;
  const keys = page.rows.map((row) => fieldOf(row, list.key));
  const fresh = keys.filter((key) => key === undefined || !state.last.has(key)).length;
  const read = state.read + fresh;
  const counted = page.total === undefined ? undefined : page.total + (state.isBehind ? state.read : 0);
  const expected = counted ?? state.expected;
  if (page.rows.length === 0) {
    if (state.announced || read < (expected ?? 0)) throw reader.broken(nothingMore);
    return undefined;
  }
  const isShort = page.rows.length < (list.pageSize ?? Infinity);
  const announced = isShort && page.next !== undefined;
  const mayEnd = isShort && !announced;
  if (mayEnd && expected !== undefined && read >= expected) return undefined;
  const here = { ...state, read, expected, last: new Set(keys), announced };
  // Without a sign that more follows, request the count.
  const more = mayEnd ? { $count: true } : {};
  return nextState(page, here, { ...reading, more, readBefore: state.read });
}

/** This may be a full page with more rows after it. */
const PERHAPS_FULL = 50;

/** The same few rows as on the previous page, and no count or link that announces more. */
function isRepeated(page: ListPage, { last, expected, read }: ListState, { key }: OdataList): boolean {
  const keys = page.rows.map((row) => fieldOf(row, key));
  const isSame = keys.length === last.size && keys.every((one) => one !== undefined && last.has(one));
  const isAll = page.next === undefined && read >= (page.total ?? expected ?? 0);
  return isSame && isAll && keys.length > 0 && keys.length < PERHAPS_FULL;
}

interface Onward extends Reading {
  readonly more: QueryValues;
  /** Rows read before this page. */
  readonly readBefore: number;
}

function nextState(page: ListPage, here: ListState, { reader, list, more, readBefore }: Onward): ListState {
  const first = { ...firstOf(list, reader), ...more };
  const position = list.order === undefined ? undefined : positionBehind(page.rows, list.order);
  if (position === undefined || list.order === undefined) {
    const byNsu = here.byNsu || (here.read === readBefore && page.next === undefined);
    const nsu = byNsu ? lastNsu(page.rows) : undefined;
    if (byNsu && (nsu === undefined || here.query['$skiptoken'] === nsu)) throw reader.broken(standsStill);
    const on = byNsu ? { $skiptoken: nsu } : { $skip: here.read };
    const query = page.next ?? { ...first, ...on };
    return { ...here, query, isBehind: false, byNsu };
  }
  if (position.time === here.position?.time && position.key === here.position.key)
    throw reader.broken(standsStill);
  const $filter = allOf([list.filterBehind ?? list.filter, afterPosition(list.order, position)]);
  return { ...here, query: { ...first, $filter }, position, isBehind: true };
}

/** The position of the last row. A page in another order has none: rows before its last one may be missing. */
function positionBehind(
  rows: readonly unknown[],
  order: NonNullable<OdataList['order']>,
): OdataPosition | undefined {
  let before: RowPosition | undefined;
  for (const row of rows) {
    const position = positionOf(row, order);
    if (position === undefined || (before !== undefined && isBefore(position, before))) return undefined;
    before = position;
  }
  return before;
}

/** The NSU of the last row, in digits. A page in another order has none: rows before its last one may be missing. */
function lastNsu(rows: readonly unknown[]): string | undefined {
  let before: bigint | undefined;
  for (const row of rows) {
    const text = String(fieldOf(row, 'nsu') ?? '');
    if (!/^\d{1,20}$/.test(text) || (before !== undefined && BigInt(text) < before)) return undefined;
    before = BigInt(text);
  }
  return before?.toString();
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
