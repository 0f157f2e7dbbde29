import type { Core } from '../core/core.js';
import type { InvoiceKind, StoredInvoice } from '../invoice/invoices.js';
import { showGeneral, showMerchandise, showService } from '../invoice/show-invoice.js';
import { announce } from './announce.js';
import { companyAddressOf } from './targets.js';
import type { EventName, InvoiceEnding } from './event-types.js';

/** §6: product webhooks, at the end of a validation. */
export function announceProduct(core: Core, id: string, at: number): void {
  const product = core.products.get(id);
  if (product?.status !== 'Active' && product?.status !== 'Error') return;
  const { tenantId, status, errorMessage, content } = product;
  const event: EventName = status === 'Active' ? 'product.active' : 'product.error';
  const { sku } = content;
  const payload = { id, tenantId, sku, status, ...(errorMessage === null ? {} : { errorMessage }) };
  announce(core, { tenantId, event, resource: id, payload, at });
}

const manifestationEvents = {
  Accepted: 'service_invoice_manifestation.accepted',
  Rejected: 'service_invoice_manifestation.rejected',
  Failed: 'service_invoice_manifestation.failed',
} as const satisfies Readonly<Record<string, EventName>>;

/** §6: the transition of a manifestation of NFS-e. Those of NF-e have no webhook. */
export function announceManifestation(core: Core, id: string, at: number): void {
  const manifestation = core.nfseManifestations.get(id);
  if (manifestation === undefined || manifestation.status === 'Pending') return;
  const { companyId, accessKey, eventCode, reasonCode, status, errorCode, errorMessage } = manifestation;
  const payload = {
    ...{ id, companyId, accessKey, eventCode, status },
    ...(reasonCode === null ? {} : { reasonCode }),
    ...(errorCode === null ? {} : { errorCode }),
    ...(errorMessage === null ? {} : { errorMessage }),
  };
  announce(core, {
    tenantId: core.account.tenantId,
    event: manifestationEvents[status],
    companyAddress: companyAddressOf(core, companyId),
    resource: id,
    payload,
    at,
  });
}

const invoiceResources = {
  general: 'invoice',
  nfe: 'product_invoice',
  nfce: 'consumer_invoice',
  nfse: 'service_invoice',
} as const satisfies Readonly<Record<InvoiceKind, string>>;

/** §6: authorization and cancellation of issued invoices. */
export function announceInvoice(
  core: Core,
  id: string,
  { ending, at }: { readonly ending: InvoiceEnding; readonly at: number },
): void {
  const invoice = core.invoices.get(id);
  if (invoice === undefined) return;
  const { tenantId, companyId, kind } = invoice;
  const event: EventName = `${invoiceResources[kind]}.${ending}`;
  announce(core, { tenantId, event, resource: id, payload: { companyId, ...shown(invoice) }, at });
}

function shown(invoice: StoredInvoice): object {
  if (invoice.kind === 'general') return showGeneral(invoice);
  return invoice.kind === 'nfse' ? showService(invoice) : showMerchandise(invoice);
}
