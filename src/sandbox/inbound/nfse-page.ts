import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { hasMixedRows, showMixed } from './mixed-rows.js';
import { holderOf, showNfse, showNfseEvent } from './show.js';
import type { ListQuery } from './listing.js';
import type { Condition } from './odata-filter.js';

const defaultCount = 50;
const highestCount = 100;

/** SQL conditions by parameter name. */
type Parameters = ReadonlyMap<string, string>;

const ranges: Parameters = new Map([
  ['createdBegin', 'createdOn >= ?'],
  ['createdEnd', 'createdOn <= ?'],
  ['issuedBegin', 'issuedOn >= ?'],
  ['issuedEnd', 'issuedOn <= ?'],
]);
const numbers: Parameters = new Map([
  ['nsuBegin', 'nsu >= ?'],
  ['nsuEnd', 'nsu <= ?'],
]);
const noteTexts: Parameters = new Map([
  ['status', 'status = ?'],
  ['webhookStatus', 'webhookStatus = ?'],
  ['federalTaxNumber', 'issuerTaxNumber = ?'],
]);

/** Events have fewer parameters. */
const eventTexts: Parameters = new Map([
  ['status', "'Processed' = ?"],
  ['webhookStatus', "'Skipped' = ?"],
  ['federalTaxNumber', 'COALESCE(author, substr(accessKey, 10, 14)) = ?'],
  ['eventType', "'E' || type = upper(?)"],
]);

type Kind = 'all' | 'notes' | 'events' | 'nothing';

/** The values of `type` (public). Default: documents of every type. The sandbox has no rows for the last three. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['None', 'all'],
  ['Nfse', 'notes'],
  ['serviceInvoice', 'notes'],
  ['Event', 'events'],
  ['serviceInvoiceEvent', 'events'],
  ['Dps', 'nothing'],
  ['EventRegistrationRequest', 'nothing'],
  ['Cnc', 'nothing'],
]);

interface Rows {
  select(query: ListQuery): readonly object[];
  count(query: ListQuery): number;
}

function rowsOf(core: Core, companyId: string, kind: Kind): Rows {
  const holder = holderOf(core, companyId);
  switch (kind) {
    case 'all':
      return {
        select: (query) => core.listing.mixed(query).map((row) => showMixed(core, 'nfse', row, holder)),
        count: (query) => core.listing.countMixed(query),
      };
    case 'notes':
      return {
        select: (query) => core.listing.documents(query).map((document) => showNfse(core, document, holder)),
        count: (query) => core.listing.countDocuments(query),
      };
    case 'events':
      return {
        select: (query) => core.listing.events(query).map((event) => showNfseEvent(core, event, holder)),
        count: (query) => core.listing.countEvents(query),
      };
    case 'nothing':
      return { select: () => [], count: () => 0 };
  }
}

/** The list by page number (public), newest capture first (assumed). */
export function nfsePage(core: Core, companyId: string, query: URLSearchParams): object {
  const page = whole(query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
  const size = pageSize(query, highestCount, defaultCount);
  const type = query.get('type') ?? 'None';
  const asked = kinds.get(type);
  if (asked === undefined) throw invalid('type', `Must be one of: ${[...kinds.keys()].join(', ')}.`);
  const kind = kindOf(core, { companyId, asked, isOfEvents: query.has('eventType') });
  const environment = query.get('environment') ?? 'Production';
  if (!['Production', 'Development'].includes(environment)) {
    throw invalid('environment', 'Must be Production or Development.');
  }
  // What the sandbox captures is of the production environment.
  const source = rowsOf(core, companyId, environment === 'Production' ? kind : 'nothing');
  const list = {
    companyId,
    family: 'nfse',
    conditions: conditionsOf(query, kind === 'events' ? eventTexts : noteTexts),
    order: [],
    skip: (page - 1) * size,
    limit: size,
  } as const;
  const rows = source.select(list);
  const isEndless = rows.length === 0 && core.behaviour.listHostility() !== undefined;
  const shown = isEndless ? source.select({ ...list, skip: 0 }) : rows;
  const before = core.behaviour.pageFaults().doubled && page > 1;
  const doubled = before ? source.select({ ...list, skip: list.skip - 1, limit: 1 }) : [];
  return {
    ...totals(source, list, query.get('hasTotals') === 'true'),
    page,
    documents: ordered(core, [...doubled, ...shown]),
  };
}

function kindOf(
  core: Core,
  {
    companyId,
    asked,
    isOfEvents,
  }: { readonly companyId: string; readonly asked: Kind; readonly isOfEvents: boolean },
): Kind {
  if (isOfEvents && asked === 'all') return 'events';
  if (isOfEvents && asked === 'notes') return 'nothing';
  return asked === 'all' && !hasMixedRows(core, companyId, 'nfse') ? 'notes' : asked;
}

function ordered(core: Core, rows: readonly object[]): readonly object[] {
  return core.behaviour.pageFaults().reordered ? rows.toReversed() : rows;
}

function totals(source: Rows, list: ListQuery, isAsked: boolean): object {
  // Published as present and null.
  if (!isAsked) return { totalResults: null, totalPages: null };
  const totalResults = source.count(list);
  return { totalResults, totalPages: Math.ceil(totalResults / list.limit) };
}

function conditionsOf(query: URLSearchParams, texts: Parameters): readonly Condition[] {
  return [...query].flatMap(([name, text]): Condition[] => {
    const [range, number, plain] = [ranges.get(name), numbers.get(name), texts.get(name)];
    if (range !== undefined) return [{ sql: range, values: [timeOf(name, text)] }];
    if (number !== undefined) return [{ sql: number, values: [numberOf(name, text)] }];
    return plain === undefined ? [] : [{ sql: plain, values: [text] }];
  });
}

function timeOf(name: string, text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at)) throw invalid(name, 'Must be a date in ISO 8601.');
  return at;
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, 'Must have up to 15 digits.');
  return Number(text);
}

/** The number of rows of a page; `pageCount=0` is the usual one (public). */
export function pageSize(query: URLSearchParams, to: number, usual: number): number {
  const size = whole(query, 'pageCount', { from: 0, to, otherwise: usual });
  return size === 0 ? usual : size;
}

export function whole(
  query: URLSearchParams,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw invalid(name, `Must be from ${from} to ${to}.`);
}
