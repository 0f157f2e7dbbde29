import type { InboundFamily } from '../../contract/inbound.js';
import type { CertificateState } from '../../services/company/certificate.js';
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
   * never_synced: no list was read · incomplete: no list was read to its end · not_captured: the service captures nothing for
   * it · not_synced_since: no list was read since the time of the figure · never_checked: its certificates were never listed
   */
  readonly reason: 'never_synced' | 'incomplete' | 'not_captured' | 'not_synced_since' | 'never_checked';
}

interface OfCompany extends CompanyLabel {
  readonly companyId: string;
  readonly asOf: string | null;
}

/** Manifestations whose last day is within these days, today included. */
export interface DueFigure extends Evidence {
  readonly terms: number;
  readonly withinDays: number;
  /** The day in Brasília. */
  readonly nextDeadline: string | null;
  /** Documents that lack what a term is computed from: theirs are not counted. */
  readonly unreadable: number;
  readonly byCompany: readonly (OfCompany & {
    readonly terms: number;
    readonly nextDeadline: string | null;
  })[];
}

/** Documents that a list first showed since then. */
export interface NewFigure extends Evidence {
  readonly documents: number;
  readonly since: string;
  readonly byCompany: readonly (OfCompany & { readonly documents: number })[];
}

/** Documents and events that are listed and whose files are missing. */
export interface OutstandingFigure extends Evidence {
  readonly files: number;
  readonly byCompany: readonly (OfCompany & { readonly files: number })[];
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
  readonly withinDays: number;
  /** Without the companies whose certificate lasts longer. */
  readonly byCompany: readonly (OfCompany & Pick<CertificateState, 'state' | 'validUntil' | 'daysLeft'>)[];
}

/** Families whose lists were last read to the end too long ago, or whose capture was switched off. */
export interface CaptureFigure extends Evidence {
  readonly behind: number;
  readonly inactive: number;
  readonly behindAfterHours: number;
  readonly byCompany: readonly (OfCompany & {
    readonly family: InboundFamily;
    readonly state: 'behind' | 'inactive';
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
