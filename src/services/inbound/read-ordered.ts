import { nothingMore } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { afterPosition, allOf, type OdataPosition } from '../../domain/odata.js';
import { fieldOf } from '../../domain/record.js';
import { parseUtc } from '../../domain/utc.js';
import type { ListPage, PageReader } from './read-page.js';
import { filterOf, orderField, type DocumentQuery, type QueryValues } from './read-query.js';

const PAGE_SIZE = 500;
/** The list of NFS-e has smaller pages, whatever the way in which it is asked. */
const NFSE_PAGE_SIZE = 100;

/** Pages by OData: in the program's own order by position, in the user's order as the service links or counts them. */
export async function* orderedPages(
  reader: PageReader,
  query: DocumentQuery,
): AsyncGenerator<readonly unknown[]> {
  const largest = query.family === 'nfse' ? NFSE_PAGE_SIZE : PAGE_SIZE;
  const first = { $top: Math.min(query.pageSize ?? largest, largest), ...orderOf(query) };
  const start = { ...first, $filter: filterOf(query) };
  let place: Place = { query: start, read: 0, last: new Set(), position: undefined, announced: false };
  for (;;) {
    const page = await reader.read(place.query);
    // A short page with a link says that more is to come.
    if (page.rows.length === 0 && place.announced) throw reader.broken(nothingMore);
    yield page.rows;
    const next = behind(page, place, { reader, query, first });
    if (next === undefined) return;
    place = next;
  }
}

/** Where the reading stands. */
interface Place {
  /** What was asked for. */
  readonly query: QueryValues;
  /** Rows read in all, those apart that the page before had already. */
  readonly read: number;
  /** The keys of the page before. */
  readonly last: ReadonlySet<unknown>;
  readonly position: OdataPosition | undefined;
  /** The page before was not full, and had a link to another one. */
  readonly announced: boolean;
}

interface Reading {
  readonly reader: PageReader;
  readonly query: DocumentQuery;
  readonly first: { readonly $top: number; readonly $orderby: string };
}

function orderOf(query: DocumentQuery): { readonly $orderby: string } {
  return { $orderby: query.orderBy ?? `${orderField(query)} asc,accessKey asc` };
}

function behind(page: ListPage, place: Place, reading: Reading): Place | undefined {
  const { query, first } = reading;
  if (page.next === undefined && page.rows.length < first.$top) return undefined;
  const keys = page.rows.map((row) => fieldOf(row, 'accessKey'));
  const read = place.read + keys.filter((key) => !place.last.has(key)).length;
  const announced = page.next !== undefined && page.rows.length < first.$top;
  const here = { read, last: new Set(keys), announced };
  const position = query.orderBy === undefined ? positionBehind(page.rows, query) : undefined;
  if (position === undefined) return byLinkOrCount(page, { ...place, ...here }, reading);
  if (position.time === place.position?.time && position.key === place.position.key) {
    throw reading.reader.broken(standsStill);
  }
  const fields = { time: orderField(query), key: 'accessKey' };
  // The row stands behind the beginning of the range already.
  const $filter = allOf([filterOf({ ...query, since: undefined }), afterPosition(fields, position)]);
  return { query: { ...first, $filter }, ...here, position };
}

function byLinkOrCount(page: ListPage, place: Place, { query, first }: Reading): Place {
  if (page.next !== undefined) return { ...place, query: page.next };
  return { ...place, query: { ...first, $filter: filterOf(query), $skip: place.read } };
}

/** The place of the last row. A page that is not in the asked order has none: what it lacks may stand before its last row. */
function positionBehind(rows: readonly unknown[], query: DocumentQuery): OdataPosition | undefined {
  let before: RowPosition | undefined;
  for (const row of rows) {
    const position = positionOf(row, query);
    if (position === undefined || (before !== undefined && isBefore(position, before))) return undefined;
    before = position;
  }
  return before;
}

interface RowPosition extends OdataPosition {
  /** The same time in milliseconds. */
  readonly at: number;
}

function isBefore(one: RowPosition, other: RowPosition): boolean {
  return one.at < other.at || (one.at === other.at && one.time === other.time && one.key < other.key);
}

/** The time goes into a filter without quotes, so it must be nothing but a time. */
function positionOf(row: unknown, query: DocumentQuery): RowPosition | undefined {
  const [time, key] = [fieldOf(row, orderField(query)), fieldOf(row, 'accessKey')];
  if (typeof time !== 'string' || typeof key !== 'string') return undefined;
  const at = parseUtc(time);
  return at === undefined || key === '' ? undefined : { time, key, at };
}

const standsStill: Text = {
  en: 'the page behind the last row ends with the same row again',
  pt: 'a página depois da última linha termina de novo na mesma linha',
};
