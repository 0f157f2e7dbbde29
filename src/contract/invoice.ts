/** A decimal with a point, as it was written: text, or a number of JSON (§1, convention 3). */
export type DecimalValue = string | number;

/** Body of the short way (§4): only these names are in the document. */
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

/** Success of the short way: an object with `id` (§4); the rest is assumed. */
export interface Invoice {
  readonly id: string;
  readonly status?: string;
  readonly [field: string]: unknown;
}

/** Where a product or consumer invoice is issued to (public). */
export type InvoiceEnvironment = 'Production' | 'Test';

/** Status of an NF-e or an NFC-e (public). Lists of values may grow: a reader keeps what it does not know. */
export type MerchandiseStatus =
  | 'Created'
  | 'Processing'
  | 'Issued'
  | 'IssueDenied'
  | 'Error'
  | 'Cancelled'
  | 'Disabled'
  | (string & {});

/** Body of an NF-e or an NFC-e. Fields public, the most usual named; any other of the layout passes through. */
export interface MerchandiseInvoiceInput {
  /** The caller's own id. Not unique for the service: it finds the invoice again, and refuses nothing. */
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
  /** Up to ten decimals, as the layout has it. */
  readonly unitAmount: DecimalValue;
  /** Two decimals. */
  readonly totalAmount?: DecimalValue;
  readonly tax?: object;
  /** Lets the tax engine calculate the item, which is billed (§1). */
  readonly taxDetermination?: object;
  readonly [field: string]: unknown;
}

/** Buyer, or taker of a service. */
export interface InvoiceParty {
  readonly name?: string;
  /** CPF or CNPJ: text, or the number that some deployments show. */
  readonly federalTaxNumber?: string | number;
  readonly email?: string;
  readonly address?: object;
  readonly [field: string]: unknown;
}

/** An NF-e or an NFC-e as it is read (public). */
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

/** List by cursor (public). The name of the list is that of the family. */
export interface ProductInvoiceList {
  readonly productInvoices: readonly MerchandiseInvoice[];
  readonly hasMore: boolean;
}

export interface ConsumerInvoiceList {
  readonly consumerInvoices: readonly MerchandiseInvoice[];
  readonly hasMore: boolean;
}

/** An event of an issued invoice: its cancellation, a correction (public). */
export interface IssuedEvent {
  readonly type: string;
  readonly sequence: number;
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

/** Answer of a cancellation and of a correction: what was taken in (public). */
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

/** Disables the numbers of a serie, both ends with them (public). */
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

/** Success of a disablement (public; the protocol assumed). */
export interface Disablement extends DisablementInput {
  readonly status?: string;
  readonly protocol?: string;
}
