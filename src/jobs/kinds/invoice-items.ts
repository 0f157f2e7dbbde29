import type { MerchandiseInvoiceInput } from '../../contract/invoice.js';
import type { ServiceInvoiceInput } from '../../contract/invoice-service.js';

/** NF-e or NFC-e. */
export type MerchandiseModel = 'nfe' | 'nfce';
export type InvoiceModel = MerchandiseModel | 'nfse';

/** What an item of `nfe-issue` and `nfce-issue` holds. `invoice` carries the externalId as well. */
export interface MerchandiseItem {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  /** The user's own, or one that this program made; either way it stands here before the first send. */
  readonly externalId: string;
  readonly invoice: MerchandiseInvoiceInput;
}

/** What an item of `nfse-issue` holds. */
export interface ServiceItem {
  readonly model: 'nfse';
  readonly companyId: string;
  readonly externalId: string;
  readonly invoice: ServiceInvoiceInput;
}

export type IssueItem = MerchandiseItem | ServiceItem;
