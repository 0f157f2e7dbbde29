/**
 * Inbound distribution: settings of a company and captured documents (§2). The service document shows some of the
 * fields; the others are public. Lists of values may grow: readers keep unknown values.
 */

/** The kinds of documents that the service captures. */
export type InboundFamily = 'nfe' | 'cte' | 'nfse';

/** As people write them, in both languages. */
export const familyNames: Readonly<Record<InboundFamily, string>> = { nfe: 'NF-e', cte: 'CT-e', nfse: 'NFS-e' };

export interface AutomaticManifesting {
  readonly minutesToOperationConfirmation?: number;
  readonly minutesToUnknownOperation?: number;
}

/** The body that enables the capture of NF-e. An update has the same fields except `startFrom…` (§2). */
export interface NfeInboundInput {
  readonly startFromNsu?: string;
  readonly startFromDate?: string;
  readonly environmentSEFAZ?: 'Production' | 'Test';
  readonly webhookVersion?: string;
  readonly webhookEvents?: readonly string[];
  readonly automaticManifesting?: AutomaticManifesting;
  readonly outboundEnabled?: boolean;
}

export interface CteInboundInput {
  readonly startFromNsu?: string;
  readonly startFromDate?: string;
  readonly environmentSEFAZ?: 'Production' | 'Test';
}

/** The fields of a settings answer of NF-e or CT-e besides those of the request (§2). */
export interface InboundState {
  readonly companyId: string;
  readonly status: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  /** Capture is spaced until then, because of a limit of the national environment or an unusable certificate (§2). */
  readonly rateLimitedUntil?: string;
}

export interface NfeInboundSettings extends NfeInboundInput, InboundState {}
export interface CteInboundSettings extends CteInboundInput, InboundState {}

export interface NfseInboundInput {
  readonly initialNsu?: string;
  readonly startFromDate?: string;
  readonly webhookUrl?: string;
  readonly isAutomaticManifestationEnabled?: boolean;
  /** 0 to 604800. */
  readonly automaticManifestationDelaySeconds?: number;
  readonly outboundEnabled?: boolean;
}

export interface NfseInboundRegistration extends NfseInboundInput {
  readonly companyId: string;
}

/** The settings of NFS-e under their published names; `startFromDate` and `outboundEnabled` are those of §2. */
export interface NfseInboundSettings extends Omit<NfseInboundInput, 'initialNsu'> {
  /** The company. */
  readonly id: string;
  readonly name?: string;
  readonly environment?: string;
  readonly isActive: boolean;
  readonly initialNsu?: number;
  /** The highest captured NSU, and the highest at the source. */
  readonly currentNsu?: number;
  readonly maxAvailableNsu?: number;
  /** Capture is spaced until then (§2). */
  readonly rateLimitedUntil?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** Paged by number, from 1. The service may leave all three uncounted (public). */
export interface NfseInboundCompanies {
  readonly totalResults: number | null;
  readonly totalPages: number | null;
  readonly page: number | null;
  readonly companies: readonly NfseInboundSettings[];
}

export interface InboundParty {
  readonly federalTaxNumber?: string;
  readonly name?: string;
}

/** The status of a captured document, and that of its webhook. The lists may grow: readers keep unknown values. */
export const documentStatuses = [
  'Received',
  'Processed',
  'Reprocessed',
  'PdfPending',
  'PdfFailed',
  'Pending',
  'Failed',
] as const;
export const webhookStatuses = ['Pending', 'Delivered', 'Retrying', 'DefinitivelyFailed', 'Skipped'] as const;

/** The fields of all captured documents. */
export interface InboundDocument {
  readonly accessKey: string;
  readonly companyId: string;
  readonly type?: string;
  readonly status?: string;
  readonly webhookStatus?: string;
  /** Up to 15 digits; null where the service has none (§2). */
  readonly nsu?: string | number | null;
  readonly issuedOn?: string;
  readonly authorizedOn?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly company?: InboundParty & { readonly id?: string };
  readonly issuer?: InboundParty;
  readonly links?: Readonly<Record<string, string>>;
}

/** `type`: `productInvoice`, or `productInvoiceSummary` while the recipient has not manifested. */
export interface NfeInboundDocument extends InboundDocument {
  readonly buyer?: InboundParty;
  readonly nfeNumber?: string;
  readonly nfeSerialNumber?: string;
  readonly totalInvoiceAmount?: string;
  readonly operationType?: string;
}

export interface CteInboundDocument extends InboundDocument {
  readonly taker?: InboundParty;
  readonly cteNumber?: string;
  readonly cteSerialNumber?: string;
  readonly totalInvoiceAmount?: string;
}

/** The names of the parties, of the amount and of the two times are public. */
export interface NfseInboundDocument extends InboundDocument {
  readonly id: string;
  readonly number?: string;
  readonly provider?: InboundParty;
  readonly borrower?: InboundParty;
  readonly intermediary?: InboundParty;
  readonly servicesAmount?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** Ids of the events of the note, which are read as documents (public). */
  readonly relatedEventIds?: readonly string[];
  /** Only for an event: its code, with and without the letter, its name, and of a substitution the note that takes the place. */
  readonly eventType?: string;
  readonly eventCode?: string;
  readonly substituteAccessKey?: string;
  readonly description?: string;
}

/** A page of an OData list (§1). The field names are assumed. */
export interface ODataPage<Item> {
  readonly value: readonly Item[];
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
}

/** The list of NFS-e by page number (public). Without `hasTotals=true` the totals are null. */
export interface NfseInboundPage {
  readonly totalResults?: number | null;
  readonly totalPages?: number | null;
  readonly page: number | null;
  readonly documents: readonly NfseInboundDocument[];
}

/** An event of a captured document. `eventKey` identifies it in the path of its XML. */
export interface InboundEvent {
  readonly eventKey: string;
  readonly accessKey: string;
  readonly companyId?: string;
  /** The code of the event, e.g. `110111`. */
  readonly type?: string;
  readonly description?: string;
  readonly sequence?: number;
  readonly protocol?: string;
  readonly nsu?: string | number | null;
  readonly issuedOn?: string;
  /** When the tax authority received it (public). */
  readonly receiptOn?: string;
  readonly createdOn?: string;
}

/** One of three ways to return bytes; the others are the bytes themselves and a redirect. */
export interface ByteAddress {
  readonly url?: string;
  readonly uri?: string;
  readonly publicTemporaryUri?: string;
}

/** The answer of an XML or PDF read. `undefined`: 202 or 204, no content (yet). */
export type BytesAnswer = Uint8Array | ByteAddress | undefined;

export interface FetchByKeyInput {
  readonly accessKey: string;
}

/** The 202 of a reprocess or of a resent webhook (§2: `AsyncAcceptedResource`). */
export interface InboundAccepted {
  readonly documentId?: string;
  readonly companyId?: string;
}

/** The settings that a caller may set, by family (§2 and public). */
export const inboundSettingNames: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: [
    'startFromNsu',
    'startFromDate',
    'environmentSEFAZ',
    'webhookVersion',
    'webhookEvents',
    'automaticManifesting',
    'outboundEnabled',
  ],
  cte: ['startFromNsu', 'startFromDate', 'environmentSEFAZ'],
  nfse: [
    'initialNsu',
    'startFromDate',
    'webhookUrl',
    'isAutomaticManifestationEnabled',
    'automaticManifestationDelaySeconds',
    'outboundEnabled',
  ],
};
