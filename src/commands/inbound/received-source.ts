import type { InboundFamily } from '../../contract/inbound.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { captureState } from '../../services/company/capture.js';
import type { DocumentSource, DownloadTo, SyncGroup } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import type { CursorKey, DueDocument, EventRow, SeenDocument, SeenEvent } from '../../store/documents.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime, modifiedTime } from '../../domain/row-times.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { keepUnreadable } from '../../services/documents/unreadable-rows.js';
import { type ListReport, listDocuments, newReport, tie, unreadIn } from './list-documents.js';
import { eventReader, eventsSince } from './list-events.js';
import { seenEvent, seenRow } from './seen-rows.js';
import { DAY_MS } from '../../domain/dates.js';

/** The documents that the service captures for a company. */
export function receivedSource(family: InboundFamily): DocumentSource {
  return {
    type: family,
    // Many cities have a layout of their own.
    expected: family === 'nfse' ? { family, anyLayout: true } : { family },
    hasLists,
    list,
    wasListedSince,
    nameOf: ({ id }) => id,
    isUsable: (row) => isUsable(family, row),
    prepare: () => Promise.resolve(undefined),
    xml: async ({ client }, { companyId }, { id }, how) =>
      family === 'nfse'
        ? await client.download('nfse.inbound.xml', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.download(`${family}.inbound.xml`, { path: { companyId, accessKey: id } }, how),
    pdf: async ({ client }, { companyId }, { id }, how) =>
      family === 'nfse'
        ? await client.download('nfse.inbound.pdf', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.download(`${family}.inbound.pdf`, { path: { companyId, accessKey: id } }, how),
    event: async ({ client }, { companyId, taxNumber }, { documentId, eventKey }: EventRow) => {
      // An event of an NFS-e is a document with an id of its own.
      if (family === 'nfse')
        return await Promise.resolve({
          download: (how: DownloadTo) =>
            client.download('nfse.inbound.xml', { path: { companyId, idOrAccessKey: eventKey } }, how),
          expected: {
            ...(checkServiceKey(documentId).parts !== undefined && { accessKey: documentId }),
            ...{ companyTaxNumber: taxNumber, family, part: 'event' as const, anyLayout: true as const },
          },
        });
      const path = { companyId, accessKey: documentId, eventKey };
      return {
        download: (how: DownloadTo) => client.download(`${family}.inbound.event.xml`, { path }, how),
        expected: { accessKey: documentId, family, part: 'event' },
      };
    },
  };
}

/** False where no capture was ever registered. Switched off, the lists still have what was captured before. */
async function hasLists(context: SyncContext, group: SyncGroup): Promise<boolean> {
  const { client, clock, signal, store } = context;
  const opened = { client: () => Promise.resolve(client), store: () => Promise.resolve(store) };
  const capture = await captureState({ ...opened, clock, interruption: signal }, group);
  group.tally.isInactive = capture.kind === 'off' && capture.why === 'inactive';
  group.tally.spacedUntil = capture.kind === 'off' ? undefined : capture.spacedUntil;
  return capture.kind !== 'off' || capture.why !== 'absent';
}

async function list(context: SyncContext, group: SyncGroup, listing: Listing): Promise<void> {
  const pass = await fullPass(context, group);
  const before = group.tally.unreadable;
  await syncList(context, group, { listing, pass });
  await syncEventList(context, group, pass);
  if (pass !== undefined && group.tally.unreadable === before)
    await save(context, keyOf(group, FULL), positionWith(undefined, context.clock.now()));
}

function isUsable(family: InboundFamily, { id, accessKey }: DueDocument): boolean {
  if (accessKey === undefined) return family === 'nfse' && /^[\w-]{1,64}$/.test(id);
  const { value, parts } = family === 'nfse' ? checkServiceKey(accessKey) : checkInvoiceKey(accessKey);
  return parts !== undefined && value === accessKey;
}

/** Documents of one request and one write: few enough that fetching begins soon and memory stays small. */
const AT_ONCE = 100;

/** The default of `--window`. */
const USUAL_WINDOW_MS = 2 * DAY_MS;

/** How far a list was read: everything that changed before `through` is in the store. */
interface ListPosition {
  /** Absent while the list has never had a document. */
  readonly through?: number;
  /** When the list was last read to its end, also an empty one. Milliseconds. */
  readonly endedAt?: number;
}

/**
 * Stores the list of the service: new and changed documents become `wanted` rows, and only then the cursor moves, so a run
 * that is killed here loses nothing. The list begins a window before the cursor, for documents that arrive late with an
 * earlier time; known documents cost nothing.
 */
async function syncList(
  context: SyncContext,
  group: SyncGroup,
  { listing, pass }: { readonly listing: Listing; readonly pass: FullPass | undefined },
): Promise<void> {
  const { store, clock, options, signal, client, workerId } = context;
  const { companyId, family, tally } = group;
  const before = (await store.cursors.get(keyOf(group)))?.position;
  const beganAt = clock.now();
  const walk = new Walk(positionOf(before), beganAt);
  const endedBefore = endOf(before);
  const report = newReport();
  const since = pass === undefined ? (options.since ?? walk.since(options.windowMs)) : pass.since;
  let page: SeenDocument[] = [];
  let events: SeenEvent[] = [];
  const keep = async (isEnd: boolean): Promise<void> => {
    const [given, givenEvents] = [page, events];
    [page, events] = [[], []];
    walk.bound(report.servedAt);
    pass?.walk.bound(report.servedAt);
    // The cursor stays before rows that could not be read, so the next run reads them again.
    await keepPage(context, group, { page: given, events: givenEvents, walk, isEnd, endedBefore, report });
    if (pass !== undefined && !isEnd && unreadIn(report) === 0) await keepPass(context, group, pass);
    listing.kept();
  };
  const reading = { client: () => Promise.resolve(client), interruption: signal };
  const keepRows = async (isWhole: boolean): Promise<void> => {
    const unreadable = unreadIn(report);
    tally.unreadable += unreadable;
    const rows = { list: 'documents', since, unreadable, isWhole } as const;
    await keepUnreadable(store, group, { ...rows, now: clock.now(), workerId });
  };
  try {
    const query = { companyId, family, by: 'modified', since, keepsOlder: true, pageSize: AT_ONCE } as const;
    for await (const row of listDocuments(reading, query, report)) {
      const seen = seenRow(row);
      if (seen === undefined) {
        report.unreadable += 1;
        continue;
      }
      const changedAt = changeTimeOf(row);
      walk.pass(changedAt);
      pass?.walk.pass(changedAt);
      if (seen.document !== undefined) page.push(seen.document);
      events.push(...seen.events);
      if (page.length + events.length >= AT_ONCE) await keep(false);
    }
  } catch (error) {
    // What a list gave before it broke is valid.
    if (!signal.aborted) {
      await keep(false);
      // Of a list that is not whole no page proves that nothing before it is missing.
      if (error instanceof FiscalError && error.code === 'service.list_cut')
        await putBack(context, group, { position: before, pass });
      await keepRows(false);
    }
    throw error;
  }
  await keep(true);
  await keepRows(true);
}

interface Kept {
  readonly page: readonly SeenDocument[];
  /** Those among the rows, or named by them. */
  readonly events: readonly SeenEvent[];
  readonly walk: Walk;
  readonly isEnd: boolean;
  readonly endedBefore: number | undefined;
  readonly report: ListReport;
}

async function keepPage(
  context: SyncContext,
  group: SyncGroup,
  { page, events, walk, isEnd, endedBefore, report }: Kept,
): Promise<void> {
  const { store, clock, options } = context;
  const counts = await store.documents.see(group, page, clock.now());
  if (events.length > 0) await store.events.see(group, events, clock.now());
  await tie(store, group, report);
  group.tally.added += counts.added;
  group.tally.changed += counts.changed;
  context.onProgress({ found: counts.added + counts.changed });
  // A list that begins later than the cursor says nothing of the time between.
  const isLater = options.since !== undefined && options.since > (walk.start ?? 0);
  if (isLater || unreadIn(report) > 0) return;
  const through = walk.through(isEnd) ?? (isEnd ? walk.start : undefined);
  if (through === undefined && !isEnd) return;
  await save(context, keyOf(group), positionWith(through, isEnd ? clock.now() : endedBefore));
}

/** The cursors as they were before the list was read. */
async function putBack(
  context: SyncContext,
  group: SyncGroup,
  { position, pass }: { readonly position: unknown; readonly pass: FullPass | undefined },
): Promise<void> {
  const { cursors } = context.store;
  if ((await cursors.get(keyOf(group))) !== undefined) await save(context, keyOf(group), position ?? {});
  if (pass !== undefined && (await cursors.get(keyOf(group, FULL))) !== undefined)
    await save(context, keyOf(group, FULL), positionWith(pass.walk.start, pass.endedBefore));
}

function positionWith(through: number | undefined, endedAt: number | undefined): ListPosition {
  return { ...(through === undefined ? {} : { through }), ...(endedAt === undefined ? {} : { endedAt }) };
}

async function save({ store, clock, workerId }: SyncContext, key: CursorKey, position: unknown): Promise<void> {
  if (!(await store.cursors.save(key, { position, at: clock.now(), workerId })))
    throw new FiscalError('job.lease_lost', { id: 'inbound sync' });
}

function keyOf({ profile, companyId, family }: SyncGroup, stream = 'documents'): CursorKey {
  return { profile, companyId, family, stream };
}

/**
 * Whether another process has read all lists of the group to their ends since then, and this run wants nothing that the other one
 * may not have done.
 */
async function wasListedSince(context: SyncContext, group: SyncGroup, since: number): Promise<boolean> {
  const { store, options } = context;
  if (options.full || options.repair || options.since !== undefined) return false;
  // The other one may have begun its lists later.
  if (options.windowMs > USUAL_WINDOW_MS || (await fullPass(context, group)) !== undefined) return false;
  const documents = await store.cursors.get(keyOf(group));
  if ((endOf(documents?.position) ?? -Infinity) < since) return false;
  const events = await store.cursors.get(keyOf(group, 'events'));
  return (events?.at ?? -Infinity) >= since;
}

/** A read of the lists from the beginning: it finds documents that arrived with a time before the window. */
interface FullPass {
  /** Where it continues after an earlier run was killed in it. */
  readonly since: number | undefined;
  readonly walk: Walk;
  /** When the last one ended. */
  readonly endedBefore: number | undefined;
}

const FULL = 'full';

/** The full pass that is due, by the choice of the user or by the time since the last one. */
async function fullPass(context: SyncContext, group: SyncGroup): Promise<FullPass | undefined> {
  const { store, clock, options } = context;
  const { since, full, fullEveryMs, windowMs } = options;
  const beganAt = clock.now();
  if (since !== undefined) return undefined;
  const position = (await store.cursors.get(keyOf(group, FULL)))?.position;
  const endedBefore = endOf(position);
  if (full) return { since: undefined, walk: new Walk(undefined, beganAt), endedBefore };
  if (fullEveryMs === Infinity) return undefined;
  if (endedBefore !== undefined && beganAt - endedBefore < fullEveryMs) return undefined;
  const reached = new Walk(positionOf(position), beganAt);
  return { since: reached.since(windowMs), walk: reached, endedBefore };
}

async function keepPass(context: SyncContext, group: SyncGroup, { walk, endedBefore }: FullPass): Promise<void> {
  const through = walk.through(false);
  if (through === undefined) return;
  await save(context, keyOf(group, FULL), positionWith(through, endedBefore));
}

/**
 * Follows the times of a list. While they are in order each page moves the cursor; otherwise only the end of the list does. The cursor
 * never passes the time at which the list was read, by the clock of this machine and by that of the service: a row of a later date
 * would end all later lists.
 */
class Walk {
  readonly start: number | undefined;
  #latest: number | undefined;
  #isOrdered = true;
  #now: number;

  constructor(start: number | undefined, now: number) {
    this.#now = now;
    this.start = start === undefined ? undefined : Math.min(start, now);
  }

  since(windowMs: number): number | undefined {
    return this.start === undefined ? undefined : Math.max(0, this.start - windowMs);
  }

  /** The clock of the service when the list was read. */
  bound(servedAt: number | undefined): void {
    this.#now = Math.min(this.#now, servedAt ?? this.#now);
  }

  pass(at: number | undefined): void {
    if (at === undefined || at < (this.#latest ?? at)) this.#isOrdered = false;
    if (at !== undefined) this.#latest = Math.max(at, this.#latest ?? at);
  }

  /** The next position of the cursor; it moves back only from a time that is not over. */
  through(isEnd: boolean): number | undefined {
    if (this.#latest === undefined || (!isEnd && !this.#isOrdered)) return undefined;
    return Math.min(this.#now, Math.max(this.#latest, this.start ?? this.#latest));
  }
}

function positionOf(position: unknown): number | undefined {
  const through = fieldOf(position, 'through');
  return typeof through === 'number' ? through : undefined;
}

function endOf(position: unknown): number | undefined {
  const endedAt = fieldOf(position, 'endedAt');
  return typeof endedAt === 'number' ? endedAt : undefined;
}

function changeTimeOf(row: unknown): number | undefined {
  return timeOf(modifiedTime(row) ?? createdTime(row));
}

/** Stores the list of events of all documents of the company, in the order of their capture. */
async function syncEventList(context: SyncContext, group: SyncGroup, pass: FullPass | undefined): Promise<void> {
  const { store, clock, options, signal, client, workerId } = context;
  const { companyId, family, profile, tally } = group;
  const key = { profile, companyId, family, stream: 'events' };
  const walk = new Walk(positionOf((await store.cursors.get(key))?.position), clock.now());
  const report = newReport();
  // An interrupted pass reads the events from their beginning again.
  const since = pass === undefined ? (options.since ?? walk.since(options.windowMs)) : undefined;
  const keepRows = async (isWhole: boolean): Promise<void> => {
    const unreadable = unreadIn(report);
    tally.unreadable += unreadable;
    const read = { list: 'events', since, unreadable, isWhole } as const;
    await keepUnreadable(store, group, { ...read, now: clock.now(), workerId });
  };
  try {
    for await (const events of eventPages({ client, signal }, group, { since, report })) {
      await store.events.see(group, events, clock.now());
      for (const event of events) walk.pass(timeOf(event.createdOn));
    }
  } catch (error) {
    if (!signal.aborted) await keepRows(false);
    throw error;
  }
  await tie(store, group, report);
  await keepRows(true);
  // The cursor stays before rows that could not be read, so the next run reads them again.
  if (unreadIn(report) > 0) return;
  // A list that begins later than the cursor says nothing of the time between.
  if (options.since !== undefined && options.since > (walk.start ?? 0)) return;
  // Also without any event: that the list was read to its end is what others rely on.
  walk.bound(report.servedAt);
  await save(context, key, positionWith(walk.through(true) ?? walk.start, undefined));
}

/** NFS-e have no list of events: their events are documents of another type in the list of documents (public). */
async function* eventPages(
  { client, signal }: Pick<SyncContext, 'client' | 'signal'>,
  { family, companyId }: SyncGroup,
  { since, report }: { readonly since: number | undefined; readonly report: ListReport },
): AsyncGenerator<readonly SeenEvent[]> {
  if (family !== 'nfse') {
    const reader = await eventReader(client, { family, companyId }, signal);
    for await (const rows of eventsSince(reader, since)) {
      const events = rows.map(seenEvent).filter((event) => event !== undefined);
      if (reader.servedAt !== undefined) report.servedAt ??= reader.servedAt;
      report.unreadable += rows.length - events.length;
      yield events;
    }
    return;
  }
  const reading = { client: () => Promise.resolve(client), interruption: signal };
  let page: SeenEvent[] = [];
  try {
    for await (const row of listDocuments(
      reading,
      { family, companyId, since, keepsOlder: true, rowType: 'Event' },
      report,
    )) {
      page.push(...(seenRow(row)?.events ?? []));
      if (page.length < AT_ONCE) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    // What a list gave before it broke is valid.
    yield page;
    throw error;
  }
  yield page;
}

function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}
