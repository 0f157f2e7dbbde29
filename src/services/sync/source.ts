import type { Candidate } from '../../archive/intake.js';
import type { Downloaded } from '../../client/client.js';
import type { ByteSink } from '../../client/receive.js';
import type { DocumentGroup, DocumentPatch, DueDocument, EventPatch, EventRow } from '../../store/documents.js';
import type { Listing, SyncContext, SyncTally } from './state.js';

/** The documents of one company and family at work. */
export interface SyncGroup extends DocumentGroup {
  readonly taxNumber: string | undefined;
  readonly tally: SyncTally;
  readonly source: DocumentSource;
}

/** Where the bytes of a download go. */
export interface DownloadTo {
  readonly sink: ByteSink;
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

/** The file of an event: how it is downloaded, and what it must be. */
export interface EventFile {
  download(how: DownloadTo): Promise<Downloaded>;
  readonly expected: Candidate['expected'];
  /** That the service has none (404) is usual. */
  readonly mayBeAbsent?: true;
}

/** How the documents of a group are listed and downloaded: those that a company receives, or those that it issues. */
export interface DocumentSource {
  /** What a layout writes for `{type}`. */
  readonly type: string;
  /** An event without a file is not asked for again by a repair. */
  readonly goneIsFinal?: true;
  /** False: the service has no list for the group. Errors: those of a call. */
  hasLists(context: SyncContext, group: SyncGroup): Promise<boolean>;
  /** Stores the rows of every list, up to their ends. Errors: those of a call. */
  list(context: SyncContext, group: SyncGroup, listing: Listing): Promise<void>;
  /** Whether another process has read all lists to their ends since then, and this run wants nothing more. */
  wasListedSince(context: SyncContext, group: SyncGroup, since: number): Promise<boolean>;
  /** Only a valid key, or an id of the service, goes into a request or a file name. */
  isUsable(row: DueDocument): boolean;
  /** The name of the file, without extension. */
  nameOf(row: Pick<DueDocument, 'id' | 'accessKey'>): string;
  /** What to do before the XML is downloaded. A patch: there is nothing to download. */
  prepare(context: SyncContext, group: SyncGroup, row: DueDocument): Promise<DocumentPatch | undefined>;
  /** What the XML must be, beside the document of its key. */
  readonly expected: Pick<Candidate['expected'], 'family' | 'anyLayout' | 'isIssuedByCompany'>;
  xml(context: SyncContext, group: SyncGroup, row: DueDocument, how: DownloadTo): Promise<Downloaded>;
  pdf(context: SyncContext, group: SyncGroup, row: DueDocument, how: DownloadTo): Promise<Downloaded>;
  /** A patch: the service has no file of this event. */
  event(context: SyncContext, group: SyncGroup, event: EventRow): Promise<EventFile | EventPatch>;
}
