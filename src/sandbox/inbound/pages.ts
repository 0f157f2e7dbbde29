import type { ODataPage } from '../../contract/inbound.js';
import { pageIndex, pageSize, queryNumber, queryTime } from '../core/checks.js';
import type { Core } from '../core/core.js';
import type { Family, KnownCompany } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import type { ListQuery, MixedRow } from './listing.js';
import { type Condition, documentFields, type Fields, mixedFields, readFilter } from './odata-filter.js';
import { holderOf, showCte, showEventRow, showNfe, showNfse, showNfseEvent, showNote } from './show.js';

/** The supported OData parameters: `$filter`, `$top`, `$skiptoken` and `$count` are published, the others assumed. */
export const odataNames = ['$filter', '$orderby', '$select', '$top', '$skip', '$skiptoken', '$count'];
/** Rows of a page without `$top`. */
const usualTop = 50;
const highestTop = 1_000;

interface Source<Stored> {
  readonly companyId: string;
  readonly family: Family;
  readonly fields: Fields;
  /** The address of this list, for the next link. */
  readonly address: string;
  select(query: ListQuery): readonly Stored[];
  count(query: ListQuery): number;
  show(stored: Stored): object;
}

/**
 * One page: newest capture first unless `$orderby` is given; next links use `$skip` (assumed). `$top` limits the
 * total number of rows (OData 4 part 1 §11.2.6.3). The lists under `/odata/` require a `$filter` (published). A page after
 * a `$skiptoken`, which is the last NSU (published), and every page of a bare list go up by NSU.
 */
export function odataPage<Stored>(
  core: Core,
  query: URLSearchParams,
  source: Source<Stored>,
): ODataPage<object> | readonly object[] {
  for (const name of query.keys()) {
    if (name.startsWith('$') && !odataNames.includes(name)) throw invalid(name, 'Is not supported.');
  }
  const top = queryNumber(query, '$top', usualTop);
  if (top > highestTop) throw invalid('$top', `Must be from 0 to ${highestTop}.`);
  const skip = queryNumber(query, '$skip', 0);
  const { companyId, family, fields } = source;
  const filter = query.get('$filter');
  if (filter === null && source.address.includes('/odata/')) throw invalid('$filter', 'Is required.');
  // No bare list of NFS-e is published.
  const isBare = family !== 'nfse' && core.mode.get().lists === 'bare';
  const after = query.get('$skiptoken');
  const filters: readonly Condition[] = filter === null ? [] : [readFilter(filter, fields)];
  const rest: readonly Condition[] =
    after === null ? [] : [{ sql: 'nsu > ?', values: [numberOf('$skiptoken', after)] }];
  const asked = orderOf(query.get('$orderby'), fields);
  const order = asked.length === 0 && (isBare || after !== null) ? ['nsu ASC'] : asked;
  const list: ListQuery = { companyId, family, conditions: [...filters, ...rest], order, skip, limit: top + 1 };
  const found = pageRows(core, source, list);
  const hasMore = found.hasMore && !query.has('$top');
  const selected = selectedOf(query.get('$select'), fields);
  const rows = found.rows.map((row) => project(source.show(row), selected));
  if (isBare) return rows;
  const next = nextLink(core, query, { address: source.address, skip, top, hasMore });
  return {
    ...(query.get('$count') === 'true' ? { '@odata.count': source.count({ ...list, conditions: filters }) } : {}),
    value: rows,
    ...(next === undefined ? {} : { '@odata.nextLink': next }),
  };
}

/** The notes of a family, with their events where these are listed among them. */
export function notePage(
  core: Core,
  query: URLSearchParams,
  source: Pick<Source<unknown>, 'companyId' | 'family' | 'address'>,
): ReturnType<typeof odataPage> {
  const { companyId, family } = source;
  const holder = holderOf(core, companyId);
  if (hasMixedRows(core, companyId, family)) {
    return odataPage(core, query, {
      ...source,
      fields: mixedFields(family),
      select: (asked) => core.listing.mixed(asked),
      count: (asked) => core.listing.countMixed(asked),
      show: (row) => showMixed(core, family, row, holder),
    });
  }
  return odataPage(core, query, {
    ...source,
    fields: documentFields[family],
    select: (asked) => core.listing.documents(asked),
    count: (asked) => core.listing.countDocuments(asked),
    show: (document) => (family === 'nfse' ? showNfse(core, document, holder) : noteShows[family](document, holder)),
  });
}

export const noteShows = { nfe: showNfe, cte: showCte } as const;

function orderOf(text: string | null, fields: Fields): readonly string[] {
  if (text === null) return [];
  const parts = text.split(',');
  if (parts.length > fields.size) throw invalid('$orderby', 'Orders by more than there is.');
  return parts.map((part) => {
    const [name = '', direction = 'asc', ...rest] = part.trim().split(/\s+/);
    const field = fields.get(name);
    if (field === undefined || rest.length > 0 || !['asc', 'desc'].includes(direction)) {
      throw invalid('$orderby', `Cannot order by ${part.trim()}.`);
    }
    return `${field.sql} ${direction === 'asc' ? 'ASC' : 'DESC'}`;
  });
}

/** The paths to show; `undefined`: all. A path may name a whole object. */
function selectedOf(text: string | null, fields: Fields): readonly (readonly string[])[] | undefined {
  if (text === null) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const known = new Set([...fields.keys()].flatMap((name) => [name, name.split('/')[0]]));
  const unknown = names.find((name) => name !== '*' && !known.has(name));
  if (unknown !== undefined) throw invalid('$select', `Cannot show ${unknown}.`);
  return names.includes('*') ? undefined : names.map((name) => name.split('/'));
}

function project(row: object, selected: readonly (readonly string[])[] | undefined): object {
  if (selected === undefined) return row;
  const entries = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    const paths = selected.filter(([first]) => first === name);
    if (paths.length === 0) return [];
    const isWhole = paths.some((path) => path.length === 1) || typeof value !== 'object' || value === null;
    if (isWhole) return [[name, value]];
    const inner = project(
      value,
      paths.map((path) => path.slice(1)),
    );
    return [[name, inner]];
  });
  return Object.fromEntries(entries);
}

interface PageRows<Stored> {
  readonly rows: readonly Stored[];
  readonly hasMore: boolean;
}

/** Applies the page faults: a repeated row, rows in reverse order, or half of the rows. */
function pageRows<Stored>(core: Core, source: Source<Stored>, list: ListQuery): PageRows<Stored> {
  const found = source.select(list);
  const { doubled, reordered, short } = core.behaviour.pageFaults();
  const rows = found.slice(0, short ? Math.ceil((list.limit - 1) / 2) : list.limit - 1);
  const isEndless = core.behaviour.listHostility() === 'endless-list' && rows.length === 0;
  const shown = isEndless ? source.select({ ...list, skip: 0, limit: list.limit - 1 }) : rows;
  const before = doubled && list.skip > 0 ? source.select({ ...list, skip: list.skip - 1, limit: 1 }) : [];
  const all = [...before, ...shown];
  return { rows: reordered ? all.toReversed() : all, hasMore: list.limit > 1 && found.length > rows.length };
}

interface NextPage {
  readonly address: string;
  readonly skip: number;
  readonly top: number;
  readonly hasMore: boolean;
}

function nextLink(core: Core, query: URLSearchParams, page: NextPage): string | undefined {
  const hostility = core.behaviour.listHostility();
  if (!page.hasMore && hostility === undefined) return undefined;
  const next = new URLSearchParams(query);
  // The query may contain a key, which must not appear in a link.
  next.delete('apikey');
  if (hostility !== 'self-link') next.set('$skip', String(page.skip + Math.max(page.top, 1)));
  const text = next.toString();
  return text === '' ? page.address : `${page.address}?${text}`;
}

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
  const page = pageIndex(query);
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
  { companyId, asked, isOfEvents }: { readonly companyId: string; readonly asked: Kind; readonly isOfEvents: boolean },
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
    if (range !== undefined) return [{ sql: range, values: [queryTime(name, text)] }];
    if (number !== undefined) return [{ sql: number, values: [numberOf(name, text)] }];
    return plain === undefined ? [] : [{ sql: plain, values: [text] }];
  });
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, 'Must have up to 15 digits.');
  return Number(text);
}

/** Whether the list of a company has events among its notes. Without any event the list of notes is the same, and faster. */
export function hasMixedRows({ behaviour, documentEvents }: Core, companyId: string, family: Family): boolean {
  return behaviour.eventPlaces()[family] === 'mixed' && documentEvents.hasAny(companyId, family);
}

export function showMixed(core: Core, family: Family, row: MixedRow, holder: KnownCompany | undefined): object {
  const event = row.eventKey === null ? undefined : core.documentEvents.get(row.companyId, row.eventKey);
  if (event === undefined) return showNote(core, { ...row, family }, holder);
  return family === 'nfse' ? showNfseEvent(core, event, holder) : showEventRow(core, event, holder);
}
