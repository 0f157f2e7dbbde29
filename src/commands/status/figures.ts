import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { MonthState } from '../../services/closing/closed-months.js';
import type { Doubt } from '../../services/company/activity.js';
import type { CertificateState } from '../../services/company/certificate.js';
import type { TermCounts } from '../../services/documents/terms.js';
import type { CompanyLabel } from '../../services/scope/scope.js';

/** Every time is ISO 8601 in UTC. */
export interface StatusReport {
  readonly type: 'status';
  readonly at: string;
  readonly profiles: readonly ProfileStatus[];
}

/** The figures of one profile, each with its evidence and the next command. */
export interface ProfileStatus {
  readonly profile: string;
  /** That this machine knows of. */
  readonly companies: number;
  readonly due: DueFigure;
  readonly newDocuments: NewFigure;
  readonly outstanding: OutstandingFigure;
  readonly months: MonthsFigure;
  readonly jobs: JobsFigure;
  readonly certificates: CertificatesFigure;
  readonly capture: CaptureFigure;
  readonly usage: UsageFigure;
}

/** A figure rests on what was read of each company. */
interface Evidence {
  /** The oldest reading that the figure rests on; null: nothing was read of any company. */
  readonly asOf: string | null;
  /** The companies of which the figure may say too little, each with the reason. */
  readonly unknown: readonly UnknownCompany[];
  /** The next command to type. */
  readonly next: string;
}

export interface UnknownCompany extends CompanyLabel {
  readonly companyId: string;
  /**
   * As an `Activity` doubts · not_synced_since: no list was read since the time of the figure · not_read: the archive is a bucket, which is not read here ·
   * never_checked: its certificates were never listed · no_date: its certificate names no day until which it is valid
   */
  readonly reason: Doubt | 'not_synced_since' | 'not_read' | 'never_checked' | 'no_date';
}

interface OfCompany extends CompanyLabel {
  readonly companyId: string;
  readonly asOf: string | null;
}

/** The terms of manifestations as `manifestation due` counts them. */
export interface DueFigure extends Evidence {
  readonly terms: TermCounts;
  /** The days between which terms are counted one by one, both included. */
  readonly since: string;
  readonly until: string;
  /** Without the companies that have none. */
  readonly byCompany: readonly (OfCompany & { readonly terms: TermCounts })[];
}

/** Documents that a list first showed since then. */
export interface NewFigure extends Evidence {
  readonly documents: number;
  readonly since: string;
  readonly byCompany: readonly (OfCompany & { readonly documents: number })[];
}

/** Documents and events that are listed and whose files are missing, and NF-e of which only the summary came. */
export interface OutstandingFigure extends Evidence {
  readonly files: number;
  /** They wait for the full XML. */
  readonly summaries: number;
  readonly byCompany: readonly (OfCompany & { readonly files: number; readonly summaries: number })[];
}

/** The last whole months of received documents, each of every company that has any. */
export interface MonthsFigure extends Evidence {
  readonly closed: number;
  readonly open: number;
  /** Closed, and the close no longer holds. */
  readonly broken: number;
  /** The first month that is looked at. */
  readonly since: string;
  readonly byCompany: readonly (OfCompany & { readonly month: string; readonly state: MonthState })[];
}

/** Of this machine alone. Jobs that ended before `since` without an uncertain item are left out. */
export interface JobsFigure {
  readonly uncertain: number;
  readonly failed: number;
  /** Jobs that did not finish and that no process works on. */
  readonly unfinished: number;
  readonly since: string;
  readonly asOf: string;
  readonly jobs: readonly {
    readonly id: string;
    readonly uncertain: number;
    readonly failed: number;
    readonly unfinished: boolean;
  }[];
  readonly next: string;
}

export interface CertificatesFigure extends Evidence {
  readonly ending: number;
  readonly expired: number;
  readonly missing: number;
  /** Companies whose certificate is of the holder of another CNPJ. */
  readonly other: number;
  readonly withinDays: number;
  /** Without the companies whose certificate lasts longer. */
  readonly byCompany: readonly (OfCompany & Pick<CertificateState, 'state' | 'validUntil' | 'daysLeft'>)[];
}

/**
 * Families whose last sync failed, whose lists were last read to the end too long ago, or whose capture was switched off or not
 * clearly on: how many companies have one.
 */
export interface CaptureFigure extends Evidence {
  readonly failed: number;
  readonly behind: number;
  readonly inactive: number;
  readonly unclear: number;
  readonly behindAfterHours: number;
  readonly byCompany: readonly (OfCompany & {
    readonly family: InboundFamily;
    readonly state: 'failed' | 'behind' | 'inactive' | 'unclear';
    /** Of a failed sync: when, and why. */
    readonly failedAt?: string;
    readonly errorCode?: string;
    readonly error?: Text;
  })[];
}

/** Calls that this machine made and the service bills; its invoice decides. */
export interface UsageFigure {
  readonly billed: number;
  /** Sent without an answer: the service may have billed them. */
  readonly unknown: number;
  readonly since: string;
  readonly asOf: string;
  readonly next: string;
}
