import type { InboundFamily } from '../contract/inbound.js';
import type { Text } from '../contract/text.js';
import type { Direction } from '../domain/direction.js';
import type { DocumentState } from '../domain/document-state.js';
import type { TermHorizon } from '../domain/term-horizon.js';

export type DocumentType = InboundFamily | 'nfce';

/** Everything that the report of one company says about a month. Nothing in it is computed from a guess. */
export interface ReportFacts {
  readonly direction: Direction;
  /** `2026-10`. */
  readonly month: string;
  readonly company: ReportCompany;
  /** When the report was made, in milliseconds. */
  readonly madeAt: number;
  /** `madeAt` is the time of the newest data instead: the report has no time of its own. */
  readonly isOfData?: boolean;
  readonly version: string;
  readonly close: CloseFacts;
  readonly lists: readonly ListRead[];
  readonly documents: readonly ReportDocument[];
  /** Documents of the month in the store that lack what a deadline is computed from. */
  readonly withoutTerms: number;
  /** Of the company, whatever the month of its documents; absent for issued documents, which have none. */
  readonly terms: ReportTerms | undefined;
  /** Issued invoices of the month that are no documents: rejected, denied or disabled, and those that are not final. */
  readonly undecided: { readonly refused: number; readonly notFinal: number };
  readonly certificate: CertificateFacts | undefined;
  readonly usage: readonly UsageFacts[];
  readonly commands: ReportCommands;
}

export interface ReportCompany {
  readonly id: string;
  readonly name: string | undefined;
  readonly taxNumber: string | undefined;
}

/** Command lines that the report prints. */
export interface ReportCommands {
  readonly sync: string;
  readonly close: string;
  /** Checks the proof against the files, without network. */
  readonly verify: string;
  readonly due: string;
  readonly certificate: string;
}

/**
 * `complete`, `incomplete`, `not-provable`: what the close says · `not-closed`: there is no close · `older`: it follows the rules of
 * another version · `contradictory`: its manifest is another one, or the verdict does not follow from its facts.
 */
export type ReportVerdict = 'complete' | 'incomplete' | 'not-provable' | 'not-closed' | 'older' | 'contradictory';

export interface CloseFacts {
  readonly verdict: ReportVerdict;
  /** UTC, ISO 8601. */
  readonly closedAt?: string;
  /** Why the month is not proven. */
  readonly reasons: readonly Text[];
  readonly gaps: readonly GapFacts[];
  /** Of a close of received documents. */
  readonly coverage: readonly CoverageFacts[];
  /** Of a close of issued invoices. */
  readonly issued: { readonly coverage: readonly IssuedCoverageFacts[]; readonly series: readonly SerieFacts[] };
  /** What the verdict assumes and leaves out. */
  readonly assumptions: readonly { readonly source: string; readonly message: Text }[];
  readonly manifest?: { readonly path: string; readonly sha256: string; readonly entries: number };
  /** What the store and the manifest do not have in common. */
  readonly since: {
    /** Archived documents of the month that the manifest lacks. */
    readonly added: number;
    /** Documents with another status than in the manifest. */
    readonly changed: number;
    /** Documents of the manifest that this machine does not know: the figures lack them. */
    readonly unknown: number;
  };
}

/** Gaps of one kind. */
export interface GapFacts {
  readonly count: number;
  readonly what: Text;
  readonly todo: Text;
  readonly command?: string;
}

/** What the close says about one family. */
export interface CoverageFacts {
  readonly family: InboundFamily;
  readonly capture: 'on' | 'unclear' | 'inactive' | 'off';
  readonly enabledSince: string | null;
  /** When the list of documents was read to its end. */
  readonly listReadAt: string | null;
  readonly listed: number;
  readonly archived: number;
  readonly summaries: number;
  /** `none`: the service lists no events of this family. */
  readonly events: { readonly readAt: string | null; readonly count: number } | 'none';
}

/** What the close says about one model of issued invoices. */
export interface IssuedCoverageFacts {
  readonly family: DocumentType;
  readonly listReadAt: string | null;
  readonly listed: number;
  readonly archived: number;
  /** Rejected, denied or disabled. */
  readonly refused: number;
  /** When the events of the invoices were asked for; null: they were not; `none`: the service has no events of this model. */
  readonly eventsAskedAt: string | null | 'none';
}

/** The numbers that the close accounts for in one serie. */
export interface SerieFacts {
  readonly family: DocumentType;
  readonly serie: number;
  readonly first: number;
  readonly last: number;
  readonly used: number;
  readonly disabled: number;
  /** Disabled elsewhere, as a person says. */
  readonly declared: number;
  readonly missing: number;
  /** The first missing ranges, with the command that disables each. */
  readonly ranges: readonly { readonly first: number; readonly last: number; readonly disable: string }[];
}

/** When a sync has last read the lists of a family to their end; null: never. Milliseconds. */
export interface ListRead {
  readonly family: DocumentType;
  readonly readAt: number | null;
}

export interface ReportDocument {
  readonly key: string;
  readonly family: DocumentType;
  /** CNPJ or CPF of the supplier or customer. */
  readonly party: string | undefined;
  readonly partyName: string | undefined;
  /** Its own. */
  readonly day: string | undefined;
  /** `2026-10`: the month of the competence of an NFS-e. */
  readonly competence: string | undefined;
  /** Decimal text. */
  readonly amount: string | undefined;
  readonly state: DocumentState;
  readonly file: FileState;
  /** Whether the manifest of the close lists it. */
  readonly isProven: boolean;
  readonly manifestation: Manifestation;
  /** The terms that no event has settled, the most pressing one first. */
  readonly terms: readonly DocumentTerm[];
  /** What the authority answered to its events that this machine sent or read. */
  readonly answers: readonly EventAnswer[];
}

export interface EventAnswer {
  readonly event: Text;
  /** `cStat`, `xMotivo` and the number of the protocol, as far as the service says them. */
  readonly code: string | undefined;
  readonly text: string | undefined;
  readonly protocol: string | undefined;
  /** By its code, the event is registered. */
  readonly isRegistered: boolean;
}

export type FileState = 'full' | 'summary' | 'missing';

/**
 * `several`: more than one final event is registered · `pending`: an event of this machine is not decided, or not sent yet ·
 * `none`: no event is registered · `unknown`: no sync has read the events · `not-due`: the document takes no event.
 */
export type Manifestation =
  | 'confirmed'
  | 'disavowed'
  | 'not-performed'
  | 'rejected'
  | 'several'
  | 'aware'
  | 'pending'
  | 'none'
  | 'unknown'
  | 'not-due';

export interface DocumentTerm {
  /** The last day, in Brasília. */
  readonly lastDay: string;
  /** `open`: it runs · `over`: it ended without an event · `unread`: it ended, and no sync has read the events since. */
  readonly state: 'open' | 'over' | 'unread';
}

/** The terms of the company by state, as `manifestation due` counts them. */
export interface ReportTerms {
  readonly horizon: TermHorizon;
  readonly open: number;
  readonly lost: number;
  readonly presumed: number;
  readonly unknown: number;
  /** Lost, presumed or unknown before the horizon: in no other count. */
  readonly earlier: number;
  /** Documents that lack what a term is computed from. */
  readonly unreadable: number;
}

export interface CertificateFacts {
  readonly state: 'valid' | 'expired' | 'missing' | 'other' | 'unknown';
  readonly validUntil: string | null;
  /** Valid, and soon no more. */
  readonly isEnding: boolean;
  readonly subject: string | null;
  /** When the service listed the certificates, in milliseconds. */
  readonly seenAt: number;
}

/** Billed calls of one operation in the month. */
export interface UsageFacts {
  readonly operation: Text;
  readonly billed: number;
  /** Sent without an answer: the service may have billed them. */
  readonly unknown: number;
  readonly freeRepeats: number;
}
