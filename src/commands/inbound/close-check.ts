import type { ArchivedType, ManifestEntry, ManifestEvent, ManifestFile } from '../../archive/manifest.js';
import { type ArchiveStorage, missingReason, notFollowed } from '../../archive/storage.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import { mayStand } from '../../domain/document-state.js';
import { recordOf } from '../../services/documents/record.js';
import type { CloseKind } from '../../services/closing/gaps.js';
import type { DocumentRow, EventRow } from '../../store/documents.js';

/** One reason why the archive of a month is not complete. */
export interface CloseProblem {
  readonly kind: CloseKind;
  readonly key?: string;
  readonly path?: string;
  readonly event?: string;
  readonly reason?: string;
  /** The number of rows without a document. */
  readonly count?: number;
}

export interface CheckedDocument {
  /** Absent: no file of the document or of its events is proven. */
  readonly entry?: ManifestEntry;
  /** Events of which the service has no file. */
  readonly eventsWithoutFile?: number;
  readonly problems: readonly CloseProblem[];
}

export interface CheckOptions {
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
export async function checkDocument(
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

type CheckedFile = Pick<CheckedDocument, 'problems'> &
  Pick<ManifestEntry, 'file' | 'xmlKind' | 'signature' | 'pdf'>;

/** The file of the document itself. */
async function checkFile(row: DocumentRow, options: CheckOptions): Promise<CheckedFile> {
  const key = row.accessKey ?? row.id;
  if (row.state !== 'archived') {
    const off = options.writtenOff.get(row.id);
    if (off !== undefined) return { problems: [{ kind: 'written-off', key, reason: off }] };
    return { problems: [{ kind: 'not-archived', key, reason: row.reason ?? row.state }] };
  }
  const file = fileOf(row);
  const place = { key, ...(row.path !== undefined && { path: row.path }) };
  if (file === undefined) return { problems: [{ kind: 'file-missing', ...place }] };
  const found = await readAgain(file, row.archive, options);
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
    const found = file === undefined ? undefined : await readAgain(file, row.archive, options);
    const wrong = found === undefined || !('fault' in found) ? undefined : found;
    if (file === undefined) {
      const off = options.writtenOff.get(row.eventKey);
      const kind = off === undefined ? 'event-not-archived' : 'event-written-off';
      problems.push({ kind, key, event: row.eventKey, reason: off ?? row.reason ?? row.state });
    } else if (
      wrong === undefined &&
      found !== undefined &&
      'xmlKind' in found &&
      found.xmlKind !== 'event'
    ) {
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
  return 'fault' in (await readAgain(file, row.archive, options)) ? undefined : file;
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
  readonly reason?: string;
}

async function readAgain(
  file: ManifestFile,
  from: string | undefined,
  { storage }: CheckOptions,
): Promise<Faulty | { readonly xmlKind: XmlFileKind | undefined }> {
  if (from !== (await storage.identity())) return { fault: 'other-archive' };
  if ((await storage.linkOnTheWay(file.path)) !== undefined)
    return { fault: 'behind-link', reason: notFollowed };
  const found = await storage.digest(file.path);
  if (found === undefined) return { fault: 'file-missing', ...(await missingReason(storage, file.path)) };
  return found.sha256 === file.sha256 ? { xmlKind: found.xmlKind } : { fault: 'file-changed' };
}

function fileOf(row: DocumentRow | EventRow): ManifestFile | undefined {
  const { path, sha256, bytes } = row;
  return path === undefined || sha256 === undefined || bytes === undefined
    ? undefined
    : { path, sha256, bytes };
}
