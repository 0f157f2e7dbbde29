/**
 * Inbound distribution: settings of a company and captured documents (§2). The document shows part of the fields; the
 * others are public. Lists of values may grow: a reader keeps what it does not know.
 */

/** The kinds of documents that can be captured. */
export type InboundFamily = 'nfe' | 'cte' | 'nfse';

export interface AutomaticManifesting {
  readonly minutesToOperationConfirmation?: number;
  readonly minutesToUnknownOperation?: number;
}

/** What enabling the capture of NF-e sends; an update sends the same without the two `startFrom…` (§2). */
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

/** What every answer about settings carries beside what was sent. */
export interface InboundState {
  readonly companyId: string;
  readonly status: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  /** Until then capture is spaced: a limit of the national environment, or a certificate that cannot be used (§2). */
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

export interface NfseInboundSettings extends NfseInboundInput, InboundState {
  readonly isActive?: boolean;
}

/** Paging by number, from 1. */
export interface NfseInboundCompanies {
  readonly totalResults: number;
  readonly totalPages: number;
  readonly page: number;
  readonly companies: readonly NfseInboundSettings[];
}

export interface InboundParty {
  readonly federalTaxNumber?: string;
  readonly name?: string;
}

/** What documents of all families carry. */
export interface InboundDocument {
  readonly accessKey: string;
  readonly companyId: string;
  readonly type?: string;
  /** `Received`, `Processed`, `Reprocessed`, `PdfPending`, `PdfFailed`, `Failed`. */
  readonly status?: string;
  /** `Pending`, `Delivered`, `Retrying`, `DefinitivelyFailed`, `Skipped`. */
  readonly webhookStatus?: string;
  /** Up to 15 digits; null where the service has none (§2). */
  readonly nsu?: string | null;
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

export interface NfseInboundDocument extends InboundDocument {
  readonly id: string;
  readonly number?: string;
  readonly taker?: InboundParty;
  readonly intermediary?: InboundParty;
  readonly totalAmount?: string;
  /** Ids of the events of the note, which are read like documents (public). */
  readonly relatedEventIds?: readonly string[];
  /** Of an event: its code and what it is called. */
  readonly eventCode?: string;
  readonly description?: string;
}

/** OData (assumed in its names; §1 says that captured documents are listed by it). */
export interface ODataPage<Item> {
  readonly value: readonly Item[];
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
}

/** The list of NFS-e by page number (public). The totals come with `hasTotals=true`. */
export interface NfseInboundPage {
  readonly totalResults?: number;
  readonly totalPages?: number;
  readonly page: number;
  readonly documents: readonly NfseInboundDocument[];
}

/** An event of a captured document. `eventKey` names it in the path of its XML. */
export interface InboundEvent {
  readonly eventKey: string;
  readonly accessKey: string;
  readonly companyId?: string;
  /** The code of the event, e.g. `110111`. */
  readonly type?: string;
  readonly description?: string;
  readonly sequence?: number;
  readonly protocol?: string;
  readonly nsu?: string | null;
  readonly issuedOn?: string;
  readonly createdOn?: string;
}

/** One of the three ways in which bytes may come; the others are the bytes themselves and a redirect. */
export interface ByteAddress {
  readonly url?: string;
  readonly uri?: string;
  readonly publicTemporaryUri?: string;
}

/** What an XML or PDF read answers. `undefined`: 202 or 204, nothing (yet). */
export type BytesAnswer = Uint8Array | ByteAddress | undefined;

export interface FetchByKeyInput {
  readonly accessKey: string;
}

/** 202 of a reprocess or of a webhook sent again (§2: `AsyncAcceptedResource`). */
export interface InboundAccepted {
  readonly documentId?: string;
  readonly companyId?: string;
}

/** The settings of an inbound registration that a caller may give, by family (§2 and public). */
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
