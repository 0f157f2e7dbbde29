import type { InboundDocument } from '../../contract/inbound.js';
import { formatUtc, DAY_MS } from '../../domain/dates.js';
import { isOfMonth } from '../../domain/document-date.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { summaryOf } from '../../jobs/kinds/backfill-release.js';
import { type CaptureState, type SeenCapture, captureHistory, captureState } from '../../services/company/capture.js';
import type { Context } from '../../services/context.js';
import { unreadableRows } from '../../services/documents/unreadable-rows.js';
import { dateOf } from '../../store/document-dates.js';
import type { DocumentGroup, SeenEvent } from '../../store/documents.js';
import type {
  EventCoverage,
  FamilyCoverage,
  HiddenDocuments,
  ListCoverage,
  NsuCoverage,
} from '../../services/closing/coverage.js';
import { type Month, clockRange } from '../../services/closing/month.js';
import {
  type Comparison,
  type GroupResult,
  type ListedEvent,
  type ListedRow,
  compareFiles,
  withArchived,
  xmlCounts,
} from './close-compare.js';
import {
  type ListReport,
  documentListPages,
  listDocuments,
  newReport,
  tie,
  undatedRows,
  unreadIn,
} from './list-documents.js';
import { eventReader, eventsSince } from './list-events.js';
import { seenEvent, seenRow } from './seen-rows.js';
import { isNumber } from '../../domain/json-numbers.js';
import { textIn } from '../../services/sync/columns.js';
import type { ManifestEntry } from '../../archive/manifest.js';

/** The part that does not depend on the list. */
type CaptureCoverage = Omit<FamilyCoverage, 'list' | 'events' | 'nsu' | 'xml'>;

interface ReadCapture {
  readonly coverage: CaptureCoverage;
  readonly servedAt: number | undefined;
}

/** Reads the settings, remembers them, and adds what was seen before. Errors: those of a call, but 404. */
async function readCapture(context: Context, group: DocumentGroup): Promise<ReadCapture> {
  const { companyId, family } = group;
  const capture = await captureState(context, group);
  const store = await context.store();
  const history = await captureHistory(store, group);
  const sync = await store.cursors.get({ ...group, stream: 'documents' });
  const on = capture.kind === 'off' ? undefined : capture;
  const hidden = family === 'nfse' && on !== undefined ? await hiddenOf(context, companyId) : undefined;
  return {
    servedAt: on?.servedAt,
    coverage: {
      family,
      capture: stateOf(capture),
      unclearStatus: on?.unclearStatus ?? null,
      environment: on?.environment ?? null,
      ...enabledSince(capture, history),
      history,
      cutOff: latest([on?.startFromDate, hidden?.cutOff]) ?? null,
      hidden: hidden?.documents ?? null,
      spacedUntil: on?.spacedUntil ?? null,
      lastSyncAt: sync === undefined ? null : formatUtc(sync.at),
      unreadable: await unreadableRows(store, group),
    },
  };
}

function stateOf(capture: CaptureState): FamilyCoverage['capture'] {
  if (capture.kind !== 'off') return capture.kind;
  return capture.why === 'inactive' ? 'inactive' : 'off';
}

/** The day in the settings, or else the first time that this machine saw them active. */
function enabledSince(
  capture: CaptureState,
  history: readonly SeenCapture[],
): Pick<FamilyCoverage, 'enabledSince' | 'enabledBy'> {
  if (capture.kind === 'off') return { enabledSince: null, enabledBy: null };
  if (capture.createdOn !== undefined) return { enabledSince: capture.createdOn, enabledBy: 'settings' };
  const seen = history.find(({ state }) => state === 'on')?.firstSeenAt;
  return { enabledSince: seen ?? null, enabledBy: seen === undefined ? null : 'history' };
}

/** Without permission to read the summary, hidden documents are unknown. */
async function hiddenOf(context: Context, companyId: string) {
  try {
    const client = await context.client();
    const found = await summaryOf(client, { companyId }, { signal: context.interruption });
    const documents: HiddenDocuments = { released: found.released ?? null, count: found.hidden ?? null };
    const at = Date.parse(found.startFromDate ?? '');
    return { cutOff: Number.isNaN(at) ? undefined : formatUtc(at), documents };
  } catch (error) {
    if (error instanceof FiscalError && ofTheSummary.some((code) => code === error.code)) return undefined;
    throw error;
  }
}

const ofTheSummary = ['backfill.forbidden', 'backfill.no_capture', 'service.refused', 'service.unreadable'];

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
}

const MAX_RANGES = 20;

/** Collects the NSUs of the list. */
class NsuTally {
  readonly #numbers: number[] = [];
  #without = 0;

  add(nsu: unknown): void {
    const text = isNumber(nsu) ? String(nsu) : nsu;
    if (typeof text === 'string' && /^\d{1,15}$/.test(text)) this.#numbers.push(Number(text));
    else this.#without += 1;
  }

  /** Compares with what this machine knows of the same numbers. `null`: no document has one. */
  async coverage(context: Context, group: DocumentGroup): Promise<NsuCoverage | null> {
    if (this.#numbers.length === 0) return null;
    const sorted = Float64Array.from(this.#numbers).sort();
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
    const { documents } = await context.store();
    const stored = await documents.nsusBetween(group, { first, last });
    const all = Float64Array.from([...this.#numbers, ...stored]).sort();
    const unknownRanges: (readonly [number, number])[] = [];
    let [known, before] = [0, first - 1];
    for (const number of all) {
      if (number === before) continue;
      known += 1;
      if (number > before + 1 && unknownRanges.length < MAX_RANGES) {
        unknownRanges.push([before + 1, number - 1]);
      }
      before = number;
    }
    const unknown = last - first + 1 - known;
    return { first, last, known, unknown, unknownRanges, withoutNsu: this.#without };
  }
}

/** The company, family and period of the lists. */
interface ListedMonth {
  readonly group: DocumentGroup;
  readonly month: Month;
}

interface Listing {
  /** By key. */
  readonly rows: ReadonlyMap<string, ListedRow>;
  /** Among the rows, or named by them. */
  readonly events: EventTally;
  readonly coverage: ListCoverage;
  readonly nsu: NsuTally;
}

interface EventListing {
  /** By the key of the document. */
  readonly events: ReadonlyMap<string, readonly ListedEvent[]>;
  readonly coverage: EventCoverage | null;
}

/** The events that lists name, each once, by the key of their document. */
class EventTally {
  readonly #events = new Map<string, Map<string, ListedEvent>>();
  readonly #keys = new Set<string>();

  add({ documentId, eventKey, createdOn }: SeenEvent): void {
    const known = this.#events.get(documentId) ?? new Map<string, ListedEvent>();
    this.#events.set(documentId, known);
    this.#keys.add(eventKey);
    if (!known.has(eventKey)) known.set(eventKey, { eventKey, createdAt: timeOf(createdOn) });
  }

  has(eventKey: string): boolean {
    return this.#keys.has(eventKey);
  }

  /** Those of these documents. */
  of(keys: ReadonlySet<string>): ReadonlyMap<string, readonly ListedEvent[]> {
    const found = [...keys].flatMap((key) => {
      const events = this.#events.get(key);
      return events === undefined ? [] : [[key, [...events.values()]] as const];
    });
    return new Map(found);
  }
}

const notListed: Listing = {
  rows: new Map(),
  events: new EventTally(),
  coverage: { readAt: null, documents: 0, unreadable: 0, problem: null },
  nsu: new NsuTally(),
};

const noEventList: EventListing = { events: new Map(), coverage: null };

/** Errors that affect one family only; the others are still closed. */
export const ofTheFamily: readonly ErrorCode[] = [
  'service.forbidden',
  'service.not_found',
  'service.refused',
  'service.unreadable',
  'service.list_cut',
  'inbound.list_limit',
];

/** The list of documents was already read, so this failure concerns the list of events, not the service. */
const ofTheEvents: readonly ErrorCode[] = [...ofTheFamily, 'service.unavailable'];

/** The documents of the month that the service lists. A truncated list keeps the rows that were read. */
export async function readListing(context: Context, { group, month }: ListedMonth): Promise<Listing> {
  const { family, companyId } = group;
  const rows = new Map<string, ListedRow>();
  const events = new EventTally();
  const nsu = new NsuTally();
  const report = newReport();
  const range = { since: month.since - MARGIN_MS, until: month.until + MARGIN_MS };
  const query = { family, companyId, by: 'issued', ...range } as const;
  const store = await context.store();
  const read = async (): Promise<void> => {
    for await (const page of documentListPages(context, query, report)) {
      const seen = page.map((row) => ({ row, ...seenRow(row) }));
      for (const event of seen.flatMap((each) => each.events ?? [])) events.add(event);
      // What is archived of them decides by which months they are counted.
      const ids = seen.flatMap(({ document }) => (document === undefined ? [] : [document.id]));
      const stored = await store.documents.withIds(group, ids);
      for (const { row, document } of seen) {
        if (document === undefined) continue;
        const { id } = document;
        if (!isOfMonth(dateOf({ ...document, facts: stored.get(id)?.facts }), month.name)) continue;
        if (!rows.has(id)) nsu.add(row.nsu);
        rows.set(id, listedRow(row));
      }
    }
  };
  const end = await endOf(context, read, ofTheFamily);
  await tie(store, group, report, events);
  return { rows, events, nsu, coverage: { ...end, documents: rows.size, unreadable: unreadIn(report) } };
}

/** The list is asked by a moment, and a document is dated by its own clock: a day more at both ends. */
const MARGIN_MS = DAY_MS;

/**
 * The listed events of these documents, with those that the list of documents names. No event of a document is captured before the day
 * on which the document was issued.
 */
async function readEventListing(
  context: Context,
  { group, month }: ListedMonth,
  { keys, events }: { readonly keys: ReadonlySet<string>; readonly events: EventTally },
): Promise<EventListing> {
  const report = newReport();
  const read = async (): Promise<void> => {
    for await (const row of eventRows(context, group, { since: month.since - MARGIN_MS, report })) {
      const seen = eventsIn(row, group);
      if (seen === undefined) report.unreadable += 1;
      else for (const event of seen) events.add(event);
    }
  };
  const end = await endOf(context, read, ofTheEvents);
  await tie(await context.store(), group, report, events);
  const found = events.of(keys);
  const all = [...found.values()].reduce((sum, { length }) => sum + length, 0);
  return { events: found, coverage: { ...end, events: all, unreadable: unreadIn(report) } };
}

/** A list of the events of NFS-e may have their notes, too: they name their events. */
function eventsIn(row: unknown, { family }: DocumentGroup): readonly SeenEvent[] | undefined {
  if (family === 'nfse') return seenRow(row)?.events;
  const event = seenEvent(row);
  return event && [event];
}

async function* eventRows(
  context: Context,
  { family, companyId }: DocumentGroup,
  { since, report }: { readonly since: number; readonly report: ListReport },
): AsyncGenerator<unknown> {
  const query = { family, companyId, since, rowType: 'Event' } as const;
  if (family === 'nfse') return yield* listDocuments(context, query, report);
  const reader = await eventReader(await context.client(), { family, companyId }, context.interruption);
  for await (const rows of eventsSince(reader, since)) yield* rows;
}

/** When a list was read completely, or why it was not. Throws errors that affect more than this list. */
export async function endOf(
  { clock }: Context,
  read: () => Promise<void>,
  ofThisList: readonly ErrorCode[],
): Promise<Pick<ListCoverage, 'readAt' | 'problem'>> {
  try {
    await read();
    return { readAt: formatUtc(clock.now()), problem: null };
  } catch (error) {
    if (!(error instanceof FiscalError) || !ofThisList.includes(error.code)) throw error;
    return { readAt: null, problem: error.message };
  }
}

export function listedRow(row: Partial<InboundDocument>): ListedRow {
  const changed = typeof row.modifiedOn === 'string' ? row.modifiedOn : row.createdOn;
  return { status: textIn(row, 'status') ?? '', changedAt: timeOf(changed) };
}

function timeOf(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Compares the received documents of one company and family with the lists of the service. Yields the entries of the manifest. */
export async function* compareReceived(
  context: Context,
  comparison: Comparison,
): AsyncGenerator<ManifestEntry, GroupResult<FamilyCoverage>> {
  const { group } = comparison;
  const capture = await readCapture(context, group);
  const isUnknown = capture.coverage.capture === 'off' && !(await isKnown(context, group));
  const listing = isUnknown ? notListed : await readListing(context, comparison);
  const rows = isUnknown ? listing.rows : await withUndated(context, comparison, listing.rows);
  const known = isUnknown ? new Set<string>() : await withArchived(context, comparison, rows.keys());
  const named = { keys: known, events: listing.events };
  const events = isUnknown ? noEventList : await readEventListing(context, comparison, named);
  const unreadable = listing.coverage.unreadable + (events.coverage?.unreadable ?? 0);
  const lists = { rows, events: events.events, unreadable, known };
  const files = yield* compareFiles(context, comparison, lists);
  const nsu = await listing.nsu.coverage(context, group);
  const list = { ...listing.coverage, documents: rows.size };
  const ofLists = { list, events: events.coverage };
  return {
    ...files,
    coverage: { ...capture.coverage, ...ofLists, nsu, xml: xmlCounts(files) },
    servedAt: capture.servedAt,
  };
}

/** With the documents that a list by date of issue lacks. */
async function withUndated(
  context: Context,
  { group, month }: Comparison,
  rows: ReadonlyMap<string, ListedRow>,
): Promise<ReadonlyMap<string, ListedRow>> {
  const all = new Map(rows);
  for await (const { id, row } of undatedRows(context, group, clockRange(month)))
    if (!all.has(id)) all.set(id, listedRow(row));
  return all;
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}
