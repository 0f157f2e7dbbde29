import type { Family } from '../core/records.js';
import type { ODataPage } from '../../contract/inbound.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { ListQuery } from './listing.js';
import { type Condition, type Fields, readFilter } from './odata-filter.js';

/** The supported OData parameters (assumed). */
export const odataNames = ['$filter', '$orderby', '$select', '$top', '$skip', '$count'];
/** Rows of a page without `$top`. */
const pageSize = 50;
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
 * total number of rows (OData 4 part 1 §11.2.6.3). The lists under `/odata/` require a `$filter` (published).
 */
export function odataPage<Stored>(
  core: Core,
  query: URLSearchParams,
  source: Source<Stored>,
): ODataPage<object> {
  for (const name of query.keys()) {
    if (name.startsWith('$') && !odataNames.includes(name)) throw invalid(name, 'Is not supported.');
  }
  const top = wholeNumber(query, '$top', pageSize);
  if (top > highestTop) throw invalid('$top', `Must be from 0 to ${highestTop}.`);
  const skip = wholeNumber(query, '$skip', 0);
  const { companyId, family, fields } = source;
  const filter = query.get('$filter');
  if (filter === null && source.address.includes('/odata/')) throw invalid('$filter', 'Is required.');
  const conditions: readonly Condition[] = filter === null ? [] : [readFilter(filter, fields)];
  const order = orderOf(query.get('$orderby'), fields);
  const list: ListQuery = { companyId, family, conditions, order, skip, limit: top + 1 };
  const found = pageRows(core, source, list);
  const hasMore = found.hasMore && !query.has('$top');
  const selected = selectedOf(query.get('$select'), fields);
  const next = nextLink(core, query, { address: source.address, skip, top, hasMore });
  return {
    ...(query.get('$count') === 'true' ? { '@odata.count': source.count(list) } : {}),
    value: found.rows.map((row) => project(source.show(row), selected)),
    ...(next === undefined ? {} : { '@odata.nextLink': next }),
  };
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, 'Must be a whole number.');
  return Number(text);
}

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
