import type { DecimalValue, InvoiceParty } from './invoice.js';

/** The status of a service invoice (public). The list may grow: readers keep unknown values. */
export const flowStatuses = [
  'WaitingCalculateTaxes',
  'WaitingDefineRpsNumber',
  'WaitingSend',
  'WaitingReturn',
  'WaitingDownload',
  'WaitingSendCancel',
  'Issued',
  'IssueFailed',
  'Cancelled',
  'CancelFailed',
] as const;
export type FlowStatus = (typeof flowStatuses)[number] | (string & {});

/**
 * The body of an NFS-e. The usual fields are public; other fields of the national or municipal layout pass unchanged.
 */
export interface ServiceInvoiceInput {
  /** The caller's id; the service answers 400 to a second NFS-e with the same id. */
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

/** An NFS-e as a read returns it (public). */
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

/** The list by page number, from 1 (public). */
export interface ServiceInvoicePage {
  readonly totalResults?: number;
  readonly totalPages?: number;
  readonly page: number;
  readonly serviceInvoices: readonly ServiceInvoice[];
}
