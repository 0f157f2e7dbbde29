/**
 * Cut-off, retained history and maintenance of the capture of NFS-e. The service document names the operations and
 * shows the fields of the summary (§2, §4); the other bodies are assumed.
 */

export interface StartFromDateInput {
  /** ISO 8601, UTC. */
  readonly startFromDate: string;
}

/** §2: the documents before the cut-off, which stay hidden until their release. */
export interface BackfillSummary {
  readonly startFromDate?: string;
  readonly released: boolean;
  readonly hiddenDocumentsCount: number;
}

export interface BackfillReleaseInput {
  /** True releases the hidden documents; false hides them again. */
  readonly released: boolean;
}

/** The 202 of a maintenance operation: the work continues in the background. */
export interface MaintenanceAccepted {
  readonly message?: string;
  readonly companyId?: string;
}

/** A notice of the capture. */
export interface CaptureNotification {
  readonly id: string;
  /**
   * One of `RateLimited`, `CertificateMissing`, `CertificateExpired`, `CaptureReactivated`, `NsuReset`,
   * `BackfillReleased`, `BackfillRevoked`; the list may grow.
   */
  readonly type: string;
  readonly message?: string;
  readonly createdOn?: string;
}

/** Paged by number, from 1 (public). */
export interface CaptureNotifications {
  readonly companyId?: string;
  readonly page?: number;
  readonly notifications: readonly CaptureNotification[];
}

export interface CaptureStatistics {
  readonly companyId?: string;
  readonly totalDocuments?: number;
  readonly hiddenDocumentsCount?: number;
  /** The highest captured NSU; null if the service has none. */
  readonly lastNsu?: string | null;
  readonly lastCapturedOn?: string;
  readonly lastDocumentOn?: string;
}

/** Where a capture on demand begins; without it, at the position of the capture (public). */
export interface FetchNowInput {
  readonly forcedStartNsu?: number;
}

export interface ResetNsuInput {
  /** Up to 15 digits; the capture restarts after it. */
  readonly nsu: string;
}
