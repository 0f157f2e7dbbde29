import type { InboundDocument } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { parseUtc } from '../../domain/dates.js';
import { modifiedTime } from '../../domain/row-times.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { namesDocument } from '../../services/documents/unreadable-rows.js';
import {
  documentList,
  numberedPages,
  type OdataList,
  orderedPages,
  pageReader,
  type PageReader,
} from './list-pages.js';
import { type DocumentQuery, isBehindNsu, isNumbered } from './list-query.js';

/** What a list contained besides its documents. */
export interface ListReport {
  pages: number;
  /** Rows that appeared more than once. */
  doubled: number;
  /** Rows without a key, which are not documents. */
  unreadable: number;
}

const MAX_PAGES = 20_000;
/** Stop after this many pages in a row without a new row. */
const MAX_IDLE_PAGES = 20;
/** Keys to remember: duplicates are close to each other, and memory use stays constant. */
const MAX_RECENT = 10_000;

/**
 * The documents of one company that the service lists, page by page, each once, with all their fields as they came.
 * While documents arrive, none of the initial list is lost: NF-e and CT-e are read in the order of
 * time and key, each page beginning after the last row of the previous one (a position that no new row moves);
 * NFS-e by page number, where a new row can only push others to a later page, so they repeat and are skipped.
 * Errors: `service.list_cut` for a list that cannot be followed to its end, `inbound.list_limit`, those of a call.
 */
export async function* listDocuments(
  context: Pick<Context, 'client' | 'interruption'>,
  query: DocumentQuery,
  report: ListReport = newReport(),
): AsyncGenerator<InboundDocument> {
  const { family, companyId } = query;
  const source = { operation: `${family}.inbound.list`, companyId } as const;
  const reader = await pageReader(await context.client(), source, context.interruption);
  const way = { isWhole: false };
  const pages = isNumbered(query)
    ? numberedPages(reader, query)
    : orderedPages(reader, listOf(reader, query, way));
  const recent = new RecentKeys();
  const progress = new Progress(reader, query.maxPages);
  for await (const rows of pages) {
    report.pages += 1;
    progress.page();
    for (const row of rows) {
      if (!isDocument(row)) report.unreadable += 1;
      else if (!recent.add(identityOf(row, query))) report.doubled += 1;
      else {
        progress.found();
        const isAsked = !way.isWhole || isChangedWithin(row, query);
        if (isAsked && isBehindNsu(row.nsu, query)) yield row;
      }
    }
  }
}

/**
 * A list of changes by page number is read completely, and rows outside the period are filtered here:
 * the numbered list cannot filter by time of change.
 */
function listOf(reader: PageReader, query: DocumentQuery, way: { isWhole: boolean }): OdataList {
  const list = documentList(query);
  if (query.family !== 'nfse' || query.filter !== undefined || query.orderBy !== undefined) return list;
  const byNumber = (): AsyncGenerator<readonly unknown[]> => {
    way.isWhole = true;
    return numberedPages(reader, { ...query, since: undefined, until: undefined });
  };
  return { ...list, byNumber };
}

/** A document without a time of change may have changed. */
function isChangedWithin(
  row: InboundDocument,
  { since = -Infinity, until = Infinity }: DocumentQuery,
): boolean {
  const at = parseUtc(modifiedTime(row) ?? '');
  return at === undefined || (at >= since && at < until);
}

export function newReport(): ListReport {
  return { pages: 0, doubled: 0, unreadable: 0 };
}

function isDocument(row: unknown): row is InboundDocument {
  return namesDocument(row);
}

/** In a list of changes, the same document with a newer change is a new row. */
function identityOf(row: InboundDocument, { by }: DocumentQuery): string {
  return by === 'modified' ? `${row.accessKey} ${modifiedTime(row) ?? ''}` : row.accessKey;
}

class RecentKeys {
  readonly #keys = new Set<string>();

  /** False when the key was seen recently. */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= MAX_RECENT) break;
      this.#keys.delete(oldest);
    }
    return true;
  }
}

/** Stops a list that never ends, or that repeats itself. */
class Progress {
  #pages = 0;
  #idle = 0;

  constructor(
    private readonly reader: PageReader,
    private readonly maxPages: number | undefined,
  ) {}

  page(): void {
    this.#pages += 1;
    this.#idle += 1;
    if (this.maxPages !== undefined && this.#pages > this.maxPages) {
      throw new FiscalError('inbound.list_limit', { pages: this.maxPages });
    }
    if (this.#pages > MAX_PAGES) throw this.reader.broken(noEnd(MAX_PAGES));
    if (this.#idle > MAX_IDLE_PAGES) throw this.reader.broken(nothingNew);
  }

  found(): void {
    this.#idle = 0;
  }
}

/** More pages than any list has. */
export function noEnd(pages: number): Text {
  return { en: `it does not end within ${pages} pages`, pt: `ela não termina em ${pages} páginas` };
}

const nothingNew: Text = {
  en: `${MAX_IDLE_PAGES} pages in a row contained nothing new`,
  pt: `${MAX_IDLE_PAGES} páginas seguidas não trouxeram nada de novo`,
};
