import type { InboundDocument } from '../../contract/inbound.js';
import { formatUtc } from '../../domain/utc.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Context } from '../../services/context.js';
import { NsuTally, type EventCoverage, type ListCoverage } from './close-coverage.js';
import type { Month } from './close-month.js';
import { eventReader, eventsSince } from './read-events.js';
import { listDocuments, newReport } from './read-pages.js';
import { seenEvent } from './sync-seen.js';

/** Whose lists are read, and of which time. */
export interface MonthLists {
  readonly group: DocumentGroup;
  readonly month: Month;
}

/** What a row of the list says of its document. */
export interface ListedRow {
  readonly status: string;
  /** When the service last changed it, in milliseconds. */
  readonly changedAt: number | undefined;
}

export interface Listing {
  /** By key. */
  readonly rows: ReadonlyMap<string, ListedRow>;
  readonly coverage: ListCoverage;
  readonly nsu: NsuTally;
}

export interface ListedEvent {
  readonly eventKey: string;
  /** When the service captured it, in milliseconds. */
  readonly createdAt: number | undefined;
}

export interface EventListing {
  /** By the key of the document. */
  readonly events: ReadonlyMap<string, readonly ListedEvent[]>;
  readonly coverage: EventCoverage | null;
}

export const notListed: Listing = {
  rows: new Map(),
  coverage: { readAt: null, documents: 0, unreadable: 0, problem: null },
  nsu: new NsuTally(),
};

export const noEventList: EventListing = { events: new Map(), coverage: null };

/** Errors about one family that do not keep the others from being closed. */
const ofTheFamily: readonly ErrorCode[] = [
  'service.forbidden',
  'service.not_found',
  'service.refused',
  'service.unreadable',
  'service.list_cut',
  'inbound.list_limit',
];

/** The list of documents was read by then: what fails now is the list of events, and not the service. */
const ofTheEvents: readonly ErrorCode[] = [...ofTheFamily, 'service.unavailable'];

/** The documents of the month that the service lists. A list that breaks is known as far as it went. */
export async function readListing(context: Context, { group, month }: MonthLists): Promise<Listing> {
  const { family, companyId } = group;
  const rows = new Map<string, ListedRow>();
  const nsu = new NsuTally();
  const report = newReport();
  const query = { family, companyId, by: 'issued', since: month.since, until: month.until } as const;
  const read = async (): Promise<void> => {
    for await (const document of listDocuments(context, query, report)) {
      if (!rows.has(document.accessKey)) nsu.add(document.nsu);
      rows.set(document.accessKey, listedRow(document));
    }
  };
  const end = await endOf(context, read, ofTheFamily);
  return { rows, nsu, coverage: { ...end, documents: rows.size, unreadable: report.unreadable } };
}

const DAY_MS = 86_400_000;

/**
 * The listed events of these documents. No event of a document is captured before the day on which the document was issued.
 * NFS-e have no list of events.
 */
export async function readEventListing(
  context: Context,
  { group, month }: MonthLists,
  keys: ReadonlySet<string>,
): Promise<EventListing> {
  const { family, companyId } = group;
  if (family === 'nfse') return noEventList;
  const events = new Map<string, ListedEvent[]>();
  const seen = new Set<string>();
  const count = { unreadable: 0 };
  const read = async (): Promise<void> => {
    const reader = await eventReader(await context.client(), { family, companyId }, context.interruption);
    for await (const rows of eventsSince(reader, month.since - DAY_MS)) {
      for (const row of rows) {
        const event = seenEvent(row);
        if (event === undefined) count.unreadable += 1;
        else if (keys.has(event.documentId) && !seen.has(`${event.documentId} ${event.eventKey}`)) {
          seen.add(`${event.documentId} ${event.eventKey}`);
          const ofDocument = events.get(event.documentId) ?? [];
          ofDocument.push({ eventKey: event.eventKey, createdAt: timeOf(event.createdOn) });
          events.set(event.documentId, ofDocument);
        }
      }
    }
  };
  const end = await endOf(context, read, ofTheEvents);
  return { events, coverage: { ...end, events: seen.size, ...count } };
}

/** When a list was read to its end, or why it was not. Throws what does not concern this list alone. */
async function endOf(
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

function listedRow({ status, modifiedOn, createdOn }: InboundDocument): ListedRow {
  return {
    status: typeof status === 'string' ? status : '',
    changedAt: timeOf(typeof modifiedOn === 'string' ? modifiedOn : createdOn),
  };
}

function timeOf(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
