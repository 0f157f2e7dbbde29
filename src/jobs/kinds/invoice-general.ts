import type { InvoiceInput } from '../../contract/invoice.js';
import type { JobKind, LookupResult } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { observeCreated, observeInvoice } from './invoice-answer.js';

/** What an item of `invoice` holds. */
export interface GeneralInvoiceItem {
  readonly invoice: InvoiceInput;
  /** `--once`: an unknown outcome is asked about instead of repeated, for a service that may ignore the key. */
  readonly once: boolean;
}

/**
 * The short way (§4). Keyed: the `Idempotency-Key` of the item stands in its row before the send, and a send whose outcome
 * is unknown is made again with the same key, since there is no list in which it could be looked up
 * (docs/decisions/0011).
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
  // Nothing lists these invoices: the key is trusted, or a person is asked.
  lookup: (_client, { once }) => Promise.resolve(once ? unknown : 'cannot tell'),
};

const unknown: LookupResult = {
  state: 'uncertain',
  errorMessage: reasons.onceOnly.en,
};
