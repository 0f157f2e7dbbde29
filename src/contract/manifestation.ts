/** The status of a manifestation event (§2, §3). The list may grow: readers keep unknown values. */
export const manifestationStatuses = ['Pending', 'Accepted', 'Rejected', 'Failed'] as const;
export type ManifestationStatus = (typeof manifestationStatuses)[number];

/** The body of the recipient's event (§2). Field names of `detail` other than `justification` are assumed. */
export interface NfeManifestationInput {
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The event as a read returns it. The service document shows some of the fields (§2); the rest is assumed. */
export interface NfeManifestation {
  readonly id: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly status: ManifestationStatus | (string & {});
  /** Protocol of the tax authority after the acceptance (assumed). */
  readonly protocol?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
}

/** Correlation fields of a 202 (§2: `AsyncAcceptedResource`). */
export interface AsyncAccepted {
  readonly documentId?: string;
  readonly companyId?: string;
}

/** The 202: the event in `Pending` (§4). */
export interface NfeManifestationAccepted extends NfeManifestation, AsyncAccepted {}

/** The body of the taker's event (§4): 203202 confirmation, 203206 rejection with a reason. */
export interface NfseManifestationInput {
  readonly eventCode: number;
  readonly reasonCode?: number;
  readonly justification?: string;
}

/** The taker's manifestation as a read returns it (§2 names it; the shape is public). */
export interface NfseManifestation {
  readonly id: string;
  readonly companyId?: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly reasonCode?: number;
  readonly justification?: string;
  readonly status: ManifestationStatus | (string & {});
  readonly createdAt?: string;
  readonly submittedAt?: string;
  readonly acceptedAt?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** The 202: the manifestation in `Pending` (§4). */
export interface NfseManifestationAccepted extends NfseManifestation, AsyncAccepted {}

export interface NfseManifestationList {
  readonly items: readonly NfseManifestation[];
}

/** The body of the replaced route, which reads the event from the query parameter `tpEvent` (assumed). */
export interface LegacyManifestationInput {
  readonly justification?: string;
}

/** The 200 of the replaced route where it is an object (assumed). It is published as a JSON string. */
export interface LegacyManifestation {
  readonly accessKey?: string;
  readonly eventCode?: number;
  readonly status?: string;
  readonly protocol?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}
