import { nothingMore } from '../../client/list-rows.js';
import type { ListPage, PageReader } from './read-page.js';
import { pageParameters, type DocumentQuery } from './read-query.js';

/** §public: `pageCount` 1 to 100. */
const MAX_PAGE_SIZE = 100;

/**
 * Pages by number, from 1. Rows that leave the list meanwhile (a filter that they no longer fit) pull the ones behind
 * them to an earlier page: when the total shrinks, so many pages are read again.
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
      // Rows that were read twice make up for none that is missing, so the sum may only be larger.
      if (read < (page.total ?? 0)) throw reader.broken(nothingMore);
      return;
    } else {
      pageIndex += 1;
    }
    before = page;
  }
}

/** Without totals only an empty page tells the end: a service may give less than was asked for. */
function isLast({ rows, totalPages }: ListPage, pageIndex: number): boolean {
  return rows.length === 0 || (totalPages !== undefined && pageIndex >= totalPages);
}
