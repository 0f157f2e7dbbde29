import { isInsidePath } from '../../domain/inside-path.js';
import { type ArchivedType, type ManifestEntry, readManifest } from '../../archive/manifest.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import { groupOf, typesOf } from '../../services/closing/direction.js';
import { entryName } from '../../services/closing/found-close.js';
import type { Direction } from '../../domain/direction.js';
import { clockRange, type Month } from '../../services/closing/month.js';
import type { Context } from '../../services/context.js';
import { documentPages } from '../../services/documents/pages.js';
import type { DocumentRow, EventRow } from '../../store/documents.js';

/** Why a package has a document without its PDF. `unknown`: only the manifest names its files in this archive. */
export const pdfReasons = ['notRequested', 'outstanding', 'notAtService', 'unknown'] as const;
export type PdfReason = (typeof pdfReasons)[number];

/** A file of the archive that the package is to hold, with what it must be. */
export interface PackedFile {
  /** Relative to the archive, with `/`. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly family: ArchivedType;
  readonly kind: 'document' | 'event' | 'pdf';
  /** Of a document: only the summary (`resNFe`) has arrived. */
  readonly isSummary?: boolean;
  /** Of a document without a PDF in the archive. */
  readonly withoutPdf?: PdfReason;
}

export interface MonthContents {
  /** By path, each once. */
  readonly files: readonly PackedFile[];
  /** Documents and events that this machine knows, and whose file is not in this archive. */
  readonly withoutFile: { readonly documents: number; readonly events: number };
}

/** Documents whose events are read at once. */
const BATCH = 1_000;

interface ContentsRequest {
  readonly storage: ArchiveStorage;
  readonly direction: Direction;
  readonly month: Month;
  readonly companyId: string;
  /** Of the close, if it has one that holds. */
  readonly manifest?: string;
}

/**
 * The files of a month: what the manifest of the close lists, and what this machine has archived since. Where the two disagree about
 * the bytes of a file, it is read.
 */
export async function monthContents(context: Context, request: ContentsRequest): Promise<MonthContents> {
  const { storage, manifest } = request;
  const files = new Map<string, PackedFile>();
  const documents = new Set<string>();
  const lacking = { documents: new Set<string>(), events: new Set<string>() };
  const identity = await storage.identity();
  for await (const { type, row, events } of storedDocuments(context, request)) {
    const packed = filesOfRow(type, { row, events }, identity);
    const name = entryName({ type, key: row.accessKey ?? row.id });
    if (packed.some(({ kind }) => kind === 'document')) documents.add(name);
    else if (row.state !== 'gone') lacking.documents.add(name);
    for (const event of events) {
      // The service has no file of some events of issued invoices.
      const hasNone = request.direction === 'issued' && event.state === 'gone';
      if (fileIn(identity, event) === undefined && !hasNone) lacking.events.add(`${name} ${event.eventKey}`);
    }
    for (const file of packed) files.set(file.path, file);
  }
  if (manifest !== undefined)
    for await (const entry of readManifest({ storage, path: manifest })) {
      const name = entryName(entry);
      if (entry.file !== undefined) lacking.documents.delete(name);
      for (const { key } of entry.events) lacking.events.delete(`${name} ${key}`);
      for (const file of filesOfEntry(entry, documents.has(name))) {
        const known = files.get(file.path);
        if (known === undefined) files.set(file.path, file);
        else if (known.sha256 !== file.sha256 && (await isAt(storage, file))) files.set(file.path, file);
      }
    }
  const withoutFile = { documents: lacking.documents.size, events: lacking.events.size };
  const sorted = [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: sorted, withoutFile };
}

interface StoredDocument {
  readonly type: ArchivedType;
  readonly row: DocumentRow;
  readonly events: readonly EventRow[];
}

async function* storedDocuments(
  context: Context,
  { direction, month, companyId }: ContentsRequest,
): AsyncGenerator<StoredDocument> {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  for (const type of typesOf[direction]) {
    const { profile, family } = groupOf(direction, { profile: storeNamespace, companyId }, type);
    const range = { ...clockRange(month), limit: BATCH };
    const filter = { profile, companies: [companyId], families: [family], ...range };
    for await (const page of documentPages(store.documents, filter)) {
      context.interruption.throwIfAborted();
      const documents = page.map(({ id }) => [companyId, id] as const);
      const events = new Map<string, EventRow[]>();
      for (const event of await store.events.ofDocuments({ profile, family, documents }))
        events.set(event.documentId, [...(events.get(event.documentId) ?? []), event]);
      for (const row of page) yield { type, row, events: events.get(row.id) ?? [] };
    }
  }
}

interface FileRow {
  readonly archive?: string | undefined;
  readonly path?: string | undefined;
  readonly sha256?: string | undefined;
  readonly bytes?: number | undefined;
}

/** The file that a row names in this archive. Its name is checked, because it becomes one of the package. */
function fileIn(identity: string, { archive, path, sha256, bytes }: FileRow) {
  if (archive !== identity || path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  return isInsidePath(path) ? { path, sha256, bytes } : undefined;
}

function filesOfRow(
  family: ArchivedType,
  { row, events }: Pick<StoredDocument, 'row' | 'events'>,
  identity: string,
): readonly PackedFile[] {
  const { archive, pdfState, pdfPath, pdfSha256, pdfBytes } = row;
  const file = row.state === 'gone' ? undefined : fileIn(identity, row);
  const pdf =
    file === undefined || pdfState !== 'archived'
      ? undefined
      : fileIn(identity, { archive, path: pdfPath, sha256: pdfSha256, bytes: pdfBytes });
  const isSummary = row.xmlKind === 'summary';
  const lacking = pdf === undefined ? { withoutPdf: pdfReason(row) } : {};
  return [
    ...(file === undefined ? [] : [{ ...file, family, kind: 'document', isSummary, ...lacking } as const]),
    ...(pdf === undefined ? [] : [{ ...pdf, family, kind: 'pdf' } as const]),
    ...events
      .map((event) => fileIn(identity, event))
      .filter((event) => event !== undefined)
      .map((event) => ({ ...event, family, kind: 'event' }) as const),
  ];
}

function pdfReason({ pdfState }: DocumentRow): PdfReason {
  if (pdfState === undefined) return 'notRequested';
  return pdfState === 'absent' ? 'notAtService' : 'outstanding';
}

/** What the manifest says of the PDF of a document that this machine archived here was true at the close only. */
function filesOfEntry(entry: ManifestEntry, isStored: boolean): readonly PackedFile[] {
  const { type: family, file, xmlKind, pdf, events } = entry;
  const withoutPdf = pdf !== undefined || isStored ? {} : ({ withoutPdf: 'unknown' } as const);
  return [
    ...(file === undefined
      ? []
      : [{ ...file, family, kind: 'document', isSummary: xmlKind === 'summary', ...withoutPdf } as const]),
    ...(pdf === undefined ? [] : [{ ...bare(pdf), family, kind: 'pdf' } as const]),
    ...events.map((event) => ({ ...bare(event), family, kind: 'event' }) as const),
  ];
}

function bare({ path, sha256, bytes }: Pick<PackedFile, 'path' | 'sha256' | 'bytes'>) {
  return { path, sha256, bytes };
}

async function isAt(storage: ArchiveStorage, { path, sha256 }: PackedFile): Promise<boolean> {
  if ((await storage.linkOnTheWay(path)) !== undefined) return false;
  return (await storage.digest(path))?.sha256 === sha256;
}
