import type { InvoiceInput } from '../../contract/invoice.js';
import type { JobKind } from '../kind.js';
import { observeCreated, observeInvoice } from './invoice-answer.js';

/** What an item of `invoice` holds. */
export interface GeneralInvoiceItem {
  readonly invoice: InvoiceInput;
}

/**
 * The short way (§4). The `Idempotency-Key` of the item stands in its row before the send. Nothing lists these invoices and
 * no service promises to honour the key, so an unknown outcome is asked about (docs/decisions/0011).
 */
export const generalInvoice: JobKind<GeneralInvoiceItem, 'invoice.create', 'invoice.get'> = {
  name: 'invoice',
  submit: 'invoice.create',
  poll: 'invoice.get',
  replay: 'keyed',
  onceOnly: true,
  rejectedStays: true,
  billed: () => false,
  submitInput: ({ invoice }, item) => ({ path: {}, body: invoice, idempotencyKey: item.idempotencyKey }),
  pollInput: (_input, item) => ({ path: { id: item.resourceId ?? '' } }),
  observeSubmit: observeCreated,
  observePoll: (answer) => observeInvoice(answer.body),
};
