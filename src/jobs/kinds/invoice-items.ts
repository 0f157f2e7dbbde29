import type { MerchandiseInvoiceInput } from '../../contract/invoice.js';
import type { ServiceInvoiceInput } from '../../contract/invoice-service.js';

export type MerchandiseModel = 'nfe' | 'nfce';
export type InvoiceModel = MerchandiseModel | 'nfse';

/** The input of an `nfe-issue` or `nfce-issue` item. `invoice` carries the externalId as well. */
export interface MerchandiseItem {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  /** Given by the user or generated; stored before the first send. */
  readonly externalId: string;
  readonly invoice: MerchandiseInvoiceInput;
}

/** The input of an `nfse-issue` item. */
export interface ServiceItem {
  readonly model: 'nfse';
  readonly companyId: string;
  readonly externalId: string;
  readonly invoice: ServiceInvoiceInput;
}

export type IssueItem = MerchandiseItem | ServiceItem;
