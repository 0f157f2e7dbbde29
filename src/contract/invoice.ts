/** A decimal with a point, as written: text or a JSON number (§1, convention 3). */
export type DecimalValue = string | number;

/** The body of the short form (§4): the service document shows only these names. */
export interface InvoiceInput {
  readonly cliente: { readonly cpf?: string; readonly nome?: string; readonly [field: string]: unknown };
  readonly itens: readonly InvoiceItem[];
  readonly [field: string]: unknown;
}

export interface InvoiceItem {
  readonly descricao: string;
  readonly quantidade: DecimalValue;
  readonly valorUnitario: DecimalValue;
  readonly [field: string]: unknown;
}

/** The success of the short form: an object with `id` (§4); the rest is assumed. */
export interface Invoice {
  readonly id: string;
  readonly status?: string;
  readonly [field: string]: unknown;
}

/** The environment of a product or consumer invoice (public). */
export type InvoiceEnvironment = 'Production' | 'Test';

/** The status of an NF-e or NFC-e (public). The list may grow: readers keep unknown values. */
export const merchandiseStatuses = [
  'Created',
  'Processing',
  'Issued',
  'IssuedContingency',
  'IssueDenied',
  'Error',
  'Cancelled',
  'Disabled',
] as const;
export type MerchandiseStatus = (typeof merchandiseStatuses)[number] | (string & {});

/** The body of an NF-e or NFC-e. The usual fields are public; other fields of the layout pass unchanged. */
export interface MerchandiseInvoiceInput {
  /** The caller's id. The service finds the invoice by it, but accepts duplicates. */
  readonly externalId?: string;
  readonly serie?: number;
  readonly number?: number;
  readonly operationNature?: string;
  readonly operationType?: string;
  readonly consumerType?: string;
  readonly presenceType?: string;
  readonly environment?: InvoiceEnvironment | (string & {});
  readonly buyer?: InvoiceParty;
  readonly items: readonly MerchandiseItem[];
  readonly payment?: readonly object[];
  readonly [field: string]: unknown;
}

export interface MerchandiseItem {
  readonly code?: string;
  readonly description: string;
  readonly ncm?: string;
  readonly cfop?: number | string;
  readonly unit?: string;
  readonly quantity: DecimalValue;
  /** Up to ten decimals, as in the layout. */
  readonly unitAmount: DecimalValue;
  /** Two decimals. */
  readonly totalAmount?: DecimalValue;
  readonly tax?: object;
  /** Makes the tax engine calculate the item, which is billed (§1). */
  readonly taxDetermination?: object;
  readonly [field: string]: unknown;
}

/** Buyer, or taker of a service. */
export interface InvoiceParty {
  readonly name?: string;
  /** CPF or CNPJ: text, or a number as some deployments show it. */
  readonly federalTaxNumber?: string | number;
  readonly email?: string;
  readonly address?: object;
  readonly [field: string]: unknown;
}

/** An NF-e or NFC-e as a read returns it (public). */
export interface MerchandiseInvoice {
  readonly id: string;
  readonly externalId?: string;
  readonly status: MerchandiseStatus;
  readonly environment?: string;
  readonly serie?: number;
  readonly number?: number;
  readonly authorization?: InvoiceAuthorization;
  /** Why the authority refused it. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

export interface InvoiceAuthorization {
  readonly accessKey?: string;
  readonly protocol?: string;
  readonly receiptOn?: string;
  readonly message?: string;
}

/** The list by cursor (public). The name of the field depends on the family. */
export interface ProductInvoiceList {
  readonly productInvoices: readonly MerchandiseInvoice[];
  readonly hasMore: boolean;
}

export interface ConsumerInvoiceList {
  readonly consumerInvoices: readonly MerchandiseInvoice[];
  readonly hasMore: boolean;
}

/** An event of an issued invoice, e.g. a cancellation or a correction (public). */
export interface IssuedEvent {
  readonly type: string;
  readonly sequence: number;
  readonly data: IssuedEventData;
}

/** What an event says besides its type. Published without its fields, so they are assumed. */
export interface IssuedEventData {
  readonly description?: string;
  readonly status?: string;
  readonly protocol?: string;
  readonly reason?: string;
  readonly createdOn?: string;
}

export interface IssuedEvents {
  readonly id?: string;
  readonly companyId?: string;
  readonly events: readonly IssuedEvent[];
  readonly hasMore?: boolean;
}

/** The answer of a cancellation or a correction: what the service accepted (public). */
export interface InvoiceChangeAccepted {
  readonly companyId?: string;
  readonly productInvoiceId?: string;
  readonly consumerInvoiceId?: string;
  readonly reason?: string;
  /** Of a correction letter, from 1 to 20. */
  readonly sequence?: number;
}

export interface CorrectionInput {
  /** 15 to 1,000 characters. */
  readonly reason: string;
}

/** Disables the numbers of a serie, both ends included (public). */
export interface DisablementInput {
  readonly environment: InvoiceEnvironment | (string & {});
  readonly serie: number;
  /** The state of the issuer, e.g. `SP`. */
  readonly state: string;
  readonly beginNumber: number;
  readonly lastNumber: number;
  /** 15 to 255 characters. */
  readonly reason: string;
}

/** The success of a disablement (public; the protocol is assumed). */
export interface Disablement extends DisablementInput {
  readonly status?: string;
  readonly protocol?: string;
}
