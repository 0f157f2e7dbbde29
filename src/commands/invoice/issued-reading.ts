import { cursorPages, listCut, numberedPages } from '../../client/list-rows.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime } from '../../domain/row-times.js';
import { answerReasons } from '../../errors/answer-reasons.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import type { IssuedList } from '../../services/issued/book.js';
import type { SyncGroup } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import type { SeenDocument } from '../../store/documents.js';
import { finalityOf, seenInvoice } from './issued-rows.js';

/** Rows of one request and one write. */
const PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_READINGS = 5;

interface IssuedWork {
  readonly list: IssuedList;
  readonly listing: Listing;
}

/** The rows of one reading from the beginning to the end. */
interface Reading {
  /** Answers with rows that no earlier answer had. */
  pages: number;
  rows: number;
  /** Rows in a state that can still change by itself. */
  notFinal: number;
  unreadable: number;
  /** When the latest of them was created, in milliseconds. */
  newest: number;
  /** Rows that are new to the store, though the reading before met later ones. */
  missedBefore: number;
}

/**
 * Stores every row that the list had when this began. No order is promised: an invoice that changes may move to a page that was
 * read. So a list of several pages is read again until a reading meets no invoice that the one before passed over; what was
 * created in between does not count. Error: `service.list_cut`, also when the rows move in every reading.
 */
export async function readIssued(context: SyncContext, group: SyncGroup, work: IssuedWork): Promise<Reading> {
  let before: Reading | undefined;
  const refused = new Set<string>();
  let cut: FiscalError | undefined;
  for (let count = 1; count <= MAX_READINGS; count += 1) {
    try {
      const reading = await readOnce(context, group, { ...work, refused, newest: before?.newest });
      const isEnough = before !== undefined && reading.missedBefore === 0;
      if (isEnough || reading.pages === 1 || context.options.since !== undefined) return reading;
      before = reading;
      cut = undefined;
    } catch (error) {
      if (!(error instanceof FiscalError) || error.code !== 'service.list_cut') throw error;
      before = undefined;
      cut = error;
    }
  }
  throw cut ?? listCut(`${work.list.model}.list`, before?.rows ?? 0, answerReasons.rowsMove);
}

interface ReadingWork extends IssuedWork {
  /** Of the reading before. */
  readonly newest: number | undefined;
  /** The ids that this run has refused. */
  readonly refused: Set<string>;
}

async function readOnce(
  context: SyncContext,
  group: SyncGroup,
  { list, listing, refused, newest }: ReadingWork,
): Promise<Reading> {
  const keys = new Set<string>();
  const reading: Reading = {
    ...{ pages: 0, rows: 0, notFinal: 0, unreadable: 0, missedBefore: 0 },
    newest: newest ?? -Infinity,
  };
  for await (const page of pagesOf(context, group, list)) {
    if (page.length > 0) reading.pages += 1;
    const wanted = page.filter((row) => isWanted(row, list, context.options.since));
    const named = wanted.map((row) => seenInvoice(list.model, row)).filter((row) => row !== undefined);
    reading.unreadable += wanted.length - named.length;
    const seen = named.filter((row) => isAlone(row, keys) || refuse(row, refused, group));
    reading.rows += seen.length;
    reading.notFinal += seen.filter(({ status }) => finalityOf(status) === 'not-final').length;
    for (const { createdOn } of seen) reading.newest = Math.max(reading.newest, timeOf(createdOn));
    for (let from = 0; from < seen.length; from += PAGE) {
      const some = seen.slice(from, from + PAGE);
      const isLater = (row: SeenDocument) => newest === undefined || timeOf(row.createdOn) > newest;
      await keep(context, group, some.filter(isLater));
      reading.missedBefore += await keep(
        context,
        group,
        some.filter((row) => !isLater(row)),
      );
    }
    listing.kept();
  }
  return reading;
}

/** Whether no earlier row has the access key, which names the file. One that was refused has no file, and may share its key. */
function isAlone({ accessKey, status }: SeenDocument, keys: Set<string>): boolean {
  if (accessKey === undefined || finalityOf(status) !== 'issued') return true;
  const isNew = !keys.has(accessKey);
  keys.add(accessKey);
  return isNew;
}

/** Two invoices cannot have one file: the later one is a problem of the run, and not stored. Always false. */
function refuse({ id }: SeenDocument, refused: Set<string>, { tally }: SyncGroup): false {
  if (!refused.has(id))
    tally.note({ key: id, state: 'quarantined', code: 'same-key', reason: reasons.sameKey });
  refused.add(id);
  return false;
}

/** Returns how many were not in the store. */
async function keep(
  { store, clock, onProgress }: SyncContext,
  group: SyncGroup,
  rows: readonly SeenDocument[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const counts = await store.documents.see(group, rows, clock.now());
  group.tally.added += counts.added;
  group.tally.changed += counts.changed;
  onProgress({ found: counts.added + counts.changed });
  return counts.added;
}

function timeOf(createdOn: string | undefined): number {
  const time = Date.parse(createdOn ?? '');
  return Number.isNaN(time) ? -Infinity : time;
}

/** NF-e and NFC-e behind the last invoice of each page; NFS-e by page number. */
function pagesOf(
  { client, signal, options }: SyncContext,
  { companyId }: SyncGroup,
  { model, environment }: IssuedList,
): AsyncGenerator<readonly unknown[]> {
  const path = { companyId };
  if (model !== 'nfse')
    return cursorPages(client, `${model}.list`, { path, query: { environment, limit: PAGE } }, { signal });
  const { since } = options;
  // A day earlier: the service does not say in which zone its days begin.
  const begin = since === undefined ? undefined : new Date(since - DAY_MS).toISOString().slice(0, 10);
  const query = { pageCount: PAGE, hasTotals: true, ...(begin && { createdBegin: begin }) };
  return numberedPages(client, 'nfse.list', { path, query, idField: 'id' }, { signal });
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
