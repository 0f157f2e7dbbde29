import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { CertificateState } from '../../services/company/certificate.js';
import type { TermCounts } from '../../services/documents/terms.js';
import type { CompanyLabel } from '../../services/scope/scope.js';

/** One company as `status --check` found it. Every field is present; `null`: unknown, or absent. */
export interface CompanyCheck extends CompanyLabel {
  readonly type: 'company';
  readonly companyId: string;
  /** The worst level of its problems. */
  readonly state: 'ok' | 'warning' | 'critical';
  readonly nfe: FamilyState;
  readonly cte: FamilyState;
  readonly nfse: FamilyState;
  readonly backfill: BackfillState;
  readonly certificate: CertificateState;
  /** As `manifestation due` counts them; null where no sync has read the lists, so that a count would say nothing. */
  readonly manifestations: TermsOfCompany;
  readonly problems: readonly Problem[];
}

/** Times are UTC, ISO 8601. */
export interface FamilyState {
  /** unclear: the settings do not say whether it is on · unknown: it could not be read. */
  readonly capture: 'on' | 'unclear' | 'off' | 'inactive' | 'unknown';
  /** The environment of the tax authority; null also when the settings name none. */
  readonly environment: string | null;
  /** The cut-off. */
  readonly startFromDate: string | null;
  /** Only while it is in the future. */
  readonly rateLimitedUntil: string | null;
  readonly rateLimitedCause: SpacingCause | null;
  /** When the newest document that was read was captured. */
  readonly lastDocumentOn: string | null;
  /** False: the list did not come newest first, so there may be newer documents. */
  readonly lastDocumentIsNewest: boolean | null;
  /** Whole days since then; without any document, since the capture was enabled. */
  readonly idleDays: number | null;
}

export type SpacingCause = 'certificate_missing' | 'certificate_expired' | 'source_limit' | 'unknown';

export type TermsOfCompany = { readonly [Name in keyof TermCounts]: TermCounts[Name] | null };

/** The history of NFS-e before the cut-off. */
export interface BackfillState {
  readonly released: boolean | null;
  readonly hiddenDocumentsCount: number | null;
}

export type ProblemCode =
  | 'capture_off'
  /** The settings do not say whether the capture is on. */
  | 'capture_unclear'
  /** The capture is of another environment than production. */
  | 'other_environment'
  | 'idle'
  /** There is no time from which the idle days count. */
  | 'idle_unknown'
  | 'spaced'
  | 'certificate_missing'
  | 'certificate_expired'
  | 'certificate_expiring'
  /** The certificate is of the holder of another CNPJ. */
  | 'certificate_other'
  /** The certificate names no day until which it is valid. */
  | 'certificate_unknown'
  | 'hidden_documents'
  | 'hidden_unknown'
  | 'deadline_near'
  | 'deadline_overdue'
  | 'deadline_unknown'
  /** Documents lack what a term is computed from. */
  | 'deadline_unreadable'
  /** No sync has read the lists that the terms come from to their end in the last 24 hours. */
  | 'deadline_unsynced'
  | 'forbidden'
  | 'not_found'
  | 'unreachable'
  /** A response of another shape, or a truncated list. */
  | 'unreadable'
  | 'other_company';

export interface Problem {
  readonly code: ProblemCode;
  /** info: worth knowing, but no alert. */
  readonly level: 'critical' | 'warning' | 'info';
  readonly family: InboundFamily | null;
  readonly message: Text;
  /** The next command to type. */
  readonly next: string;
}

export const unknownFamily: FamilyState = {
  capture: 'unknown',
  environment: null,
  startFromDate: null,
  rateLimitedUntil: null,
  rateLimitedCause: null,
  lastDocumentOn: null,
  lastDocumentIsNewest: null,
  idleDays: null,
};
