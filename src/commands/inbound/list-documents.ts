import { asKey } from '../../domain/access-key.js';
import type { InboundDocument } from '../../contract/inbound.js';
import { MAX_PAGES, untilWhole } from '../../client/list-reading.js';
import { filled } from '../../errors/text-template.js';
import { answerReasons } from '../../errors/answer-reasons.js';
import { modifiedTime } from '../../domain/row-times.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { exactJson, isNumber } from '../../domain/json-numbers.js';
import { fieldOf } from '../../domain/record.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { nameOfDocument } from '../../services/documents/unreadable-rows.js';
import {
  type OdataList,
  type PageReader,
  documentList,
  numberedPages,
  orderedPages,
  pageReader,
} from './list-pages.js';
import { type DocumentQuery, isNumbered, mayMeet } from './list-query.js';
import { isEventRow, seenRow } from './seen-rows.js';
import { type ClockRange, rowDay } from '../../domain/document-date.js';

/** What a list contained besides its documents. */
export interface ListReport {
  pages: number;
  /** Rows that name neither a document nor an event. */
  unreadable: number;
  /** Events by their own ids alone. Whoever keeps events counts them as read once a note is known that names them. */
  readonly untied: string[];
  /** The clock of the service when it gave the first page; absent: unknown. */
  servedAt?: number;
}

/** A document, or an event among the documents, which may name no document. */
export type InboundRow = Omit<InboundDocument, 'accessKey'> & Partial<Pick<InboundDocument, 'accessKey'>>;

/**
 * The documents of one company that the service lists, and the events among them, page by page, each once, with all their fields
 * as they came.
 * While documents arrive, none of the initial list is lost: NF-e and CT-e are read in the order of
 * time and key, each page beginning at the position of the last row of the previous one (which no new row moves);
 * NFS-e by page number. A list that is not whole is read again.
 * Errors: `service.list_cut` for a list that is not whole in any reading, `inbound.list_limit`, those of a call.
 */
export async function* listDocuments(...list: Parameters<typeof documentListPages>): AsyncGenerator<InboundRow> {
  for await (const page of documentListPages(...list)) yield* page;
}

/** The same by the pages of the service. */
export async function* documentListPages(
  context: Pick<Context, 'client' | 'interruption'>,
  query: DocumentQuery,
  report: ListReport = newReport(),
): AsyncGenerator<readonly InboundRow[]> {
  const { family, companyId } = query;
  const source = { operation: `${family}.inbound.list`, companyId, identify: identityOf } as const;
  const reader = await pageReader(await context.client(), source, context.interruption);
  const way = { isWhole: false };
  const pages = (): AsyncGenerator<readonly unknown[]> =>
    limited(
      reader,
      isNumbered(query) ? numberedPages(reader, query) : orderedPages(reader, listOf(reader, query, way)),
      { most: MAX_PAGES, chosen: query.maxPages },
    );
  const identify = query.by === 'modified' ? changeOf : identityOf;
  for await (const rows of untilWhole(pages, { identify })) {
    report.pages += 1;
    if (reader.servedAt !== undefined) report.servedAt ??= reader.servedAt;
    const documents: InboundRow[] = [];
    for (const row of rows) {
      if (!isRead(row, report)) continue;
      if (mayMeet(row, way.isWhole ? { ...query, keepsOlder: false } : query)) documents.push(row);
    }
    yield documents;
  }
}

/** Stops a reading of a list that never ends. Errors: `inbound.list_limit`, `service.list_cut`. */
export async function* limited(
  reader: PageReader,
  pages: AsyncGenerator<readonly unknown[]>,
  { most, chosen }: { readonly most: number; readonly chosen?: number | undefined },
): AsyncGenerator<readonly unknown[]> {
  let count = 0;
  for await (const rows of pages) {
    count += 1;
    if (chosen !== undefined && count > chosen) throw new FiscalError('inbound.list_limit', { pages: chosen });
    if (count > most) throw reader.cut(filled(answerReasons.noEnd, { pages: most }));
    yield rows;
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

export function newReport(): ListReport {
  return { pages: 0, unreadable: 0, untied: [] };
}

/** Counts a row that is neither a document nor an event, and one that names no note. */
function isRead(row: unknown, report: ListReport): row is InboundRow {
  const isEvent = isEventRow(row);
  if ((isEvent ? keyOfEvent(row) : nameOfDocument(row)) !== undefined) return true;
  const seen = isEvent ? seenRow(row) : undefined;
  if (seen === undefined) report.unreadable += 1;
  if (seen?.untied !== undefined) report.untied.push(seen.untied);
  return seen !== undefined;
}

function keyOfEvent(row: unknown): string | undefined {
  const key = fieldOf(row, 'accessKey');
  return typeof key === 'string' && key !== '' ? asKey(key) : undefined;
}

/** Rows that could not be read, and events whose notes are not known. */
export function unreadIn({ unreadable, untied }: ListReport): number {
  return unreadable + untied.length;
}

/** Of these events, only those that no known note names stay untied. */
export async function tie(
  { events }: Pick<Store, 'events'>,
  group: DocumentGroup,
  report: ListReport,
  named?: { has(eventKey: string): boolean },
): Promise<void> {
  if (report.untied.length === 0) return;
  const known = await events.known(group, report.untied);
  const untied = report.untied.filter((id) => !known.has(id) && named?.has(id) !== true);
  report.untied.splice(0, Infinity, ...untied);
}

/** A document by its key and kind. An event among the documents carries the key of its document, and has a number of its own. */
function identityOf(row: unknown): string {
  const key = isEventRow(row) ? keyOfEvent(row) : nameOfDocument(row);
  if (key === undefined) return exactJson(row ?? null);
  const type = String(fieldOf(row, 'type') ?? '');
  if (!isEventRow(row)) return `${key} ${type}`;
  const own = ['id', 'nsu', 'eventCode'].map((name) => keyText(fieldOf(row, name)));
  return [key, type, ...own].join(' ');
}

function keyText(value: unknown): string {
  return typeof value === 'string' || isNumber(value) ? String(value) : '';
}

/** In a list of changes, the same document with a newer change is a new row. */
function changeOf(row: unknown): string {
  return `${identityOf(row)} ${modifiedTime(row) ?? ''}`;
}

/**
 * The documents of a range that a list asked by date of issue lacks, because their rows have no readable one: what is archived of
 * them dates them. Each is asked for by its key, as the service has it now; there are few. Errors: those of a call, but 404.
 */
export async function* undatedRows(
  context: Context,
  group: DocumentGroup,
  range: ClockRange,
): AsyncGenerator<{ readonly id: string; readonly row: Readonly<Record<string, unknown>> }> {
  const { documents } = await context.store();
  for (const { id, issuedOn } of await documents.dated(group, range)) {
    if (rowDay(issuedOn, undefined) !== undefined) continue;
    const row = await readOne(context, group, id);
    if (row !== undefined) yield { id, row };
  }
}

async function readOne(
  context: Context,
  { family, companyId }: DocumentGroup,
  id: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const client = await context.client();
  const how = { signal: context.interruption };
  try {
    const { body } =
      family === 'nfse'
        ? await client.call('nfse.inbound.get', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.call(`${family}.inbound.get`, { path: { companyId, accessKey: id } }, how);
    return { ...body };
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return undefined;
    throw error;
  }
}
