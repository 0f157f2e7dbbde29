import type { Text } from '../../contract/text.js';
import { afterPosition, allOf, type OdataPosition } from '../../domain/odata.js';
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
  let place: Place = { query: { ...first, $filter: filterOf(query) }, read: 0, position: undefined };
  for (;;) {
    const page = await reader.read(place.query);
    yield page.rows;
    const next = behind(page, place, { reader, query, first });
    if (next === undefined) return;
    place = next;
  }
}

/** Where the reading stands: the query that was sent, rows read in all, and the last row's position. */
interface Place {
  readonly query: QueryValues;
  readonly read: number;
  readonly position: OdataPosition | undefined;
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
  const read = place.read + page.rows.length;
  const position = query.orderBy === undefined ? positionOf(page.rows.at(-1), query) : undefined;
  if (position === undefined) return byLinkOrCount(page, { ...place, read }, reading);
  if (position.time === place.position?.time && position.key === place.position.key) {
    throw reading.reader.broken(standsStill);
  }
  const fields = { time: orderField(query), key: 'accessKey' };
  const $filter = allOf([filterOf(query), afterPosition(fields, position)]);
  return { query: { ...first, $filter }, read, position };
}

function byLinkOrCount(page: ListPage, place: Place, { query, first }: Reading): Place {
  if (page.next !== undefined) return { ...place, query: page.next };
  return { ...place, query: { ...first, $filter: filterOf(query), $skip: place.read } };
}

/** The time goes into a filter without quotes, so it must be nothing but a time. */
function positionOf(row: unknown, query: DocumentQuery): OdataPosition | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(row));
  const [time, key] = [fields.get(orderField(query)), fields.get('accessKey')];
  if (typeof time !== 'string' || typeof key !== 'string') return undefined;
  return parseUtc(time) === undefined || key === '' ? undefined : { time, key };
}

const standsStill: Text = {
  en: 'the page behind the last row ends with the same row again',
  pt: 'a página depois da última linha termina de novo na mesma linha',
};
