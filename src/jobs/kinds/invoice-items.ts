import type { MerchandiseInvoiceInput } from '../../contract/invoice.js';
import type { ServiceInvoiceInput } from '../../contract/invoice-service.js';

export type MerchandiseModel = 'nfe' | 'nfce';
export type InvoiceModel = MerchandiseModel | 'nfse';

/** The input of an `nfe-issue` or `nfce-issue` item. */
export interface MerchandiseItem {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  /** The state registration that issues it, where the user names one. */
  readonly stateTaxId?: string;
  /** Given by the user or generated; stored before the first send. */
  readonly externalId: string;
  /** As written, where the body that is sent does not hold it. */
  readonly environment?: string;
  /** The body that is sent: with the externalId only where the account takes it there. */
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

/** True when the body that is sent carries its externalId, so that the service can show it. */
export function sendsExternalId({ invoice, externalId }: IssueItem): boolean {
  return invoice.externalId === externalId;
}
