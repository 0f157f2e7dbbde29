import type { InboundFamily } from '../../contract/inbound.js';
import type { ManifestationStatus } from '../../contract/manifestation.js';
import type { ProductStatus } from '../../contract/product.js';
import type { invoiceKinds } from '../../contract/sandbox.js';

/*
 * What the table of resources holds, as JSON. Times are milliseconds since the epoch; fields without a value are null.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** The families of documents that a company can capture. */
export const families = ['nfe', 'cte', 'nfse'] as const satisfies readonly InboundFamily[];
export type Family = InboundFamily;

/** A company as the rest of the service knows it. */
export interface KnownCompany {
  readonly id: string;
  readonly name: string;
  /** CNPJ of 14 characters. */
  readonly federalTaxNumber: string;
  readonly status: string;
}

/** Times of 0 are unknown. */
export interface StoredCompany extends KnownCompany {
  readonly tenantId: string;
  /** Trade name, tax regime, address and the other fields of the request. */
  readonly details: Fields;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

export type RegistrationKind = 'state' | 'municipal';

/** A tax registration of a company. */
export interface StoredRegistration {
  readonly id: string;
  readonly companyId: string;
  readonly kind: RegistrationKind;
  /** The body as sent, without its wrapper. */
  readonly content: Fields;
  /** Who authorises the invoices of a state registration; no read shows it (published). */
  readonly authorizer: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** The certificate of a company. */
export interface StoredCertificate {
  readonly companyId: string;
  /** SHA-1, 40 hexadecimal digits. */
  readonly thumbprint: string;
  readonly subject: string;
  readonly validUntil: number;
  /** `removed`: the company has no certificate. */
  readonly standing: 'installed' | 'pending' | 'inactive' | 'removed';
}

/** The registration of a company for the capture of a family. */
export interface StoredCapture {
  readonly companyId: string;
  readonly family: Family;
  /** An inactive one captures nothing. */
  readonly isActive: boolean;
  /** The settings as sent. */
  readonly given: Fields;
  readonly createdOn: number;
  readonly modifiedOn: number;
  /** §2: capture is spaced until then; the company stays active. */
  readonly spacedUntil: number | null;
  /** The NSU after which the capture continues; 0 unless it was reset. */
  readonly fromNsu: number;
  /** The last request for the history, and its time; 0: never. */
  readonly isReleased: boolean;
  readonly askedAt: number;
  /** The number of the request: a sweep of an older request stops. */
  readonly sweep: number;
  /** The last sweep that is complete. */
  readonly swept: number;
}

export type NoticeType =
  | 'RateLimited'
  | 'CertificateMissing'
  | 'CertificateExpired'
  | 'CaptureReactivated'
  | 'NsuReset'
  | 'CutOffChanged'
  | 'BackfillReleased'
  | 'BackfillRevoked'
  | 'BackfillReplaced';

/** A notice about the capture of a company. */
export interface Notice {
  readonly companyId: string;
  readonly family: Family;
  readonly type: NoticeType;
  readonly message: string;
  readonly at: number;
}

export interface StoredProduct {
  readonly id: string;
  readonly tenantId: string;
  /** In canonical names. */
  readonly content: Fields;
  readonly status: ProductStatus;
  readonly errorMessage: string | null;
  /** Increases with every change of content or restart of the validation, so that outdated work is recognised. */
  readonly revision: number;
}

/** A webhook of an account. */
export interface StoredWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly uri: string;
  /** Null: deliveries are not signed. */
  readonly secret: string | null;
  readonly status: string;
  readonly filters: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly insecureSsl: boolean;
  readonly properties: Fields;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** The result of sending an event to the authority. */
export interface EventResult {
  readonly status: Exclude<ManifestationStatus, 'Pending'>;
  readonly protocol: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** An event of a recipient (§2, §3). */
export interface StoredNfeEvent extends Omit<EventResult, 'status'> {
  readonly id: string;
  readonly tenantId: string;
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  readonly detail: Fields;
  readonly status: ManifestationStatus;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** A manifestation of a taker. */
export interface StoredNfseManifestation {
  readonly id: string;
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly reasonCode: number | null;
  readonly justification: string | null;
  readonly status: ManifestationStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly submittedAt: number | null;
  readonly acceptedAt: number | null;
}

/** The identity of an event at the authority. */
export interface EventName {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  /** CNPJ of the sender. */
  readonly author: string;
}

/** An event registered by the tax authority, from any sender. */
export interface Registration extends EventName {
  readonly protocol: string;
  readonly cancelled: boolean;
}

/** An event that the issuer of an invoice requested after the issue. */
export interface StoredIssuedEvent extends Omit<EventResult, 'status'> {
  readonly invoiceId: string;
  /** Position among all events of the invoice, from 1. */
  readonly ordinal: number;
  readonly type: 'Cancellation' | 'CorrectionLetter';
  /** Sequence among the events of its type that the authority may register, from 1. */
  readonly sequence: number;
  readonly reason: string | null;
  readonly status: 'Pending' | 'Accepted' | 'Rejected';
  readonly createdAt: number;
}

/** `general`: the short form of the service document, which names no model (§4). */
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Each model, environment and serie of a company has its own numbers. */
export interface NumberSpace {
  readonly companyId: string;
  readonly kind: InvoiceKind;
  readonly environment: string;
  readonly serie: number;
}

/** Numbers that are never issued. */
export interface StoredDisablement extends NumberSpace {
  readonly beginNumber: number;
  readonly lastNumber: number;
  readonly protocol: string;
}

/** A creation by `Idempotency-Key` (§4 names the header; the result of a repeat is assumed). */
export interface KnownCreation {
  readonly tenantId: string;
  readonly key: string;
  /** Digest of the body. */
  readonly digest: string;
  readonly invoiceId: string;
}
