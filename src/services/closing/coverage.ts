import type { ArchivedType } from '../../archive/manifest.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import type { SeenCapture } from '../company/capture.js';
import type { UnreadableRows } from '../documents/unreadable-rows.js';
import type { IssuedModel } from '../issued/book.js';

/** What the proofs of received and of issued documents have in common. Times are UTC, ISO 8601. */
interface Coverage {
  readonly family: ArchivedType;
  readonly list: ListCoverage;
  /** Null: it was not read; of issued invoices: the service has no such list. */
  readonly events: EventCoverage | null;
  /** When a sync last read the list of this family on this machine. */
  readonly lastSyncAt: string | null;
  /** Rows without a document or event that a sync saw in its lists; null: none. */
  readonly unreadable: UnreadableRows | null;
  /** The archived files that the proof counts, by content. */
  readonly xml: Readonly<Record<XmlFileKind, number>>;
}

/** The facts about the capture and the list of one family on which a proof rests. */
export interface FamilyCoverage extends Coverage {
  readonly family: InboundFamily;
  /** unclear: its settings do not say whether it is active. */
  readonly capture: 'on' | 'unclear' | 'inactive' | 'off';
  /** What unclear settings show in the place of a status. */
  readonly unclearStatus: string | null;
  /** The captured environment of the tax authority; null: the settings name none. */
  readonly environment: string | null;
  /** Since when the capture is enabled, and the source: its settings, or the history on this machine. */
  readonly enabledSince: string | null;
  readonly enabledBy: 'settings' | 'history' | null;
  /** The settings as this machine has seen them, the oldest first. */
  readonly history: readonly SeenCapture[];
  /** `startFromDate`: what was issued before is captured, but not listed. */
  readonly cutOff: string | null;
  /** The service counts hidden documents for NFS-e only; null: not known. */
  readonly hidden: HiddenDocuments | null;
  /** `rateLimitedUntil`, while it is in the future: the service captures nothing new until then. */
  readonly spacedUntil: string | null;
  readonly nsu: NsuCoverage | null;
}

/** The facts about the list of one model of issued invoices on which a proof rests. */
export interface IssuedCoverage extends Coverage {
  readonly family: IssuedModel;
  /** Its `documents`: invoices of the month that are issued, cancelled or not final. */
  readonly list: ListCoverage;
  /** The service has no list of the events of issued invoices. */
  readonly events: null;
  /** Rows of any month: a company without one may issue with another program. */
  readonly listedEver: number;
  /** Invoices of the month that were rejected, denied or disabled: they have no document. */
  readonly refused: number;
  /** When the events of every invoice issued since then were asked for, by the clock of the service; null: they were not. */
  readonly eventsAsked: { readonly at: string; readonly since: string } | null;
  /** Registered events of which the service has no file. */
  readonly eventsWithoutFile: number;
  /** By serie. NFS-e have none: the city gives the number. */
  readonly numbering: readonly SerieNumbers[];
  /** Issued NF-e and NFC-e of the month without a readable access key. */
  readonly withoutNumber: number;
}

/**
 * The numbers of a serie that the month has to account for: from the one behind the last that was used before its first number, to
 * its last.
 */
export interface SerieNumbers {
  readonly serie: number;
  readonly first: number;
  readonly last: number;
  /** Of issued, cancelled and denied invoices, of any month. */
  readonly used: number;
  /** Disabled at the service, as far as its list or this machine knows. */
  readonly disabled: number;
  /** Disabled, as a person says (`--disabled`). */
  readonly declared: number;
  readonly missing: number;
  /** The first ranges of missing numbers, both ends included. */
  readonly missingRanges: readonly (readonly [number, number])[];
}

export interface HiddenDocuments {
  readonly released: boolean | null;
  readonly count: number | null;
}

export interface ListCoverage {
  /** When the list was read completely; null: it could not be. */
  readonly readAt: string | null;
  readonly documents: number;
  /** Rows that name no document. */
  readonly unreadable: number;
  /** Why it could not be read. */
  readonly problem: string | null;
}

/** The list of events, from the day before the month began. */
export interface EventCoverage extends Omit<ListCoverage, 'documents'> {
  /** Events of documents of the month. */
  readonly events: number;
}

/**
 * The NSUs of the month, from first to last. Documents, summaries and events of a CNPJ share them, and a document
 * may have none: an unknown NSU is not a missing document.
 */
export interface NsuCoverage {
  readonly first: number;
  readonly last: number;
  /** NSUs of known documents and events. */
  readonly known: number;
  readonly unknown: number;
  /** The first ranges of unknown numbers, both ends included. */
  readonly unknownRanges: readonly (readonly [number, number])[];
  /** Listed documents without a number. */
  readonly withoutNsu: number;
}
