import { fieldOf } from '../domain/record.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { filled } from '../errors/text-template.js';
import type { Answer, CallInput, CallOptions, Client } from './client.js';
import { identityBy, keyIn, ListReading, MAX_PAGES, untilWhole } from './list-reading.js';
import { countOf, rowsOf, totalIn } from './read-answer.js';

/** Lists paged by cursor, and lists paged by number, starting at 1. */
type CursorList = 'company.list' | 'stateTax.list' | 'municipalTax.list' | 'nfe.list' | 'nfce.list';
type NumberedList = 'nfse.list' | 'nfse.inbound.companies' | 'tax.codes' | 'nfse.notifications';

/**
 * Yields every row of a list once. Only `hasMore: false`, or a page without new rows, ends it. The list has no count: that it is
 * whole rests on this end. Errors: those of the call; `service.list_cut` when the list is not whole.
 */
export async function* cursorRows<Id extends CursorList>(
  client: Client,
  operation: Id,
  input: CursorInput<Id>,
  options: PageOptions,
): AsyncGenerator<unknown> {
  for await (const page of cursorPages(client, operation, input, options)) yield* page;
}

type CursorInput<Id extends CursorList> = CallInput<Id> & { readonly query: { readonly limit: number } };

/** Of a list. */
interface PageOptions extends CallOptions {
  /** Called with each answer, before its rows are given. */
  readonly onAnswer?: (answer: Answer<unknown>) => void;
  /** How often a list that is not whole is read; defaults to three. */
  readonly readings?: number;
}

/** The rows of `cursorRows`, with those of one answer together. */
export function cursorPages<Id extends CursorList>(
  client: Client,
  operation: Id,
  input: CursorInput<Id>,
  options: PageOptions,
): AsyncGenerator<readonly unknown[]> {
  const { onAnswer, readings, ...how } = options;
  const identify = identityBy('id');
  const read = async function* (): AsyncGenerator<readonly unknown[]> {
    const reading = new ListReading(operation, identify);
    let startingAfter: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { ...input.query, startingAfter };
      const answer = await client.call(operation, { ...input, query }, how);
      onAnswer?.(answer);
      const { body } = answer;
      const given = rowsOf(operation, body);
      const fresh = reading.take(given, { total: undefined });
      yield fresh;
      if (endsWith(body, given, { limit: input.query.limit, isNew: fresh.length > 0 })) return reading.end();
      if (fresh.length === 0) throw reading.notWhole(given.length === 0 ? nothingMore : nothingNew);
      startingAfter = keyIn(given.at(-1), 'id');
      if (startingAfter === undefined) throw reading.cut(noId);
    }
    throw reading.cut(noEnd);
  };
  return untilWhole(read, { identify, most: readings });
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
 * Like `cursorRows`, by page number. Without a total that proves something, an empty page ends the list, or two short ones in a row
 * without new rows, as a list without paging and one that repeats its last page give them. A service that ignores the page number
 * and gives fewer rows than it has cannot be told from a list without paging.
 */
export async function* numberedRows<Id extends NumberedList>(
  client: Client,
  operation: Id,
  input: NumberedInput<Id>,
  options: PageOptions,
): AsyncGenerator<unknown> {
  for await (const page of numberedPages(client, operation, input, options)) yield* page;
}

type NumberedInput<Id extends NumberedList> = CallInput<Id> & {
  readonly query: { readonly pageCount: number };
  /** Absent: rows are compared as a whole. */
  readonly idField?: string;
};

/** The rows of `numberedRows`, with those of one answer together. */
export function numberedPages<Id extends NumberedList>(
  client: Client,
  operation: Id,
  input: NumberedInput<Id>,
  options: PageOptions,
): AsyncGenerator<readonly unknown[]> {
  const { idField, ...call } = input;
  const { onAnswer, readings, ...how } = options;
  const identify = identityBy(idField);
  const read = async function* (): AsyncGenerator<readonly unknown[]> {
    const reading = new ListReading(operation, identify);
    let repeated = 0;
    for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
      const query = { ...call.query, pageIndex };
      const answer = await client.call(operation, { ...call, query }, how);
      onAnswer?.(answer);
      const { body } = answer;
      const given = rowsOf(operation, body);
      const total = totalIn(body);
      const fresh = reading.take(given, { total });
      yield fresh;
      const pages = lastPageOf(body, given, { total, reading });
      repeated = fresh.length === 0 && given.length < query.pageCount ? repeated + 1 : 0;
      const isLast = pages === undefined ? given.length === 0 || repeated > 1 : pageIndex >= pages;
      if (isLast) return reading.end();
      if (given.length === 0) throw reading.notWhole(nothingMore);
      // New rows push others to a later page, but a whole page of repeats means the same page again.
      if (fresh.length === 0 && (pages !== undefined || repeated === 0)) throw reading.notWhole(nothingNew);
    }
    throw reading.cut(noEnd);
  };
  return untilWhole(read, { identify, most: readings });
}

/** The number of the last page, unless the total beside it is no more than the length of a page: such a list is read to its end. */
export function lastPageOf(
  body: unknown,
  rows: readonly unknown[],
  { total, reading }: { readonly total: number | undefined; readonly reading: ListReading },
): number | undefined {
  const pages = countOf(fieldOf(body, 'totalPages'));
  if (pages === 0 && rows.length > 0) return undefined;
  return total === undefined || reading.restsOn === 'count' || rows.length === 0 ? pages : undefined;
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
