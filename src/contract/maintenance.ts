/**
 * Cut-off, retained history and maintenance of the capture of NFS-e. The document names the operations of the history and
 * shows the fields of the summary (§2, §4); the other bodies are not shown anywhere: assumed.
 */

export interface StartFromDateInput {
  /** ISO 8601, UTC. */
  readonly startFromDate: string;
}

/** §2: the documents before the cut-off, which stay hidden until they are released. */
export interface BackfillSummary {
  readonly startFromDate?: string;
  readonly released: boolean;
  readonly hiddenDocumentsCount: number;
}

export interface BackfillReleaseInput {
  /** True releases the hidden documents, false takes them back. */
  readonly released: boolean;
}

/** 202 of a maintenance operation: the work goes on in the background. */
export interface MaintenanceAccepted {
  readonly message?: string;
  readonly companyId?: string;
}

/** A notice of the capture, the newest first. */
export interface CaptureNotification {
  readonly id: string;
  /** `RateLimited`, `CertificateMissing`, `CertificateExpired`, `CaptureReactivated`, `NsuReset`, `BackfillReleased`, `BackfillRevoked`, …: may grow. */
  readonly type: string;
  readonly message?: string;
  readonly createdOn?: string;
}

export interface CaptureNotifications {
  readonly companyId?: string;
  readonly notifications: readonly CaptureNotification[];
}

export interface CaptureStatistics {
  readonly companyId?: string;
  readonly totalDocuments?: number;
  readonly hiddenDocumentsCount?: number;
  /** The highest number that was captured; null where the service has none. */
  readonly lastNsu?: string | null;
  readonly lastCapturedOn?: string;
  readonly lastDocumentOn?: string;
}

export interface ResetNsuInput {
  /** Up to 15 digits; the capture begins again after it. */
  readonly nsu: string;
}
