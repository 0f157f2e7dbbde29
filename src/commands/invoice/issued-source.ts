import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { type IssuedList, type IssuedModel, issuedType } from '../../services/issued/book.js';
import type { DocumentSource, DownloadTo, EventFile, SyncGroup } from '../../services/sync/source.js';
import { concernsAll, failureOf, type Listing, type SyncContext } from '../../services/sync/state.js';
import type { DocumentPatch, DocumentRow, DueDocument, EventPatch, EventRow } from '../../store/documents.js';
import { finalityOf, letterSequence, seenIssuedEvent } from '../../services/issued/rows.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { forEachConcurrent, Semaphore } from '../../jobs/concurrency.js';
import { decisionOn, eventsOfInvoice } from '../../jobs/kinds/invoice-events.js';
import { documentPages } from '../../services/documents/pages.js';
import { keepUnreadable } from '../../services/documents/unreadable-rows.js';
import { type AskedEvents, readAsked, withAsked, withUndecided } from '../../services/issued/asked-events.js';
import { readIssuedList } from '../../services/issued/reading.js';
import { issuedAtOf } from '../../store/document-dates.js';

/** The invoices that a company issues, in one environment. */
export function issuedSource(list: IssuedList, lookBackMs: number): DocumentSource {
  const { model } = list;
  const isService = model === 'nfse';
  const undecided = new Undecided();
  return {
    type: issuedType(list),
    // NFC-e have the layout of NF-e. Many cities have a layout of their own. An NFS-e may be issued by its taker.
    expected: isService ? { family: 'nfse', anyLayout: true } : { family: 'nfe', isIssuedByCompany: true },
    goneIsFinal: true,
    hasLists: () => Promise.resolve(true),
    list: (context, group, listing) => listIssued(context, group, { list, lookBackMs, listing, undecided }),
    wasListedSince,
    nameOf: ({ id, accessKey }) => accessKey ?? id,
    isUsable: (row) => isUsable(row, isService),
    prepare: (context, group, row) => prepare(context, group, { row, list, undecided }),
    xml: async ({ client }, { companyId }, { id }, how) =>
      isService
        ? await client.download('nfse.xml', { path: { companyId, id } }, how)
        : await client.download(`${model}.xml`, { path: { companyId, invoiceId: id } }, how),
    pdf: async ({ client }, { companyId }, { id }, how) =>
      isService
        ? await client.download('nfse.pdf', { path: { companyId, id } }, how)
        : await client.download(`${model}.pdf`, { path: { companyId, invoiceId: id } }, how),
    event: async (context, group, event) =>
      isService ? await cancellationFile(context, group, event) : await letterFile(context, group, event),
  };
}

/** An issued NF-e or NFC-e has its key; without it nothing tells whether a file is the right one. */
function isUsable({ id, accessKey, status }: DueDocument, isService: boolean): boolean {
  if (!/^[\w-]{1,64}$/.test(id)) return false;
  if (accessKey === undefined) return isService || finalityOf(status) !== 'issued';
  const { value, parts } = isService ? checkServiceKey(accessKey) : checkInvoiceKey(accessKey);
  return parts !== undefined && value === accessKey;
}

/** Nothing is downloaded of an invoice that is not final, or that was refused. The events of the others are read first. */
async function prepare(
  context: SyncContext,
  group: SyncGroup,
  { row, list, undecided }: { readonly row: DueDocument; readonly list: IssuedList; readonly undecided: Undecided },
): Promise<DocumentPatch | undefined> {
  switch (finalityOf(row.status)) {
    case 'not-final':
      return { state: row.state, due: false, reason: { is: 'not-final' } };
    case 'refused':
      return { state: 'gone', due: false, reason: { is: 'never-issued' } };
    case 'issued':
      if (!(await lookAtEvents(context, group, { row, model: list.model }))) {
        undecided.add(row);
        await withdrawEvents(context, group, undecided);
      }
      return undefined;
  }
}

/** Of the events of an NF-e the service gives the XML of the last correction letter only; it holds every correction. */
async function letterFile(
  { client, store }: SyncContext,
  group: SyncGroup,
  { documentId, ...event }: EventRow,
): Promise<EventFile | EventPatch> {
  const { companyId } = group;
  const sequence = letterSequence({ documentId, ...event });
  if (sequence === undefined) return withoutFile;
  const others = (await store.events.of(group, documentId)).map(letterSequence);
  if (others.some((other) => other !== undefined && other > sequence)) return withoutFile;
  const accessKey = (await store.documents.get(group, documentId))?.accessKey;
  return {
    download: (how: DownloadTo) =>
      client.download('nfe.letter.xml', { path: { companyId, invoiceId: documentId } }, how),
    expected: { accessKey, family: 'nfe', part: 'event', event: { code: 110110, sequence } },
  };
}

/** The XML of a cancellation: only the national environment makes one. */
async function cancellationFile(
  { client, store }: SyncContext,
  group: SyncGroup,
  { documentId }: EventRow,
): Promise<EventFile> {
  const { companyId, taxNumber } = group;
  const accessKey = (await store.documents.get(group, documentId))?.accessKey;
  return {
    download: (how: DownloadTo) =>
      client.download('nfse.cancellation.xml', { path: { companyId, id: documentId } }, how),
    expected: { accessKey, companyTaxNumber: taxNumber, family: 'nfse', part: 'event', anyLayout: true },
    mayBeAbsent: true,
  };
}

const withoutFile: EventPatch = { state: 'gone', due: false, reason: { is: 'no-event-file' } };

/** What a whole reading of a list proves, as the cursor `documents` has it. Times in milliseconds. */
export interface IssuedReading {
  /** Every invoice that the list had then, and still had at `endedAt`, is in the store. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly rows: number;
  /** Rows in a state that can still change by itself. */
  readonly notFinal: number;
  /** When the events of the invoices were looked at. */
  readonly events: readonly AskedEvents[];
}

/** The invoices that a run met with an event that is not decided, each by its time of issue; and the turns of those who write so. */
class Undecided {
  readonly issuedAt = new Set<number>();
  readonly turns = new Semaphore(1);

  add(row: Parameters<typeof issuedAtOf>[0]): void {
    this.issuedAt.add(issuedAtOf(row));
  }

  /** Without what was looked at of their months. */
  cut(events: readonly AskedEvents[]): readonly AskedEvents[] {
    return [...this.issuedAt].reduce(withUndecided, events);
  }
}

/**
 * Stores the rows of the list, from its beginning to its end: it promises no order and has no filter by change, so no place in it
 * can be continued from. Then the events of the invoices of the last `lookBackMs` are looked at again.
 */
async function listIssued(
  context: SyncContext,
  group: SyncGroup,
  about: {
    readonly list: IssuedList;
    readonly lookBackMs: number;
    readonly listing: Listing;
    readonly undecided: Undecided;
  },
): Promise<void> {
  const { store, clock, options, workerId } = context;
  const { listing, list, lookBackMs, undecided } = about;
  const { tally } = group;
  const startedAt = clock.now();
  const { rows, notFinal, unreadable, servedAt } = await readIssuedList({
    ...{ client: context.client, companyId: group.companyId, list, since: options.since, signal: context.signal },
    async keep(seen) {
      const counts = await store.documents.see(group, seen, clock.now());
      tally.added += counts.added;
      tally.changed += counts.changed;
      context.onProgress({ found: counts.added + counts.changed });
      return counts.added;
    },
    refuse: (id) => tally.note({ key: id, state: 'quarantined', code: 'same-key', reason: { is: 'same-key' } }),
    pageKept: () => listing.kept(),
  });
  tally.notFinal += notFinal;
  tally.unreadable += unreadable;
  const read = { list: 'documents', since: options.since, unreadable, isWhole: true } as const;
  await keepUnreadable(store, group, { ...read, now: clock.now(), workerId });
  if (options.since !== undefined) return;
  const endedAt = clock.now();
  const eventsSince = options.full ? 0 : Math.max(0, startedAt - lookBackMs);
  const isWhole = await lookAgain(context, group, {
    ...{ model: list.model, since: eventsSince, before: startedAt },
    isUndecided: (row) => undecided.add(row),
  });
  if (unreadable > 0) return;
  await undecided.turns.run(async () => {
    const known = readAsked((await store.cursors.get(keyOf(group)))?.position);
    const served = servedAt === undefined ? {} : { servedAt };
    const asked = { since: eventsSince, at: endedAt, ...served };
    const events = undecided.cut(isWhole ? withAsked(known, asked) : known);
    await savePosition(context, group, { startedAt, endedAt, rows, notFinal, events });
  });
}

/** Takes back that the events of the invoices with one that is not decided were looked at. */
async function withdrawEvents(context: SyncContext, group: SyncGroup, undecided: Undecided): Promise<void> {
  await undecided.turns.run(async () => {
    const position = (await context.store.cursors.get(keyOf(group)))?.position;
    if (!isRecord(position)) return;
    await savePosition(context, group, { ...position, events: undecided.cut(readAsked(position)) });
  });
}

async function savePosition(
  { store, clock, workerId }: SyncContext,
  group: SyncGroup,
  position: object,
): Promise<void> {
  if (!(await store.cursors.save(keyOf(group), { position, at: clock.now(), workerId })))
    throw new FiscalError('job.lease_lost', { id: 'invoice sync' });
}

function keyOf({ profile, companyId, family }: SyncGroup) {
  return { profile, companyId, family, stream: 'issued' };
}

/** Whether another process has read the whole list since then, and this run wants nothing more. */
async function wasListedSince({ store, options }: SyncContext, group: SyncGroup, since: number): Promise<boolean> {
  if (options.full || options.repair || options.since !== undefined) return false;
  const startedAt = fieldOf((await store.cursors.get(keyOf(group)))?.position, 'startedAt');
  return typeof startedAt === 'number' && startedAt >= since;
}

interface Looked {
  readonly row: Pick<DueDocument, 'id' | 'status'>;
  readonly model: IssuedModel;
}

/**
 * Stores the registered events of one invoice. The service lists no events of an NFS-e: its cancellation stands in its state.
 * Returns false while an event is not decided. Errors: those of a call.
 */
async function lookAtEvents(
  { client, store, clock, requests, signal }: SyncContext,
  group: SyncGroup,
  { row, model }: Looked,
): Promise<boolean> {
  const { id, status } = row;
  if (model === 'nfse') {
    const cancelled = { eventKey: 'Cancellation', documentId: id, type: 'Cancellation' };
    if (status === 'Cancelled') await store.events.see(group, [cancelled], clock.now());
    return true;
  }
  const path = { companyId: group.companyId, invoiceId: id };
  const events = await requests.run(() => eventsOfInvoice(client, model, { path }, { signal }));
  const registered = events
    .map((event, index) => seenIssuedEvent(id, event, index + 1))
    .filter((event) => event !== undefined);
  await store.events.see(group, registered, clock.now());
  return events.every((event) => decisionOn(event) !== 'pending');
}

const PAGE = 200;

interface LookAgain {
  readonly model: IssuedModel;
  readonly since: number;
  readonly before: number;
  /** Gets each invoice with an event that is not decided. */
  isUndecided(row: DocumentRow): void;
}

/**
 * Looks again at the events of the archived invoices that were issued since then: a cancellation or a correction may come days
 * later, and no list says so. Those archived after `before` were looked at by this run. Returns whether every one could be looked at.
 */
async function lookAgain(
  context: SyncContext,
  group: SyncGroup,
  { model, since, before, isUndecided }: LookAgain,
): Promise<boolean> {
  const { store, signal, documentConcurrency, clock } = context;
  const { profile, companyId, family } = group;
  if (model === 'nfse') return true;
  let isWhole = true;
  const states = ['archived'] as const;
  const filter = { profile, companies: [companyId], families: [family], states, since, limit: PAGE };
  for await (const rows of documentPages(store.documents, filter)) {
    const earlier = rows.filter(({ archivedAt = 0 }) => archivedAt < before);
    await forEachConcurrent(earlier, documentConcurrency, async (row) => {
      try {
        signal.throwIfAborted();
        if (!(await lookAtEvents(context, group, { row, model }))) isUndecided(row);
        context.health.answered(clock.now(), undefined);
      } catch (error) {
        if (concernsAll(error, context)) throw error;
        isWhole = false;
        const { code, reason } = failureOf(error);
        group.tally.note({ key: row.id, state: 'failed', code, reason });
      }
    });
  }
  return isWhole;
}
