import type { InvoiceInput } from '../../contract/invoice.js';
import type { JobKind } from '../kind.js';
import { observeCreated, observeInvoice } from './invoice-answer.js';

/** The input of an `invoice` item. */
export interface GeneralInvoiceItem {
  readonly invoice: InvoiceInput;
}

/**
 * The general endpoint (§4). The item's `Idempotency-Key` is stored before sending. No endpoint lists these invoices
 * and the service does not promise to honour the key, so an unknown outcome is left to a person (docs/decisions/0011).
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
