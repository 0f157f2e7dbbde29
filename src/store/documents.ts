import type { InboundFamily } from '../contract/inbound.js';
import type { XmlFileKind } from '../domain/document-fact.js';

/** The captured documents of one company and family: what is synchronised, closed and verified as one. */
export interface DocumentGroup {
  readonly profile: string;
  readonly companyId: string;
  readonly family: InboundFamily;
}

/**
 * `wanted`: its bytes are still to be written (or written again, since the service changed it) · `archived`: the file stands ·
 * `quarantined`: the bytes came and are not what they should be · `gone`: the service lists it no more.
 */
export type ArchiveState = 'wanted' | 'archived' | 'quarantined' | 'gone';

/** `absent`: the service has none (204). Missing in a row: nobody asked for it. */
export type PdfState = 'wanted' | 'archived' | 'absent';

export type SignatureVerdict = 'valid' | 'invalid' | 'absent' | 'unverifiable';

/** What a list says about a document. Texts as they came; `id` is the access key where there is one. */
export interface SeenDocument {
  readonly id: string;
  readonly accessKey?: string;
  readonly nsu?: string;
  readonly status?: string;
  readonly webhookStatus?: string;
  readonly type?: string;
  /** Tax number of the issuer. */
  readonly issuer?: string;
  readonly issuerName?: string;
  /** Tax number of the recipient, buyer or taker. */
  readonly recipient?: string;
  readonly amountText?: string;
  readonly issuedOn?: string;
  readonly authorizedOn?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  /** The whole metadata as it came. */
  readonly data: unknown;
}

/** Where the bytes stand. Paths are relative to `archive`, with `/`. */
export interface ArchivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface DocumentRow extends SeenDocument, DocumentGroup {
  /** Grows with every new row; the order of work. */
  readonly seq: number;
  /** Grows with every change at the service; fences `settle`. */
  readonly version: number;
  readonly state: ArchiveState;
  /** The folder that the paths of this row are relative to. */
  readonly archive?: string;
  readonly path?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  /** What the archived XML holds. A `summary` waits for the full XML; absent until an XML was read. */
  readonly xmlKind?: XmlFileKind;
  readonly archivedAt?: number;
  readonly pdfState?: PdfState;
  readonly pdfPath?: string;
  readonly pdfSha256?: string;
  readonly pdfBytes?: number;
  readonly signature?: SignatureVerdict;
  /** Why it is quarantined, or why the last try failed: a sentence. */
  readonly reason?: string;
  readonly firstSeenAt: number;
  readonly updatedAt: number;
}

/** What the work on a document must know of it: its metadata would be most of the reading. */
export type DueDocument = Pick<
  DocumentRow,
  | 'seq'
  | 'version'
  | 'id'
  | 'accessKey'
  | 'issuer'
  | 'issuedOn'
  | 'state'
  | 'archive'
  | 'path'
  | 'xmlKind'
  | 'pdfState'
>;

/** How the work on a document ended. `due: false`: nothing is left to do until the service changes it. */
export interface DocumentPatch {
  readonly state: ArchiveState;
  readonly due: boolean;
  readonly archive?: string;
  readonly file?: ArchivedFile;
  readonly xmlKind?: XmlFileKind;
  readonly archivedAt?: number;
  readonly pdfState?: PdfState;
  readonly pdf?: ArchivedFile;
  readonly signature?: SignatureVerdict;
  /** `null` takes an earlier reason away. */
  readonly reason?: string | null;
  /** Why the work is not done: it is owed from now on, until a try ends well. */
  readonly owed?: string;
}

export interface DocumentEnd {
  readonly row: Pick<DocumentRow, 'seq' | 'version'>;
  readonly patch: DocumentPatch;
  readonly at: number;
}

/** The filters of a list, offline. `since` and `until` are about `issuedOn`, in milliseconds; `until` is excluded. */
export interface DocumentFilter {
  readonly profile: string;
  readonly companies?: readonly string[];
  readonly families?: readonly InboundFamily[];
  readonly since?: number;
  readonly until?: number;
  readonly status?: string;
  readonly webhookStatus?: string;
  readonly issuer?: string;
  /** NSU greater than this. */
  readonly nsuAfter?: number;
  readonly states?: readonly ArchiveState[];
  /** Only documents of which a summary is all that is archived. */
  readonly summaries?: true;
  readonly limit: number;
  /** The last row of the page before. */
  readonly after?: DocumentRow;
}

export type DocumentCounts = Readonly<Record<ArchiveState, number>>;

export interface SeenCounts {
  readonly added: number;
  readonly changed: number;
  readonly known: number;
}

export interface DocumentRows {
  /**
   * Keeps what a page of a list said, in one transaction. A new document is `wanted`; a known one is wanted again when its
   * status, type, NSU or time of modification is another, and its file stands until the new one replaces it.
   */
  see(group: DocumentGroup, documents: readonly SeenDocument[], at: number): Promise<SeenCounts>;
  get(group: DocumentGroup, id: string): Promise<DocumentRow | undefined>;
  /** Documents with work to do, oldest first, after the row `afterSeq`. */
  due(
    group: DocumentGroup,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly DueDocument[]>;
  /** How many have work to do. */
  dueCount(group: DocumentGroup): Promise<number>;
  /** Ends the work on documents, in one transaction; how many: not those that the service changed meanwhile. */
  finish(ends: readonly DocumentEnd[]): Promise<number>;
  /** Gives work again to what matches: archived in another folder, without its PDF, quarantined, or a summary. */
  want(group: DocumentGroup, which: WantedAgain, at: number): Promise<number>;
  /** By company, then family, newest issue first. */
  list(filter: DocumentFilter): Promise<readonly DocumentRow[]>;
  /** The ids of the archived documents that were issued from `since` until before `until`, in no order. */
  archivedIds(
    group: DocumentGroup,
    range: { readonly since: number; readonly until: number },
  ): Promise<readonly string[]>;
  /** The NSU of the documents and events that are known, from `first` to `last`, in no order; some more than once. */
  nsusBetween(
    group: DocumentGroup,
    range: { readonly first: number; readonly last: number },
  ): Promise<readonly number[]>;
  counts(group: DocumentGroup): Promise<DocumentCounts>;
  /** The companies that the service listed this document for, also those whose XML it gives no more. */
  capturers(
    document: Pick<DocumentGroup, 'profile' | 'family'> & { readonly id: string },
  ): Promise<readonly DocumentRow[]>;
  /** Companies of which something is known, in order. */
  companies(profile: string): Promise<readonly string[]>;
}

export type WantedAgain =
  | { readonly notIn: string }
  | { readonly withoutPdf: true }
  | { readonly quarantined: true }
  /** Last tried before this time; also what was archived before the program kept the kind of an XML. */
  | { readonly summariesTriedBefore: number };

/** What a list says about an event of a document. */
export interface SeenEvent {
  readonly eventKey: string;
  /** The document's access key. */
  readonly documentId: string;
  readonly type?: string;
  readonly description?: string;
  readonly nsu?: string;
  readonly issuedOn?: string;
  readonly createdOn?: string;
}

export interface EventRow extends SeenEvent, DocumentGroup {
  readonly seq: number;
  readonly state: ArchiveState;
  readonly archive?: string;
  readonly path?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly archivedAt?: number;
  readonly reason?: string;
}

export interface EventRows {
  /** Keeps what a page of a list said; returns how many are new. */
  see(group: DocumentGroup, events: readonly SeenEvent[], at: number): Promise<number>;
  due(
    group: DocumentGroup,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly EventRow[]>;
  /** Ends the work on events, in one transaction. */
  finish(ends: readonly EventEnd[]): Promise<void>;
  /** Gives work again to what is archived in another folder. */
  wantNotIn(group: DocumentGroup, archive: string): Promise<number>;
  /** The events of one document, in order of issue. */
  of(group: DocumentGroup, documentId: string): Promise<readonly EventRow[]>;
}

export interface EventPatch {
  readonly state: ArchiveState;
  readonly due: boolean;
  readonly archive?: string;
  readonly file?: ArchivedFile;
  readonly archivedAt?: number;
  readonly reason?: string | null;
  /** As of a document. */
  readonly owed?: string;
}

export interface EventEnd {
  readonly seq: number;
  readonly patch: EventPatch;
  readonly at: number;
}

/** A listed document or event whose bytes are still to come. */
export interface OwedRow extends DocumentGroup {
  readonly documentId: string;
  /** Of an event of this document; absent for the document itself. */
  readonly eventKey?: string;
  /** Absent for what no run has tried yet. */
  readonly reason?: string;
  /** When it was first tried, or first seen. */
  readonly since: number;
  readonly tries: number;
  readonly triedAt?: number;
  /** Not before: a sync tries it in the first run after that. */
  readonly nextAt: number;
  /** A person has written it off, and why. */
  readonly writtenOffAt?: number;
  readonly writtenOffReason?: string;
}

export interface OwedFilter {
  readonly profile: string;
  readonly companies?: readonly string[];
  readonly families?: readonly InboundFamily[];
}

export interface OwedRows {
  /** What is owed or written off, by company, family, then age. */
  list(filter: OwedFilter): Promise<readonly OwedRow[]>;
  count(group: DocumentGroup): Promise<{ readonly outstanding: number; readonly writtenOff: number }>;
  /** Gives work again to what is owed and whose next try is not after `until`; how many. */
  want(group: DocumentGroup, until: number): Promise<number>;
  /** Keeps why it is not owed any more; without a reason it is owed again. */
  writeOff(row: OwedRow, off: { readonly reason: string | undefined; readonly at: number }): Promise<void>;
}

/** How long after each try in vain the next one waits: the next run, then less and less often. */
export const owedWaitsMs: readonly number[] = [0, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000];

/** How far a list was read. `stream` tells the lists of one group apart, e.g. `documents`, `events`. */
export interface CursorKey extends DocumentGroup {
  readonly stream: string;
}

export interface CursorRow {
  readonly position: unknown;
  readonly at: number;
}

export interface CursorRows {
  get(key: CursorKey): Promise<CursorRow | undefined>;
  /** False, and nothing written, unless the worker holds the group. */
  save(key: CursorKey, cursor: CursorRow & { readonly workerId: string }): Promise<boolean>;
  /** Makes the worker the only one at work on the group; returns the living worker that holds it, when another one does. */
  hold(group: DocumentGroup, workerId: string, now: number): Promise<string | undefined>;
  /** Gives the group free, when the worker holds it. */
  release(group: DocumentGroup, workerId: string): Promise<void>;
}
