import { listCut } from '../../client/list-reading.js';
import { cursorPages, numberedPages } from '../../client/list-rows.js';
import type { Answer, Client } from '../../client/client.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime } from '../../domain/row-times.js';
import { answerReasons } from '../../errors/answer-reasons.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { SeenDocument } from '../../store/documents.js';
import type { IssuedList } from './book.js';
import { finalityOf, seenInvoice } from './rows.js';
import { DAY_MS } from '../../domain/dates.js';

/** Rows of one request and one write. */
const PAGE = 50;
const MAX_READINGS = 5;

/** A list of issued invoices, and what takes its rows. */
export interface IssuedReader {
  readonly client: Client;
  readonly companyId: string;
  readonly list: IssuedList;
  /** Only what was created since then, read once; absent: the whole list. Milliseconds. */
  readonly since?: number | undefined;
  readonly signal: AbortSignal;
  /** Takes rows of the list, again in each reading. Returns how many it did not know. */
  keep(rows: readonly SeenDocument[]): Promise<number>;
  /** An invoice with the access key of an earlier row, once for each reader: it is not kept. */
  refuse(id: string): void;
  /** After each page. */
  pageKept?(): void;
}

/** The rows of one reading from the beginning to the end. */
export interface Reading {
  /** Answers with rows that no earlier answer had. */
  pages: number;
  rows: number;
  /** Rows in a state that can still change by itself. */
  notFinal: number;
  unreadable: number;
  /** The earliest clock of the service in its answers, in milliseconds; absent: they have no date. */
  servedAt?: number;
  /** When the latest of them was created, in milliseconds. */
  newest: number;
  /** Rows that were not known, though the reading before met later ones. */
  missedBefore: number;
}

/**
 * Gives every row that the list had when this began to `keep`. No order is promised: an invoice that changes may move to a page that was
 * read. So a list of several pages is read again until a reading meets no invoice that the one before passed over; what was
 * created in between does not count. Error: `service.list_cut`, also when the rows move in every reading.
 */
export async function readIssuedList(reader: IssuedReader): Promise<Reading> {
  let before: Reading | undefined;
  const refused = new Set<string>();
  let cut: FiscalError | undefined;
  for (let count = 1; count <= MAX_READINGS; count += 1) {
    try {
      const reading = await readOnce(reader, { refused, newest: before?.newest });
      const isEnough = before !== undefined && reading.missedBefore === 0;
      if (isEnough || reading.pages === 1 || reader.since !== undefined) return reading;
      before = reading;
      cut = undefined;
    } catch (error) {
      if (!(error instanceof FiscalError) || error.code !== 'service.list_cut') throw error;
      before = undefined;
      cut = error;
    }
  }
  throw cut ?? listCut(`${reader.list.model}.list`, before?.rows ?? 0, answerReasons.rowsMove);
}

interface Earlier {
  /** When the newest row of the reading before was created. */
  readonly newest: number | undefined;
  /** The ids that were refused. */
  readonly refused: Set<string>;
}

async function readOnce(reader: IssuedReader, { refused, newest }: Earlier): Promise<Reading> {
  const { list } = reader;
  const keys = new Set<string>();
  const reading: Reading = {
    ...{ pages: 0, rows: 0, notFinal: 0, unreadable: 0, missedBefore: 0 },
    newest: newest ?? -Infinity,
  };
  const isUsed = (row: SeenDocument): boolean => {
    if (isAlone(row, keys)) return true;
    if (!refused.has(row.id)) reader.refuse(row.id);
    refused.add(row.id);
    return false;
  };
  const onAnswer = ({ servedAt }: Answer<unknown>): void => {
    if (servedAt !== undefined) reading.servedAt = Math.min(servedAt, reading.servedAt ?? servedAt);
  };
  for await (const page of pagesOf(reader, onAnswer)) {
    if (page.length > 0) reading.pages += 1;
    const wanted = page.filter((row) => isWanted(row, list, reader.since));
    const named = wanted.map((row) => seenInvoice(list.model, row)).filter((row) => row !== undefined);
    reading.unreadable += wanted.length - named.length;
    const seen = named.filter(isUsed);
    reading.rows += seen.length;
    reading.notFinal += seen.filter(({ status }) => finalityOf(status) === 'not-final').length;
    // A later date than that of the service is no place in its list.
    for (const { createdOn } of seen)
      reading.newest = Math.max(reading.newest, Math.min(timeOf(createdOn), reading.servedAt ?? Infinity));
    for (let from = 0; from < seen.length; from += PAGE) {
      const some = seen.slice(from, from + PAGE);
      const isLater = (row: SeenDocument) => newest === undefined || timeOf(row.createdOn) > newest;
      await keepAny(reader, some.filter(isLater));
      reading.missedBefore += await keepAny(
        reader,
        some.filter((row) => !isLater(row)),
      );
    }
    reader.pageKept?.();
  }
  return reading;
}

async function keepAny(reader: IssuedReader, rows: readonly SeenDocument[]): Promise<number> {
  return rows.length === 0 ? 0 : await reader.keep(rows);
}

/** Whether no earlier row has the access key, which names the file. One that was refused has no file, and may share its key. */
function isAlone({ accessKey, status }: SeenDocument, keys: Set<string>): boolean {
  if (accessKey === undefined || finalityOf(status) !== 'issued') return true;
  const isNew = !keys.has(accessKey);
  keys.add(accessKey);
  return isNew;
}

function timeOf(createdOn: string | undefined): number {
  const time = Date.parse(createdOn ?? '');
  return Number.isNaN(time) ? -Infinity : time;
}

/** NF-e and NFC-e behind the last invoice of each page; NFS-e by page number. */
function pagesOf(
  { client, companyId, list, since, signal }: IssuedReader,
  onAnswer: (answer: Answer<unknown>) => void,
): AsyncGenerator<readonly unknown[]> {
  // This reads it again by its own rule.
  const options = { signal, onAnswer, readings: 1 };
  const { model, environment } = list;
  const path = { companyId };
  if (model !== 'nfse')
    return cursorPages(client, `${model}.list`, { path, query: { environment, limit: PAGE } }, options);
  // A day earlier: the service does not say in which zone its days begin.
  const begin = since === undefined ? undefined : new Date(since - DAY_MS).toISOString().slice(0, 10);
  const query = { pageCount: PAGE, hasTotals: true, ...(begin && { createdBegin: begin }) };
  return numberedPages(client, 'nfse.list', { path, query, idField: 'id' }, options);
}

function isWanted(row: unknown, list: IssuedList, since: number | undefined): boolean {
  if (!isOfEnvironment(row, list)) return false;
  const created = Date.parse(createdTime(row) ?? '');
  return since === undefined || Number.isNaN(created) || created >= since;
}

/**
 * The list of NFS-e has both environments; those without a word about it are of production. The other lists are asked for one
 * environment: a row that names another one is left out all the same.
 */
function isOfEnvironment(row: unknown, { model, environment }: IssuedList): boolean {
  const named = fieldOf(row, 'environment') ?? fieldOf(row, 'environmentType');
  if (model !== 'nfse') return named === environment || (named !== 'Production' && named !== 'Test');
  return ((named ?? 'Production') === 'Production') === (environment === 'Production');
}
