import type { DecimalValue, InvoiceParty } from './invoice.js';

/** Where a service invoice stands (public). Lists of values may grow: a reader keeps what it does not know. */
export type FlowStatus =
  | 'WaitingCalculateTaxes'
  | 'WaitingDefineRpsNumber'
  | 'WaitingSend'
  | 'WaitingReturn'
  | 'WaitingDownload'
  | 'WaitingSendCancel'
  | 'Issued'
  | 'IssueFailed'
  | 'Cancelled'
  | 'CancelFailed'
  | (string & {});

/** Body of an NFS-e. Fields public, the most usual named; any other of the national or municipal layout passes through. */
export interface ServiceInvoiceInput {
  /** The caller's own id; a second one with the same id answers 400. */
  readonly externalId?: string;
  readonly rpsSerialNumber?: string;
  readonly rpsNumber?: number;
  readonly cityServiceCode?: string;
  readonly federalServiceCode?: string;
  readonly cnaeCode?: string;
  readonly nbsCode?: string;
  readonly description: string;
  readonly servicesAmount: DecimalValue;
  readonly borrower?: InvoiceParty;
  readonly [field: string]: unknown;
}

/** An NFS-e as it is read (public). */
export interface ServiceInvoice {
  readonly id: string;
  readonly externalId?: string;
  readonly flowStatus: FlowStatus;
  readonly flowMessage?: string;
  readonly status?: string;
  readonly environment?: string;
  readonly number?: number;
  /** The key of the national layout (assumed). */
  readonly accessKey?: string;
  readonly checkCode?: string;
  readonly rpsSerialNumber?: string;
  readonly rpsNumber?: number;
  readonly issuedOn?: string;
  readonly cancelledOn?: string;
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

/** List by page number, from 1 (public). */
export interface ServiceInvoicePage {
  readonly totalResults?: number;
  readonly totalPages?: number;
  readonly page: number;
  readonly serviceInvoices: readonly ServiceInvoice[];
}
