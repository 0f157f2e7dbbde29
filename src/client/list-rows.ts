import type { ListOperationId } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { fieldOf } from '../domain/record.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { filled } from '../errors/text-template.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Answer, CallInput, CallOptions, Client } from './client.js';
import { rowsOf } from './read-answer.js';
import { isNumber } from '../domain/json-numbers.js';

/** Lists paged by cursor, and lists paged by number, starting at 1. */
type CursorList = 'company.list' | 'stateTax.list' | 'municipalTax.list' | 'nfe.list' | 'nfce.list';
type NumberedList = 'nfse.list' | 'nfse.inbound.companies' | 'tax.codes' | 'nfse.notifications';

/** More pages than any list of this service has. */
const MAX_PAGES = 20_000;
/** Duplicates are close together, so memory stays bounded. */
const MAX_RECENT = 50_000;

/**
 * Yields every row of a list once. Only `hasMore: false`, or a page without new rows, ends it. Errors: those of the
 * call; `service.list_cut` when the list breaks off before its end.
 */
export async function* cursorRows<Id extends CursorList>(
  client: Client,
  operation: Id,
  input: CursorInput<Id>,
  options: CallOptions,
): AsyncGenerator<unknown> {
  for await (const page of cursorPages(client, operation, input, options)) yield* page;
}

type CursorInput<Id extends CursorList> = CallInput<Id> & { readonly query: { readonly limit: number } };

/** Of a list. */
interface PageOptions extends CallOptions {
  /** Called with each answer, before its rows are given. */
  readonly onAnswer?: (answer: Answer<unknown>) => void;
}

/** The rows of `cursorRows`, with those of one answer together. */
export async function* cursorPages<Id extends CursorList>(
  client: Client,
  operation: Id,
  input: CursorInput<Id>,
  options: PageOptions,
): AsyncGenerator<readonly unknown[]> {
  const rows = new FreshRows(operation, 'id');
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...input.query, startingAfter };
    const answer = await client.call(operation, { ...input, query }, options);
    options.onAnswer?.(answer);
    const { body } = answer;
    const given = rowsOf(operation, body);
    const fresh = rows.of(given);
    yield fresh;
    if (endsWith(body, given, { limit: input.query.limit, isNew: fresh.length > 0 })) return;
    if (fresh.length === 0) throw rows.cut(given.length === 0 ? nothingMore : nothingNew);
    startingAfter = idOf(given.at(-1), 'id');
    if (startingAfter === undefined) throw rows.cut(noId);
  }
  throw rows.cut(noEnd);
}

/**
 * True for the last page of a list by cursor. Without `hasMore`, that is the first page without new rows, unless it is
 * exactly full: then the service may have more and not know the cursor.
 */
export function endsWith(
  body: unknown,
  rows: readonly unknown[],
  { limit, isNew }: { readonly limit: number; readonly isNew: boolean },
): boolean {
  const hasMore = fieldOf(body, 'hasMore');
  if (hasMore === false) return true;
  return hasMore !== true && !isNew && rows.length !== limit;
}

/**
 * Like `cursorRows`, by page number. Without a total of pages, an empty page ends the list, or two short ones in a row without new
 * rows, as a list without paging and one that repeats its last page give them. One such page may also come from rows that were
 * added while the list was read. A service that ignores the page number and gives fewer rows than it has cannot be told
 * from a list without paging. A list must give as many rows as it counted when the reading began: rows that are added later may
 * stand on a page that was read.
 */
export async function* numberedRows<Id extends NumberedList>(
  client: Client,
  operation: Id,
  input: NumberedInput<Id>,
  options: CallOptions,
): AsyncGenerator<unknown> {
  for await (const page of numberedPages(client, operation, input, options)) yield* page;
}

type NumberedInput<Id extends NumberedList> = CallInput<Id> & {
  readonly query: { readonly pageCount: number };
  readonly idField: string;
};

/** The rows of `numberedRows`, with those of one answer together. */
export async function* numberedPages<Id extends NumberedList>(
  client: Client,
  operation: Id,
  input: NumberedInput<Id>,
  options: PageOptions,
): AsyncGenerator<readonly unknown[]> {
  const { idField, ...call } = input;
  const rows = new FreshRows(operation, idField);
  let repeated = 0;
  let announced: number | undefined;
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
    const query = { ...call.query, pageIndex };
    const answer = await client.call(operation, { ...call, query }, options);
    options.onAnswer?.(answer);
    const { body } = answer;
    const given = rowsOf(operation, body);
    const fresh = rows.of(given);
    yield fresh;
    const pages = totalPagesIn(body, given);
    announced ??= countOf(fieldOf(body, 'totalResults') ?? fieldOf(body, 'totalCount'));
    repeated = fresh.length === 0 && given.length < query.pageCount ? repeated + 1 : 0;
    const isLast = pages === undefined ? given.length === 0 || repeated > 1 : pageIndex >= pages;
    if (isLast) {
      if (rows.count < (announced ?? 0)) throw rows.cut(nothingMore);
      return;
    }
    if (given.length === 0) throw rows.cut(nothingMore);
    // New rows push others to a later page, but a whole page of repeats means the same page again.
    if (fresh.length === 0 && (pages !== undefined || repeated === 0)) throw rows.cut(nothingNew);
  }
  throw rows.cut(noEnd);
}

/** `service.list_cut`: the rows read are correct but incomplete. */
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

  /** The rows that are new. Rows without an id cannot be compared and always count as new. */
  of(rows: readonly unknown[]): readonly unknown[] {
    const fresh = rows.filter((row) => this.#isNew(row));
    this.#count += fresh.length;
    return fresh;
  }

  /** Number of rows yielded. */
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
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The total of pages; `undefined` when it is absent, or 0 beside rows, as in a list that was not counted. */
export function totalPagesIn(body: unknown, rows: readonly unknown[]): number | undefined {
  const pages = countOf(fieldOf(body, 'totalPages'));
  return pages === 0 && rows.length > 0 ? undefined : pages;
}

/** A number of rows or pages. A service may write 64-bit numbers as text. */
export function countOf(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value);
  const count = isDigits || isNumber(value) ? Number(value) : NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export const { nothingMore, nothingNew } = answerReasons;
const noId = answerReasons.noIdToContinue;
export const noEnd = filled(answerReasons.noEnd, { pages: MAX_PAGES });

/** Yields the first `limit` rows. Afterwards `reading` holds their number and whether there was one more. */
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
