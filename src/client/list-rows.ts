import type { ListOperationId } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { fieldOf } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { CallInput, CallOptions, Client } from './client.js';
import { rowsOf } from './read-answer.js';

/** Lists that go on behind the last row of a page, and those by page number, from 1. */
type CursorList = 'company.list' | 'nfe.list' | 'nfce.list';
type NumberedList = 'nfse.list' | 'nfse.inbound.companies' | 'tax.codes' | 'nfse.notifications';

/** More pages than any list of this service has. */
const MAX_PAGES = 20_000;
/** Doubles stand near each other, so memory stays flat. */
const MAX_RECENT = 50_000;

/**
 * The rows of a whole list, each once. Only `hasMore: false` and a page without news end it. Errors: those of a call;
 * `service.list_cut` when it breaks off before its end.
 */
export async function* cursorRows<Id extends CursorList>(
  client: Client,
  operation: Id,
  input: CallInput<Id> & { readonly query: { readonly limit: number } },
  options: CallOptions,
): AsyncGenerator<unknown> {
  const rows = new FreshRows(operation, 'id');
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...input.query, startingAfter };
    const { body } = await client.call(operation, { ...input, query }, options);
    const given = rowsOf(operation, body);
    const fresh = rows.of(given);
    yield* fresh;
    const hasMore = fieldOf(body, 'hasMore');
    if (hasMore === false) return;
    // Where nothing is said, the list ends with the page behind which nothing new comes.
    if (fresh.length === 0 && hasMore !== true && given.length < input.query.limit) return;
    if (fresh.length === 0) throw rows.cut(given.length === 0 ? nothingMore : nothingNew);
    startingAfter = idOf(given.at(-1), 'id');
    if (startingAfter === undefined) throw rows.cut(noId);
  }
  throw rows.cut(noEnd);
}

/** The same by page number. Without a total of pages, an empty page is the end, or the only page of a list without pages. */
export async function* numberedRows<Id extends NumberedList>(
  client: Client,
  operation: Id,
  input: CallInput<Id> & { readonly query: { readonly pageCount: number }; readonly idField: string },
  options: CallOptions,
): AsyncGenerator<unknown> {
  const { idField, ...call } = input;
  const rows = new FreshRows(operation, idField);
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
    const query = { ...call.query, pageIndex };
    const { body } = await client.call(operation, { ...call, query }, options);
    const given = rowsOf(operation, body);
    const fresh = rows.of(given);
    yield* fresh;
    const pages = countOf(fieldOf(body, 'totalPages'));
    const isOnlyPage = fresh.length === 0 && given.length < query.pageCount;
    const isLast = pages === undefined ? given.length === 0 || isOnlyPage : pageIndex >= pages;
    if (isLast) {
      const count = countOf(fieldOf(body, 'totalResults') ?? fieldOf(body, 'totalCount')) ?? 0;
      if (rows.count < count) throw rows.cut(nothingMore);
      return;
    }
    if (given.length === 0) throw rows.cut(nothingMore);
    // What is new meanwhile pushes other rows to a later page; a whole page of them is the same page again.
    if (fresh.length === 0) throw rows.cut(nothingNew);
  }
  throw rows.cut(noEnd);
}

/** `service.list_cut`: what was read is true, and not all. */
export function listCut(operation: ListOperationId, count: number, reason: Text): FiscalError {
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: true } as const;
  return new FiscalError('service.list_cut', { operation, count, reason }, facts);
}

class FreshRows {
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(
    private readonly operation: ListOperationId,
    private readonly idField: string,
  ) {}

  /** Those that did not come before. What has no id cannot be told apart, and is given. */
  of(rows: readonly unknown[]): readonly unknown[] {
    const fresh = rows.filter((row) => this.#isNew(row));
    this.#count += fresh.length;
    return fresh;
  }

  /** Rows that were given. */
  get count(): number {
    return this.#count;
  }

  cut(reason: Text): FiscalError {
    return listCut(this.operation, this.#count, reason);
  }

  #isNew(row: unknown): boolean {
    const id = idOf(row, this.idField);
    if (id === undefined) return true;
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= MAX_RECENT) break;
      this.#seen.delete(oldest);
    }
    return true;
  }
}

function idOf(row: unknown, field: string): string | undefined {
  const value = fieldOf(row, field) ?? fieldOf(row, 'id');
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export const nothingMore: Text = {
  en: 'it announces more and gives nothing more',
  pt: 'ela anuncia mais e não traz mais nada',
};
const nothingNew: Text = {
  en: 'its next page brings nothing new',
  pt: 'a próxima página não traz nada de novo',
};
const noId: Text = {
  en: 'it does not say whether more follows, and its last row has no id to go on from',
  pt: 'ela não diz se há mais, e a última linha não tem id para continuar',
};
const noEnd: Text = {
  en: `it does not end within ${MAX_PAGES} pages`,
  pt: `ela não termina em ${MAX_PAGES} páginas`,
};

/** The first `limit` rows; `reading` tells afterwards how many were given, and whether there was one more. */
export async function* firstOf<Row>(
  rows: AsyncIterable<Row>,
  limit: number,
  reading: { given: number; isCut: boolean },
): AsyncGenerator<Row> {
  for await (const row of rows) {
    reading.isCut = reading.given >= limit;
    if (reading.isCut) return;
    reading.given += 1;
    yield row;
  }
}
