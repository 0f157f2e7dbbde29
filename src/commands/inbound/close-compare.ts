import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { ArchivedType, ManifestEntry, ManifestEvent, ManifestFile } from '../../archive/manifest.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import type { Context } from '../../services/context.js';
import { ManifestSums } from '../../services/closing/read-proof.js';
import { type Month, clockRange } from '../../services/closing/month.js';
import type { DocumentGroup, DocumentRow, EventRow, SignatureVerdict } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { type ArchiveStorage, missingReason, notFollowed } from '../../archive/storage.js';
import { mayStand } from '../../domain/document-state.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import { recordOf } from '../../services/documents/record.js';
import type { CloseKind } from '../../services/closing/gaps.js';

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
interface MonthLists {
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
export function xmlCounts({ archived, summaries, events }: FilesResult): Readonly<Record<XmlFileKind, number>> {
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

/** One reason why the archive of a month is not complete. */
interface CloseProblem {
  readonly kind: CloseKind;
  readonly key?: string;
  readonly path?: string;
  readonly event?: string;
  readonly reason?: string | Prose;
  /** The number of rows without a document. */
  readonly count?: number;
}

interface CheckedDocument {
  /** Absent: no file of the document or of its events is proven. */
  readonly entry?: ManifestEntry;
  /** Events of which the service has no file. */
  readonly eventsWithoutFile?: number;
  readonly problems: readonly CloseProblem[];
}

interface CheckOptions {
  readonly storage: ArchiveStorage;
  /** Of the document, in the manifest. */
  readonly documentType: ArchivedType;
  readonly allowInvalidSignatures: boolean;
  /** The service has no file of some events, which then are no gap. */
  readonly mayLackEventFiles?: true;
  /** The reasons of write-offs, by the id of the document or the key of the event. */
  readonly writtenOff: ReadonlyMap<string, string>;
}

/** Reads the files of one document and its events again: its entry in the manifest, and its problems. */
async function checkDocument(
  row: DocumentRow,
  eventRows: readonly EventRow[],
  options: CheckOptions,
): Promise<CheckedDocument> {
  const { id, status } = row;
  const key = row.accessKey ?? id;
  const { problems, ...own } = await checkFile(row, options);
  const { events, withoutFile, problems: ofEvents } = await checkEvents(key, eventRows, options);
  const named = { key, ...(id !== key && { id }), type: options.documentType };
  return {
    ...((own.file !== undefined || events.length > 0) && {
      entry: { ...named, ...(status !== undefined && { status }), ...own, events },
    }),
    eventsWithoutFile: withoutFile,
    problems: [...problems, ...ofEvents],
  };
}

type CheckedFile = Pick<CheckedDocument, 'problems'> & Pick<ManifestEntry, 'file' | 'xmlKind' | 'signature' | 'pdf'>;

/** The file of the document itself. */
async function checkFile(row: DocumentRow, options: CheckOptions): Promise<CheckedFile> {
  const key = row.accessKey ?? row.id;
  if (row.state !== 'archived') {
    const off = options.writtenOff.get(row.id);
    if (off !== undefined) return { problems: [{ kind: 'written-off', key, reason: off }] };
    return { problems: [{ kind: 'not-archived', key, reason: proseOf(row) }] };
  }
  const file = fileOf(row);
  const place = { key, ...(row.path !== undefined && { path: row.path }) };
  if (file === undefined) return { problems: [{ kind: 'file-missing', ...place }] };
  const found = await readFileAgain(file, row.archive, options);
  if ('fault' in found) {
    const { fault, ...reason } = found;
    return { problems: [{ kind: fault, ...place, ...reason }] };
  }
  const { xmlKind } = found;
  if (!isDocument(row, xmlKind)) return { problems: [{ kind: 'not-a-document', ...place }] };
  const pdf = await pdfOf(row, options);
  const signature = row.signature ?? 'unverifiable';
  return {
    ...{ ...(xmlKind && { xmlKind }), signature, file, ...(pdf && { pdf }) },
    problems: [
      ...(xmlKind === 'summary' ? [{ kind: summaryGap(row), ...place }] : []),
      ...(signature === 'invalid' && !options.allowInvalidSignatures
        ? [{ kind: 'signature-invalid', ...place } as const]
        : []),
    ],
  };
}

/** Why it is not archived; its state where no reason is known. */
function proseOf({ reason, state }: Pick<DocumentRow, 'reason' | 'state'>): string | Prose {
  return reason === undefined ? state : new Prose(reasonWords(reason));
}

/** A summary that waits for an event of the recipient, or one of a document that does not stand and waits for nothing. */
function summaryGap(row: DocumentRow): CloseKind {
  return mayStand(recordOf(row).state.state) ? 'summary-only' : 'summary-not-standing';
}

/** Intake has looked for the company in the XML of a city (`ofNoLayout`): nothing else has no kind there. */
function isDocument(
  row: DocumentRow,
  xmlKind: XmlFileKind | undefined,
): xmlKind is Exclude<XmlFileKind, 'event'> | undefined {
  if (xmlKind === undefined) return row.family === 'nfse' && row.xmlKind === undefined;
  return xmlKind !== 'event';
}

async function checkEvents(key: string, rows: readonly EventRow[], options: CheckOptions) {
  const events: ManifestEvent[] = [];
  const problems: CloseProblem[] = [];
  let withoutFile = 0;
  for (const row of rows) {
    if (options.mayLackEventFiles === true && row.state === 'gone') {
      withoutFile += 1;
      continue;
    }
    const file = row.state === 'archived' ? fileOf(row) : undefined;
    const found = file === undefined ? undefined : await readFileAgain(file, row.archive, options);
    const wrong = found === undefined || !('fault' in found) ? undefined : found;
    if (file === undefined) {
      const off = options.writtenOff.get(row.eventKey);
      const kind = off === undefined ? 'event-not-archived' : 'event-written-off';
      problems.push({ kind, key, event: row.eventKey, reason: off ?? proseOf(row) });
    } else if (wrong === undefined && found !== undefined && 'xmlKind' in found && found.xmlKind !== 'event') {
      problems.push({ kind: 'not-a-document', key, event: row.eventKey, path: file.path });
    } else if (wrong === undefined) {
      events.push({ key: row.eventKey, ...file });
    } else {
      const { fault, ...reason } = wrong;
      problems.push({ kind: eventFaults[fault], key, event: row.eventKey, path: file.path, ...reason });
    }
  }
  return { events, problems, withoutFile };
}

/** The PDF is not the legal document: the manifest lists it when it exists, and its absence is not a problem. */
async function pdfOf(row: DocumentRow, options: CheckOptions): Promise<ManifestFile | undefined> {
  const { pdfPath: path, pdfSha256: sha256, pdfBytes: bytes } = row;
  if (path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  const file = { path, sha256, bytes };
  return 'fault' in (await readFileAgain(file, row.archive, options)) ? undefined : file;
}

type Fault = 'file-missing' | 'file-changed' | 'other-archive' | 'behind-link';

const eventFaults: Readonly<Record<Fault, CloseKind>> = {
  'file-missing': 'event-file-missing',
  'file-changed': 'event-file-changed',
  'other-archive': 'event-file-missing',
  'behind-link': 'event-behind-link',
};

interface Faulty {
  readonly fault: Fault;
  readonly reason?: string | Prose;
}

async function readFileAgain(
  file: ManifestFile,
  from: string | undefined,
  { storage }: CheckOptions,
): Promise<Faulty | { readonly xmlKind: XmlFileKind | undefined }> {
  if (from !== (await storage.identity())) return { fault: 'other-archive' };
  if ((await storage.linkOnTheWay(file.path)) !== undefined) return { fault: 'behind-link', reason: notFollowed };
  const found = await storage.digest(file.path);
  if (found === undefined) return { fault: 'file-missing', ...(await missingReason(storage, file.path)) };
  return found.sha256 === file.sha256 ? { xmlKind: found.xmlKind } : { fault: 'file-changed' };
}

function fileOf(row: DocumentRow | EventRow): ManifestFile | undefined {
  const { path, sha256, bytes } = row;
  return path === undefined || sha256 === undefined || bytes === undefined ? undefined : { path, sha256, bytes };
}
