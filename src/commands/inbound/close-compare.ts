import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { ArchivedType, ManifestEntry } from '../../archive/manifest.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import type { Context } from '../../services/context.js';
import { ManifestSums } from '../../services/closing/read-proof.js';
import { clockRange, type Month } from '../../services/closing/month.js';
import type { DocumentGroup, DocumentRow, SignatureVerdict } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { checkDocument, type CheckedDocument, type CheckOptions, type CloseProblem } from './close-check.js';

/** A document as its row in the list describes it. */
export interface ListedRow {
  readonly status: string;
  /** When the service last changed it, in milliseconds. */
  readonly changedAt: number | undefined;
  /** The key in the manifest, where it is not the id. */
  readonly key?: string;
  /** Why no file of it can be proven. */
  readonly refusal?: Pick<CloseProblem, 'kind' | 'reason'>;
}

export interface ListedEvent {
  readonly eventKey: string;
  /** When the service captured it, in milliseconds. */
  readonly createdAt: number | undefined;
}

/** The result of one company and type. */
export interface GroupResult<Coverage> extends FilesResult {
  readonly coverage: Coverage;
  /** The clock of the service, when its response has one. */
  readonly servedAt: number | undefined;
}

export interface FilesResult {
  readonly group: DocumentGroup;
  readonly type: ArchivedType;
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
  readonly eventsWithoutFile: number;
  /** The `--since` for a sync that fetches what is missing or changed, in milliseconds. */
  readonly changedSince: number | undefined;
}

export interface Comparison extends CheckOptions {
  readonly group: DocumentGroup;
  readonly month: Month;
  /** Called with how many documents more were compared. */
  onFiles(count: number): void;
}

/** Files that are read at the same time. */
const AT_ONCE = 8;
/** A sync writes the row of a file within this time. */
const REREAD_PAUSE_MS = 400;

/** What the service lists of one company and type in the month, and what this machine has of it. */
export interface MonthLists {
  /** By the id of the document. */
  readonly rows: ReadonlyMap<string, ListedRow>;
  /** Events by the id of their document. */
  readonly events: ReadonlyMap<string, readonly ListedEvent[]>;
  /** Rows without a document or event. */
  readonly unreadable: number;
  /** These documents, and the archived ones of the month that are not listed. */
  readonly known: ReadonlySet<string>;
}

/**
 * Compares what the service lists with the store and the files. Yields the entries of the manifest in order: only the ids of a month
 * are in memory.
 */
export async function* compareFiles(
  context: Context,
  comparison: Comparison,
  lists: MonthLists,
): AsyncGenerator<ManifestEntry, FilesResult> {
  const tally = new Tally(comparison, lists);
  const ids = [...lists.known].sort();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    context.interruption.throwIfAborted();
    const some = ids.slice(from, from + AT_ONCE);
    const read = await Promise.all(some.map((id) => readAgain(context, comparison, id)));
    comparison.onFiles(some.length);
    for (const { id, ...found } of read) {
      const entry = tally.add(id, found);
      if (entry !== undefined) yield entry;
    }
  }
  return tally.result();
}

/** What the store and the disk hold under a key. */
interface Found {
  readonly row?: DocumentRow;
  /** The keys of its events. */
  readonly eventKeys?: ReadonlySet<string>;
  readonly checked?: CheckedDocument;
}

interface ReadDocument extends Found {
  readonly id: string;
}

/** A sync writes a file first and its row a moment later: a mismatch while another process works is read again. */
async function readAgain(context: Context, comparison: Comparison, id: string): Promise<ReadDocument> {
  const store = await context.store();
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const read = await readOnce(store, comparison, id);
    if (triesLeft === 0 || !isTorn(read) || (await store.workers.list()).length < 2) return read;
    await pause(REREAD_PAUSE_MS, undefined, { signal: context.interruption });
  }
}

function isTorn({ checked }: Found): boolean {
  return checked?.problems.some(({ kind }) => /file-(changed|missing)$/.test(kind)) ?? false;
}

async function readOnce(store: Store, comparison: Comparison, id: string): Promise<ReadDocument> {
  const { group } = comparison;
  const row = await store.documents.get(group, id);
  if (row === undefined) return { id };
  const events = await store.events.of(group, id);
  const eventKeys = new Set(events.map(({ eventKey }) => eventKey));
  return { id, row, eventKeys, checked: await checkDocument(row, events, comparison) };
}

class Tally {
  private readonly problems: CloseProblem[] = [];
  private readonly inManifest = new ManifestSums();
  private readonly sums = { unlisted: 0, eventsWithoutFile: 0 };
  private changedSince: number | undefined;

  constructor(
    private readonly comparison: Comparison,
    private readonly lists: MonthLists,
  ) {
    if (lists.unreadable > 0) this.problems.push({ kind: 'row-unreadable', count: lists.unreadable });
  }

  /** The entry of the manifest, if the document has one. */
  add(id: string, { row, eventKeys, checked }: Found): ManifestEntry | undefined {
    const listed = this.lists.rows.get(id);
    const key = listed?.key ?? id;
    if (listed?.refusal !== undefined) {
      this.problems.push({ key, ...listed.refusal });
      return undefined;
    }
    if (row === undefined || checked === undefined) {
      this.problems.push({ kind: 'not-synced', key });
      this.askAgain(listed?.changedAt);
      return undefined;
    }
    this.addUnknownEvents(id, eventKeys ?? new Set());
    const { entry, problems, eventsWithoutFile = 0 } = checked;
    this.problems.push(...problems);
    if (row.state === 'gone' && checked.problems.some(({ kind }) => kind === 'not-archived'))
      this.askAgain(listed?.changedAt);
    this.sums.eventsWithoutFile += eventsWithoutFile;
    if (entry !== undefined) this.inManifest.add(entry);
    if (entry?.file === undefined) return entry;
    if (listed === undefined) this.sums.unlisted += 1;
    else if (listed.status !== (row.status ?? '')) {
      this.problems.push({ kind: 'outdated', key, reason: `${row.status ?? '-'} → ${listed.status}` });
      this.askAgain(listed.changedAt);
    }
    return entry;
  }

  /** Events that the service lists and this machine does not know. */
  private addUnknownEvents(id: string, known: ReadonlySet<string>): void {
    for (const { eventKey, createdAt } of this.lists.events.get(id) ?? []) {
      if (known.has(eventKey)) continue;
      this.problems.push({ kind: 'event-not-synced', key: id, event: eventKey });
      this.askAgain(createdAt);
    }
  }

  result(): FilesResult {
    const { sums, changedSince } = this;
    const { counts, signatures } = this.inManifest;
    const { group, documentType } = this.comparison;
    const problems = this.problems.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return {
      ...{ group, type: documentType, listed: this.lists.rows.size },
      ...{ ...counts, ...sums, problems, signatures, changedSince },
    };
  }

  private askAgain(changedAt: number | undefined): void {
    const at = changedAt ?? 0;
    this.changedSince = Math.min(at, this.changedSince ?? at);
  }
}

/** The archived files that a proof counts, by content. */
export function xmlCounts({
  archived,
  summaries,
  events,
}: FilesResult): Readonly<Record<XmlFileKind, number>> {
  return { full: archived, summary: summaries, event: events };
}

function orderOf({ key = '', event = '' }: CloseProblem): string {
  return `${key} ${event}`;
}

/** These ids, and those of the archived documents of the month, whether the service lists them or not. */
export async function withArchived(
  context: Context,
  { group, month }: Comparison,
  listed: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const { documents } = await context.store();
  const ids = new Set(listed);
  const keyMonth = month.name.slice(2).replace('-', '');
  for (const { id, state } of await documents.dated(group, { ...clockRange(month), keyMonth }))
    if (state === 'archived') ids.add(id);
  // Reads of the store complete within one turn of the event loop: without a pause, signals are never handled.
  await turn();
  return ids;
}
