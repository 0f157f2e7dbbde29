import { cursorRows, numberedRows } from '../../client/list-rows.js';
import { createdTime } from '../../domain/row-times.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { keepUnreadable } from '../../services/documents/unreadable-rows.js';
import type { IssuedList } from '../../services/issued/book.js';
import type { SyncGroup } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import type { SeenDocument } from '../../store/documents.js';
import { lookAgain } from './issued-events.js';
import { finalityOf, seenInvoice } from './issued-rows.js';

/** Rows of one request and one write. */
const PAGE = 50;

/** What a whole reading of a list proves, as the cursor `documents` has it. Times in milliseconds. */
export interface IssuedReading {
  /** Every invoice that the list had then, and still had at `endedAt`, is in the store. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly rows: number;
  /** Rows in a state that can still change by itself. */
  readonly notFinal: number;
  /** The events of every invoice issued since `eventsSince` were looked at after this. Absent: of some they were not. */
  readonly eventsAt?: number;
  readonly eventsSince?: number;
}

/**
 * Stores the rows of the list, from its beginning to its end: it promises no order and has no filter by change, so no place in it
 * can be continued from. Then the events of the invoices of the last `lookBackMs` are looked at again.
 */
export async function listIssued(
  context: SyncContext,
  group: SyncGroup,
  about: { readonly list: IssuedList; readonly lookBackMs: number; readonly listing: Listing },
): Promise<void> {
  const { store, clock, options, workerId } = context;
  const { listing, list, lookBackMs } = about;
  const { tally } = group;
  const startedAt = clock.now();
  let [rows, notFinal, unreadable] = [0, 0, 0];
  let page: SeenDocument[] = [];
  const keep = async (): Promise<void> => {
    const counts = await store.documents.see(group, page, clock.now());
    page = [];
    tally.added += counts.added;
    tally.changed += counts.changed;
    context.onProgress({ found: counts.added + counts.changed });
    listing.kept();
  };
  for await (const row of rowsOf(context, group, list)) {
    if (!isWanted(row, list, options.since)) continue;
    const seen = seenInvoice(list.model, row);
    if (seen === undefined) unreadable += 1;
    else {
      rows += 1;
      if (finalityOf(seen.status) === 'not-final') notFinal += 1;
      page.push(seen);
    }
    if (page.length >= PAGE) await keep();
  }
  await keep();
  tally.notFinal += notFinal;
  tally.unreadable += unreadable;
  const read = { list: 'documents', since: options.since, unreadable, isWhole: true } as const;
  await keepUnreadable(store, group, { ...read, now: clock.now(), workerId });
  if (options.since !== undefined) return;
  const endedAt = clock.now();
  const eventsSince = options.full ? 0 : Math.max(0, startedAt - lookBackMs);
  const isWhole = await lookAgain(context, group, {
    model: list.model,
    since: eventsSince,
    before: startedAt,
  });
  if (unreadable > 0) return;
  const events = isWhole ? { eventsAt: endedAt, eventsSince } : {};
  const position: IssuedReading = { startedAt, endedAt, rows, notFinal, ...events };
  const key = keyOf(group);
  if (!(await store.cursors.save(key, { position, at: clock.now(), workerId })))
    throw new FiscalError('job.lease_lost', { id: 'invoice sync' });
}

function keyOf({ profile, companyId, family }: SyncGroup) {
  return { profile, companyId, family, stream: 'issued' };
}

/** NF-e and NFC-e behind the last invoice of each page; NFS-e by page number. */
function rowsOf(
  { client, signal, options }: SyncContext,
  { companyId }: SyncGroup,
  { model, environment }: IssuedList,
): AsyncGenerator<unknown> {
  const path = { companyId };
  if (model !== 'nfse')
    return cursorRows(client, `${model}.list`, { path, query: { environment, limit: PAGE } }, { signal });
  const { since } = options;
  // A day earlier: the service does not say in which zone its days begin.
  const begin = since === undefined ? undefined : new Date(since - DAY_MS).toISOString().slice(0, 10);
  const query = { pageCount: PAGE, hasTotals: true, ...(begin && { createdBegin: begin }) };
  return numberedRows(client, 'nfse.list', { path, query, idField: 'id' }, { signal });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The list of NFS-e has both environments; those without a word about it are of production. */
function isWanted(row: unknown, { model, environment }: IssuedList, since: number | undefined): boolean {
  if (model === 'nfse') {
    const isProduction = (fieldOf(row, 'environment') ?? 'Production') === 'Production';
    if (isProduction !== (environment === 'Production')) return false;
  }
  const created = Date.parse(createdTime(row) ?? '');
  return since === undefined || Number.isNaN(created) || created >= since;
}

/** Whether another process has read the whole list since then, and this run wants nothing more. */
export async function wasListedSince(
  { store, options }: SyncContext,
  group: SyncGroup,
  since: number,
): Promise<boolean> {
  if (options.full || options.repair || options.since !== undefined) return false;
  const startedAt = fieldOf((await store.cursors.get(keyOf(group)))?.position, 'startedAt');
  return typeof startedAt === 'number' && startedAt >= since;
}
