/**
 * Cut-off, retained history and maintenance of the capture of NFS-e. The service document names the operations and
 * shows the fields of the summary (§2, §4); notices, statistics and the capture on demand are public, and the rest is
 * assumed.
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

/** A notice of the capture (public). */
export interface CaptureNotification {
  readonly id: string;
  readonly companyId?: string;
  /**
   * One of `RateLimited`, `CertificateMissing`, `CertificateExpired`, `CaptureReactivated`, `NsuReset`,
   * `BackfillReleased`, `BackfillRevoked` (assumed); the list may grow.
   */
  readonly type: string;
  /** `Info`, `Warning`, `Critical`. */
  readonly severity?: string;
  readonly title?: string;
  readonly description?: string;
  readonly documentId?: string | null;
  readonly nsu?: number | null;
  readonly createdAt?: string;
}

/** Paged by number, from 1 (public). */
export interface CaptureNotifications {
  readonly totalResults?: number | null;
  readonly totalPages?: number | null;
  readonly page?: number | null;
  readonly notifications: readonly CaptureNotification[];
}

/** The names are public. `id` is that of the company. */
export interface CaptureStatistics {
  readonly id?: string;
  readonly accountId?: string;
  readonly name?: string;
  readonly isActive?: boolean;
  /** The highest captured NSU. */
  readonly currentNsu?: number;
  /** The highest NSU at the source. */
  readonly maxAvailableNsu?: number;
  readonly lastExecutedAt?: string | null;
  readonly rateLimitedUntil?: string | null;
  /** Hidden documents are included (assumed). */
  readonly documentsTotal?: number;
  readonly documentsProcessed?: number;
  readonly documentsFailed?: number;
  readonly documentsPdfPending?: number;
  readonly webhooksDelivered?: number;
  readonly webhooksFailed?: number;
}

/** Where a capture on demand begins; without it, at the position of the capture (public). */
export interface FetchNowInput {
  readonly forcedStartNsu?: number;
}

export interface ResetNsuInput {
  /** Up to 15 digits; the capture restarts after it. */
  readonly nsu: string;
}
