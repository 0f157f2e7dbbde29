import type { WebhookEventType } from '../../contract/webhook.js';

const invoices = [
  ['invoice', 'invoice'],
  ['product_invoice', 'NF-e'],
  ['consumer_invoice', 'NFC-e'],
  ['service_invoice', 'NFS-e'],
] as const;
type InvoiceResource = (typeof invoices)[number][0];

const endings = [
  ['issued_successfully', 'was issued'],
  ['issued_error', 'was not issued'],
  ['cancelled_successfully', 'was cancelled'],
  ['cancelled_error', 'was not cancelled'],
] as const;
export type InvoiceEnding = (typeof endings)[number][0];

const others = [
  ['product.active', 'The tax rules of a product are valid.'],
  ['product.error', 'The tax rules of a product are not valid.'],
  ['product_invoice_inbound.received', 'An NF-e was captured.'],
  ['transportation_invoice_inbound.received', 'A CT-e was captured.'],
  ['service_invoice_inbound.received', 'An NFS-e was captured.'],
  ['service_invoice_manifestation.accepted', 'The manifestation of an NFS-e was accepted.'],
  ['service_invoice_manifestation.rejected', 'The manifestation of an NFS-e was rejected.'],
  ['service_invoice_manifestation.failed', 'The manifestation of an NFS-e could not be sent.'],
] as const;

/** `ping` is sent to one webhook, whatever its filters are. */
export type EventName = `${InvoiceResource}.${InvoiceEnding}` | (typeof others)[number][0] | 'ping';

/** The events that the sandbox emits (names assumed, after those published by services of this kind). */
export const eventTypes: readonly WebhookEventType[] = [
  ...invoices.flatMap(([resource, name]) =>
    endings.map(([ending, what]) => ({ id: `${resource}.${ending}`, description: `An ${name} ${what}.` })),
  ),
  ...others.map(([id, description]) => ({ id, description })),
];

/** True when one of the filters names the event; `*` stands for any part of a name, and no filter for all events. */
export function isWanted(filters: readonly string[], event: string): boolean {
  return filters.length === 0 || filters.some((filter) => matches(filter, event));
}

/** Walks along both, so that no filter can make it slow. */
export function matches(filter: string, event: string): boolean {
  const [first = '', ...rest] = filter.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return filter.toLowerCase() === event;
  if (!event.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = event.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return event.endsWith(last) && event.length - last.length >= at;
}
