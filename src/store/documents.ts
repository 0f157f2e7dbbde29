import type { InboundFamily } from '../contract/inbound.js';
import type { ClockRange } from '../domain/document-date.js';
import type { EventFacts, XmlFacts, XmlFileKind } from '../domain/document-fact.js';
import type { Reason } from '../errors/reasons.js';

/**
 * The documents of one company and family, which are synchronised, closed and verified together. Issued ones have another
 * namespace than received ones (`services/issued/book.ts`).
 */
export interface DocumentGroup {
  readonly profile: string;
  readonly companyId: string;
  readonly family: InboundFamily;
}

/**
 * `wanted`: to be downloaded, or downloaded again after a change · `archived`: the file exists · `quarantined`: the
 * bytes arrived but are not valid · `gone`: no longer listed by the service.
 */
export type ArchiveState = 'wanted' | 'archived' | 'quarantined' | 'gone';

/** `absent`: the service has none (204). Missing in a row: not requested. */
export type PdfState = 'wanted' | 'archived' | 'absent';

export type SignatureVerdict = 'valid' | 'invalid' | 'absent' | 'unverifiable';

/** A list row of a document. Texts are unchanged; `id` is the access key where there is one. */
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
  /** The complete metadata, unchanged. */
  readonly data: unknown;
}

/** An archived file. Paths are relative to `archive`, with `/`. */
export interface ArchivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface DocumentRow extends SeenDocument, DocumentGroup {
  /** Grows with every new row; the order of work. */
  readonly seq: number;
  /** Grows with every change at the service; guards `finish`. */
  readonly version: number;
  readonly state: ArchiveState;
  /** The folder that the row's paths are relative to. */
  readonly archive?: string;
  readonly path?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  /** What the newest XML of it says. */
  readonly facts?: XmlFacts;
  /** The codes of its registered events, in ascending order. */
  readonly eventCodes: readonly number[];
  /** So many of its events are of a kind that could not be told. */
  readonly unreadEvents: number;
  /** The authority has told this machine that it is cancelled, when it refused an event. */
  readonly isRefusedAsCancelled?: true;
  /** What the archived XML contains. A `summary` waits for the full XML; absent until an XML was read. */
  readonly xmlKind?: XmlFileKind;
  readonly archivedAt?: number;
  readonly pdfState?: PdfState;
  readonly pdfPath?: string;
  readonly pdfSha256?: string;
  readonly pdfBytes?: number;
  readonly signature?: SignatureVerdict;
  /** Why it is quarantined, or why the last attempt failed. */
  readonly reason?: Reason;
  readonly firstSeenAt: number;
  readonly updatedAt: number;
}

/** What the work on a document needs; reading the metadata as well would dominate the cost. */
export type DueDocument = Pick<
  DocumentRow,
  | 'seq'
  | 'version'
  | 'id'
  | 'accessKey'
  | 'issuer'
  | 'issuedOn'
  | 'authorizedOn'
  | 'status'
  | 'state'
  | 'facts'
  | 'archive'
  | 'path'
  | 'xmlKind'
  | 'pdfState'
>;

/** The result of the work on a document. `due: false`: nothing left to do until the service changes it. */
export interface DocumentPatch {
  readonly state: ArchiveState;
  readonly due: boolean;
  readonly archive?: string;
  readonly file?: ArchivedFile;
  readonly xmlKind?: XmlFileKind;
  readonly facts?: XmlFacts;
  readonly archivedAt?: number;
  readonly pdfState?: PdfState;
  readonly pdf?: ArchivedFile;
  readonly signature?: SignatureVerdict;
  /** `null` clears an earlier reason. */
  readonly reason?: Reason | null;
  /** Why the work failed: the document is outstanding from now on, until an attempt succeeds. */
  readonly owed?: Reason;
}

export interface DocumentEnd {
  readonly row: Pick<DocumentRow, 'seq' | 'version' | 'id' | 'accessKey' | 'issuedOn' | 'authorizedOn'>;
  readonly patch: DocumentPatch;
  readonly at: number;
}

/**
 * Filters of an offline list. `since` (inclusive) and `until` (exclusive) refer to the date of the document by its own clock
 * (`issuedAtOf`), in milliseconds.
 */
export interface DocumentFilter {
  readonly profile: string;
  readonly companies?: readonly string[];
  readonly families?: readonly InboundFamily[];
  readonly since?: number;
  readonly until?: number;
  /** A list first showed it at this time or later, and before `seenUntil`. */
  readonly seenSince?: number;
  readonly seenUntil?: number;
  readonly status?: string;
  readonly webhookStatus?: string;
  readonly issuer?: string;
  readonly accessKey?: string;
  /** NSU greater than this. */
  readonly nsuAfter?: number;
  readonly states?: readonly ArchiveState[];
  /** Only documents with just a summary archived. */
  readonly summaries?: true;
  readonly limit: number;
  /** The last row of the previous page. */
  readonly after?: DocumentRow;
}

/** What decides about the terms of a document; reading the rest of its metadata as well would dominate the cost. */
export type TermDocument = Pick<
  DocumentRow,
  | 'companyId'
  | 'family'
  | 'id'
  | 'accessKey'
  | 'nsu'
  | 'status'
  | 'issuer'
  | 'recipient'
  | 'amountText'
  | 'issuedOn'
  | 'authorizedOn'
  | 'xmlKind'
  | 'facts'
  | 'eventCodes'
  | 'unreadEvents'
  | 'isRefusedAsCancelled'
  | 'data'
> & {
  /** The day from which its terms count, where it was read with the row; empty: none is known. */
  readonly termDay?: string;
};

/** Days, `2026-11-21`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type DocumentCounts = Readonly<Record<ArchiveState, number>>;

export interface SeenCounts {
  readonly added: number;
  readonly changed: number;
  readonly known: number;
}

export interface DocumentRows {
  /**
   * Stores a page of a list in one transaction. A new document becomes `wanted`; a known one becomes wanted again when
   * its status, type, NSU or modification time has changed, and keeps its file until the new one replaces it.
   */
  see(group: DocumentGroup, documents: readonly SeenDocument[], at: number): Promise<SeenCounts>;
  get(group: DocumentGroup, id: string): Promise<DocumentRow | undefined>;
  /** Those of these ids that there are, read at once. */
  withIds(group: DocumentGroup, ids: readonly string[]): Promise<ReadonlyMap<string, DocumentRow>>;
  /** Documents with work to do, oldest first, after the row `afterSeq`. */
  due(
    group: DocumentGroup,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly DueDocument[]>;
  /** How many have work to do. */
  dueCount(group: DocumentGroup): Promise<number>;
  /**
   * Stores the results of work on documents, in one transaction. Returns their number, without those that the service
   * changed in the meantime.
   */
  finish(ends: readonly DocumentEnd[]): Promise<number>;
  /** Marks matching documents as due again: archived in another folder, without PDF, quarantined, or summaries. */
  want(group: DocumentGroup, which: WantedAgain, at: number): Promise<number>;
  /** By company, then family, newest issue first. */
  list(filter: DocumentFilter): Promise<readonly DocumentRow[]>;
  /**
   * The documents without a registered conclusive event whose terms count from one of these days, and those without such a
   * day; by family, then day. `data` has only the fields of `capturedOf`.
   */
  open(filter: {
    readonly profile: string;
    readonly families: readonly InboundFamily[];
    readonly days: readonly Days[];
    /** Ids; absent: of all. */
    readonly companies?: readonly string[];
  }): Promise<readonly TermDocument[]>;
  /** The documents dated within the range, and those with this year and month (`2610`) in their access key; unordered. */
  dated(
    group: DocumentGroup,
    range: ClockRange & { readonly keyMonth?: string },
  ): Promise<readonly Pick<DocumentRow, 'id' | 'state' | 'issuedOn'>[]>;
  /** The NSUs of known documents and events from `first` to `last`, unordered; some more than once. */
  nsusBetween(
    group: DocumentGroup,
    range: { readonly first: number; readonly last: number },
  ): Promise<readonly number[]>;
  counts(group: DocumentGroup): Promise<DocumentCounts>;
  /**
   * The copies of this document for each company that the service listed it for, even where its XML is no longer
   * available.
   */
  capturers(
    document: Pick<DocumentGroup, 'profile' | 'family'> & { readonly id: string },
  ): Promise<readonly DocumentRow[]>;
  /** The companies with known documents, sorted. */
  companies(profile: string): Promise<readonly string[]>;
}

export type WantedAgain =
  | { readonly notIn: string }
  | { readonly withoutPdf: true }
  | { readonly quarantined: true }
  /** Last attempted before this time; also documents archived before the program stored the kind of an XML. */
  | { readonly summariesTriedBefore: number };

/** A list row of an event. */
export interface SeenEvent {
  readonly eventKey: string;
  /** The document's access key. */
  readonly documentId: string;
  readonly type?: string;
  readonly description?: string;
  readonly nsu?: string;
  readonly issuedOn?: string;
  readonly createdOn?: string;
  /** Absent: the row names no code. */
  readonly facts?: EventFacts;
}

export interface EventRow extends SeenEvent, DocumentGroup {
  readonly seq: number;
  readonly state: ArchiveState;
  readonly archive?: string;
  readonly path?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly archivedAt?: number;
  readonly reason?: Reason;
}

export interface EventRows {
  /** Stores a page of a list; returns how many events are new. */
  see(group: DocumentGroup, events: readonly SeenEvent[], at: number): Promise<number>;
  due(group: DocumentGroup, page: { readonly afterSeq: number; readonly limit: number }): Promise<readonly EventRow[]>;
  /** Stores the results of work on events, in one transaction. */
  finish(ends: readonly EventEnd[]): Promise<void>;
  /** Marks events archived in another folder as due again. Returns their number. */
  wantNotIn(group: DocumentGroup, archive: string): Promise<number>;
  /** Those of these keys that an event of the group has. */
  known(group: DocumentGroup, eventKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The events of one document, in order of issue. */
  of(group: DocumentGroup, documentId: string): Promise<readonly EventRow[]>;
  /** Those of many documents, in order of issue. */
  ofDocuments(
    of: Pick<DocumentGroup, 'profile' | 'family'> & {
      readonly documents: readonly (readonly [companyId: string, documentId: string])[];
    },
  ): Promise<readonly EventRow[]>;
}

export interface EventPatch {
  readonly state: ArchiveState;
  readonly due: boolean;
  readonly archive?: string;
  readonly file?: ArchivedFile;
  /** As its XML has it. */
  readonly facts?: EventFacts;
  readonly archivedAt?: number;
  readonly reason?: Reason | null;
  /** As for a document. */
  readonly owed?: Reason;
}

export interface EventEnd {
  readonly seq: number;
  readonly patch: EventPatch;
  readonly at: number;
}

/** An outstanding document or event: listed, but not downloaded. */
export interface OwedRow extends DocumentGroup {
  readonly documentId: string;
  /** Set for an event of this document; absent for the document itself. */
  readonly eventKey?: string;
  /** Absent when no run has tried it yet. */
  readonly reason?: Reason;
  /** When it was first tried, or first seen. */
  readonly since: number;
  readonly tries: number;
  readonly triedAt?: number;
  /** Not before this time: the first sync after it tries again. */
  readonly nextAt: number;
  /** Set when a person has written it off, with the reason. */
  readonly writtenOffAt?: number;
  readonly writtenOffReason?: string;
}

export interface OwedFilter {
  readonly profile: string;
  readonly companies?: readonly string[];
  readonly families?: readonly InboundFamily[];
}

export interface OwedRows {
  /** Outstanding or written-off entries, by company, family, then age. */
  list(filter: OwedFilter): Promise<readonly OwedRow[]>;
  count(group: DocumentGroup): Promise<{ readonly outstanding: number; readonly writtenOff: number }>;
  /** Marks outstanding entries as due whose next attempt is not after `until`; returns their number. */
  want(group: DocumentGroup, until: number): Promise<number>;
  /** Writes an entry off with a reason; without a reason it is outstanding again. */
  writeOff(row: OwedRow, off: { readonly reason: string | undefined; readonly at: number }): Promise<void>;
}

/** The wait after each failed attempt: the next run, then at growing intervals. */
export const owedWaitsMs: readonly number[] = [0, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000];

/** How far a list was read. `stream` distinguishes the lists of a group, such as `documents` and `events`. */
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
  /** Reserves the group for this worker. Returns the living worker that holds it, if another one does. */
  hold(group: DocumentGroup, workerId: string, now: number): Promise<string | undefined>;
  /** Releases the group, when the worker holds it. */
  release(group: DocumentGroup, workerId: string): Promise<void>;
}
