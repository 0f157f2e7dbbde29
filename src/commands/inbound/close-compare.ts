import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { ManifestEntry } from '../../archive/manifest.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import type { DocumentGroup, DocumentRow, SignatureVerdict } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { checkDocument, type CheckedDocument, type CloseProblem } from './close-check.js';
import type { Month } from '../../services/closing/month.js';
import {
  type EventListing,
  type Listing,
  noEventList,
  notListed,
  readCapture,
  type ReadCapture,
  readEventListing,
  readListing,
} from './close-coverage.js';
import type { FamilyCoverage } from '../../services/closing/coverage.js';

/** The result of one company and family. */
export interface GroupResult {
  readonly group: DocumentGroup;
  readonly coverage: FamilyCoverage;
  /** The clock of the service, when its response has one. */
  readonly servedAt: number | undefined;
  /** Documents that the service lists. */
  readonly listed: number;
  /** Full documents in the manifest. Summaries are there too, and counted apart. */
  readonly archived: number;
  readonly summaries: number;
  /** Events in the manifest, and the bytes of the documents themselves. */
  readonly events: number;
  readonly bytes: number;
  /** Archived, but no longer listed: kept and shown, not missing. */
  readonly unlisted: number;
  readonly problems: readonly CloseProblem[];
  readonly signatures: Readonly<Record<SignatureVerdict, number>>;
  /** The `--since` for a sync that fetches what is missing or changed, in milliseconds. */
  readonly changedSince: number | undefined;
}

export interface Comparison {
  readonly group: DocumentGroup;
  readonly month: Month;
  readonly storage: ArchiveStorage;
  readonly allowInvalidSignatures: boolean;
  /** The reasons of write-offs, by key. */
  readonly writtenOff: ReadonlyMap<string, string>;
}

const DAY_MS = 86_400_000;
/** Files that are read at the same time. */
const AT_ONCE = 8;
/** A sync writes the row of a file within this time. */
const REREAD_PAUSE_MS = 400;

/**
 * Lists the documents of the service and compares them with the store and the files. Yields the entries of the manifest
 * in order: only the keys of a month are in memory.
 */
export async function* compareGroup(
  context: Context,
  comparison: Comparison,
): AsyncGenerator<ManifestEntry, GroupResult> {
  const { group } = comparison;
  const capture = await readCapture(context, group);
  const isUnknown = capture.coverage.capture === 'off' && !(await isKnown(context, group));
  const listing = isUnknown ? notListed : await readListing(context, comparison);
  const known = isUnknown ? new Set<string>() : await archivedKeys(context, comparison, listing.rows.keys());
  const eventListing = isUnknown ? noEventList : await readEventListing(context, comparison, known);
  const tally = new Tally(capture, listing, eventListing);
  const keys = [...known].sort();
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    context.interruption.throwIfAborted();
    const some = keys.slice(from, from + AT_ONCE);
    const read = await Promise.all(some.map((key) => readAgain(context, comparison, key)));
    for (const { key, ...found } of read) {
      const entry = tally.add(key, found);
      if (entry !== undefined) yield entry;
    }
  }
  return await tally.result(context, group);
}

/** What the store and the disk hold under a key. */
interface Found {
  readonly row?: DocumentRow;
  /** The keys of its events. */
  readonly eventKeys?: ReadonlySet<string>;
  readonly checked?: CheckedDocument;
}

interface ReadDocument extends Found {
  readonly key: string;
}

/** A sync writes a file first and its row a moment later: a mismatch while another process works is read again. */
async function readAgain(context: Context, comparison: Comparison, key: string): Promise<ReadDocument> {
  const store = await context.store();
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const read = await readOnce(store, comparison, key);
    if (triesLeft === 0 || !isTorn(read) || (await store.workers.list()).length < 2) return read;
    await pause(REREAD_PAUSE_MS, undefined, { signal: context.interruption });
  }
}

function isTorn({ checked }: Found): boolean {
  return checked?.problems.some(({ kind }) => /file-(changed|missing)$/.test(kind)) ?? false;
}

async function readOnce(store: Store, comparison: Comparison, key: string): Promise<ReadDocument> {
  const { group } = comparison;
  const row = await store.documents.get(group, key);
  if (row === undefined) return { key };
  const events = await store.events.of(group, key);
  const eventKeys = new Set(events.map(({ eventKey }) => eventKey));
  return { key, row, eventKeys, checked: await checkDocument(row, events, comparison) };
}

class Tally {
  private readonly problems: CloseProblem[] = [];
  private readonly sums = { archived: 0, summaries: 0, events: 0, bytes: 0, unlisted: 0 };
  private readonly signatures = { valid: 0, invalid: 0, absent: 0, unverifiable: 0 };
  private changedSince: number | undefined;

  constructor(
    private readonly capture: ReadCapture,
    private readonly listing: Listing,
    private readonly eventListing: EventListing,
  ) {
    const unreadable = listing.coverage.unreadable + (eventListing.coverage?.unreadable ?? 0);
    if (unreadable > 0) this.problems.push({ kind: 'row-unreadable', count: unreadable });
  }

  /** The entry of the manifest, if the document has one. */
  add(key: string, { row, eventKeys, checked }: Found): ManifestEntry | undefined {
    const listed = this.listing.rows.get(key);
    if (row === undefined || checked === undefined) {
      this.problems.push({ kind: 'not-synced', key });
      this.askAgain(listed?.changedAt);
      return undefined;
    }
    this.addUnknownEvents(key, eventKeys ?? new Set());
    const { entry, problems } = checked;
    this.problems.push(...problems);
    if (row.state === 'gone' && checked.problems.some(({ kind }) => kind === 'not-archived'))
      this.askAgain(listed?.changedAt);
    if (entry === undefined) return undefined;
    this.count(entry);
    if (listed === undefined) this.sums.unlisted += 1;
    else if (listed.status !== (row.status ?? '')) {
      this.problems.push({ kind: 'outdated', key, reason: `${row.status ?? '-'} → ${listed.status}` });
      this.askAgain(listed.changedAt);
    }
    return entry;
  }

  /** Events that the service lists and this machine does not know. */
  private addUnknownEvents(key: string, known: ReadonlySet<string>): void {
    for (const { eventKey, createdAt } of this.eventListing.events.get(key) ?? []) {
      if (known.has(eventKey)) continue;
      this.problems.push({ kind: 'event-not-synced', key, event: eventKey });
      this.askAgain(createdAt);
    }
  }

  async result(context: Context, group: DocumentGroup): Promise<GroupResult> {
    const { sums, signatures, changedSince, listing, eventListing } = this;
    const { coverage, servedAt } = this.capture;
    const problems = this.problems.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const xml = { full: sums.archived, summary: sums.summaries, event: sums.events };
    const nsu = await listing.nsu.coverage(context, group);
    const lists = { list: listing.coverage, events: eventListing.coverage };
    return {
      ...{ group, coverage: { ...coverage, ...lists, nsu, xml }, servedAt },
      ...{ listed: listing.rows.size, ...sums, problems, signatures, changedSince },
    };
  }

  private count({ xmlKind, events, bytes, signature }: ManifestEntry): void {
    if (xmlKind === 'summary') this.sums.summaries += 1;
    else this.sums.archived += 1;
    this.sums.events += events.length;
    this.sums.bytes += bytes;
    this.signatures[signature ?? 'unverifiable'] += 1;
  }

  private askAgain(changedAt: number | undefined): void {
    const at = changedAt ?? 0;
    this.changedSince = Math.min(at, this.changedSince ?? at);
  }
}

function orderOf({ key = '', event = '' }: CloseProblem): string {
  return `${key} ${event}`;
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}

/** These keys, and those of the archived documents of the month, whether the service lists them or not. */
async function archivedKeys(
  context: Context,
  { group, month }: Comparison,
  listed: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const { documents } = await context.store();
  const keys = new Set(listed);
  for (let since = month.since; since < month.until; since += DAY_MS) {
    context.interruption.throwIfAborted();
    const until = Math.min(since + DAY_MS, month.until);
    for (const id of await documents.archivedIds(group, { since, until })) keys.add(id);
    // Reads of the store complete within one turn of the event loop: without a pause, signals are never handled.
    await turn();
  }
  return keys;
}
