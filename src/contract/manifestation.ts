/** Where an event of a manifestation stands (§2, §3). Lists of values may grow: a reader keeps what it does not know. */
export type ManifestationStatus = 'Pending' | 'Accepted' | 'Rejected' | 'Failed';

/** Body of the recipient's event (§2). Names inside `detail` beyond `justification` are assumed. */
export interface NfeManifestationInput {
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The event as it is read; the document shows only part of the fields (§2), the rest is assumed. */
export interface NfeManifestation {
  readonly id: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly status: ManifestationStatus | (string & {});
  /** Protocol of the tax authority once it is accepted (assumed). */
  readonly protocol?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
}

/** What the body of a 202 carries beside the resource, for correlation (§2: `AsyncAcceptedResource`). */
export interface AsyncAccepted {
  readonly documentId?: string;
  readonly companyId?: string;
}

/** 202: the event in `Pending` (§4). */
export interface NfeManifestationAccepted extends NfeManifestation, AsyncAccepted {}

/** Body of the taker's event (§4): 203202 confirmation, 203206 rejection with a reason. */
export interface NfseManifestationInput {
  readonly eventCode: number;
  readonly reasonCode?: number;
  readonly justification?: string;
}

/** The taker's manifestation as it is read (§2 names it; the shape is public). */
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

/** 202: the manifestation in `Pending` (§4). */
export interface NfseManifestationAccepted extends NfseManifestation, AsyncAccepted {}

export interface NfseManifestationList {
  readonly items: readonly NfseManifestation[];
}

/** Body of the replaced route, which takes the event from the query (`tpEvent`); assumed. */
export interface LegacyManifestationInput {
  readonly justification?: string;
}

/** 200 of the replaced route (public; the outcome in it is assumed). */
export interface LegacyManifestation {
  readonly accessKey?: string;
  readonly eventCode?: number;
  readonly status?: string;
  readonly protocol?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}
