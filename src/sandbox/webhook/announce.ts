import type { WebhookEventType } from '../../contract/webhook.js';
import { onlySet } from '../core/exact-json.js';
import type { StoredDeliveryFault } from '../core/rules.js';
import type { Family, InvoiceKind } from '../core/records.js';
import type { WebhookDelivery } from '../../contract/webhook.js';
import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { holderOf, showNote } from '../inbound/show.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { showGeneral, showMerchandise, showService } from '../invoice/show-invoice.js';
import type { DocumentDeliveries, NewDelivery } from './deliveries.js';

interface Announcement extends Subject {
  /** Id of the resource of the event. */
  readonly resource: string;
  readonly payload: object;
  /** Milliseconds since the epoch, by the service's clock. */
  readonly at: number;
  readonly documentId?: string;
}

const usualDelaysMs = { late: 60_000, reordered: 2_000 } as const;

/** Stores one delivery per target that subscribes to the event. Returns their number. Requires a transaction. */
export function announce(core: Core, announcement: Announcement): number {
  const targets = targetsOf(core, announcement);
  for (const target of targets) deliverTo(core, target, announcement);
  return targets.length;
}

/** Stores one delivery to one target, and those that its faults add. */
export function deliverTo(core: Core, target: Target, announcement: Announcement): void {
  const { event, resource, payload, at, tenantId, documentId } = announcement;
  const delivery: NewDelivery = {
    ...target,
    id: core.chance.uuid(),
    kind: 'genuine',
    tenantId,
    event,
    resource,
    body: bodyOf({ action: event, payload: { ...payload } }),
    documentId: documentId ?? null,
    dueAt: at,
    createdOn: at,
  };
  const faults = core.faults.strikeDelivery();
  core.deliveries.add({ ...delivery, dueAt: at + delayOf(core, delivery.id, faults) });
  for (const { kind } of faults) {
    if (kind === 'doubled') core.deliveries.add({ ...delivery, kind: 'copy', documentId: null });
    if (kind === 'forged') core.deliveries.add(forgedFrom(core, delivery, announcement));
  }
}

/** `late` adds the full delay, `reordered` a part of it, so that later deliveries arrive first. */
function delayOf(core: Core, id: string, faults: readonly StoredDeliveryFault[]): number {
  return faults.reduce((sum, { kind, delayMs }) => {
    if (kind === 'late') return sum + (delayMs ?? usualDelaysMs.late);
    if (kind !== 'reordered') return sum;
    return sum + Math.ceil(core.chance.unit(`reordered:${id}`) * (delayMs ?? usualDelaysMs.reordered));
  }, 0);
}

/** The event never happened; `forged` lets a test find it where it was believed. */
function forgedFrom(core: Core, delivery: NewDelivery, { event, payload }: Announcement): NewDelivery {
  const body = bodyOf({ action: event, payload: { ...payload, forged: true } });
  return { ...delivery, id: core.chance.uuid(), kind: 'forged', body, documentId: null };
}

function bodyOf(content: WebhookDelivery): string {
  return JSON.stringify(content);
}

const events: Readonly<Record<Family, EventName>> = {
  nfe: 'product_invoice_inbound.received',
  cte: 'transportation_invoice_inbound.received',
  nfse: 'service_invoice_inbound.received',
};

/**
 * Announces a captured document and returns it as `Pending`, or as `Skipped` without a target. Documents hidden by
 * the cut-off are not announced (§4).
 */
export function announceDocument(core: Core, document: StoredDocument): StoredDocument {
  if (document.visibility !== 'listed' || document.webhookStatus === 'Skipped') return document;
  return deliverDocument(core, { ...document, webhookStatus: 'Pending' });
}

/** Announces a document again, whatever the status of earlier deliveries. */
export function announceAgain(core: Core, document: StoredDocument, at: number = core.clock.now()): StoredDocument {
  const changed = { ...document, webhookStatus: 'Pending', modifiedOn: at };
  core.documents.put(changed);
  core.deliveries.detach(document.id);
  return deliverDocument(core, changed);
}

function deliverDocument(core: Core, document: StoredDocument): StoredDocument {
  const { family, companyId, id } = document;
  const event = events[family];
  if (family !== 'nfe' || isAskedFor(core, companyId, event)) {
    announce(core, {
      tenantId: core.account.tenantId,
      event,
      companyAddress: family === 'nfse' ? companyAddressOf(core, companyId) : undefined,
      resource: id,
      payload: { id, ...showNote(core, document, holderOf(core, companyId)) },
      at: core.clock.now(),
      documentId: id,
    });
  }
  updateWebhookStatus(core, id);
  return core.documents.get(document.accessKey, companyId) ?? document;
}

/** §6: product webhooks, at the end of a validation. */
export function announceProduct(core: Core, id: string, at: number): void {
  const product = core.products.get(id);
  if (product?.status !== 'Active' && product?.status !== 'Error') return;
  const { tenantId, status, errorMessage, content } = product;
  const event: EventName = status === 'Active' ? 'product.active' : 'product.error';
  const { sku } = content;
  const payload = { id, tenantId, sku, status, ...onlySet({ errorMessage }) };
  announce(core, { tenantId, event, resource: id, payload, at });
}

const manifestationEvents = {
  Accepted: 'service_invoice_manifestation.accepted',
  Rejected: 'service_invoice_manifestation.rejected',
  Failed: 'service_invoice_manifestation.failed',
} as const satisfies Readonly<Record<string, EventName>>;

/** §6: the transition of an NFS-e manifestation. Those of NF-e have no webhook. */
export function announceManifestation(core: Core, id: string, at: number): void {
  const manifestation = core.nfseManifestations.get(id);
  if (manifestation === undefined || manifestation.status === 'Pending') return;
  const { companyId, accessKey, eventCode, reasonCode, status, errorCode, errorMessage } = manifestation;
  const payload = {
    ...{ id, companyId, accessKey, eventCode, status },
    ...onlySet({ reasonCode, errorCode, errorMessage }),
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

/** The target of a delivery. */
interface Target {
  readonly webhookId: string | null;
  readonly uri: string;
}

/** The facts that select the targets. */
interface Subject {
  readonly tenantId: string;
  readonly event: string;
  /** The address in the company's NFS-e settings (§6). */
  readonly companyAddress?: string | undefined;
}

/** The active webhooks that subscribe to the event, and the company's own address unless a webhook has it. */
function targetsOf(core: Core, { tenantId, event, companyAddress }: Subject): readonly Target[] {
  const subscribed = core.webhooks
    .of(tenantId)
    .filter(({ status, filters }) => status === 'Active' && isWanted(filters, event))
    .map(({ id, uri }) => ({ webhookId: id, uri }));
  if (companyAddress === undefined || subscribed.some(({ uri }) => uri === companyAddress)) return subscribed;
  return [...subscribed, { webhookId: null, uri: companyAddress }];
}

/** §6: the NF-e events in the company's settings; without a list, all (names assumed). */
function isAskedFor(core: Core, companyId: string, event: EventName): boolean {
  const asked = core.captures.settings(companyId, 'nfe')?.given['webhookEvents'];
  return !Array.isArray(asked) || isWanted(asked.map(String), event);
}

/** §6: NFS-e inbound may also deliver to an address of the company. */
function companyAddressOf(core: Core, companyId: string): string | undefined {
  const address = core.captures.settings(companyId, 'nfse')?.given['webhookUrl'];
  return typeof address === 'string' ? address : undefined;
}

/** §2: sets the `webhookStatus` of a captured document by its deliveries. */
export function updateWebhookStatus(core: Core, documentId: string): void {
  core.documents.setWebhookStatus(documentId, statusOf(core.deliveries.ofDocument(documentId)));
}

/** The worst status of several targets; `Skipped` without targets. */
function statusOf({ waiting, retrying, delivered, failed }: DocumentDeliveries): string {
  if (failed > 0) return 'DefinitivelyFailed';
  if (retrying > 0) return 'Retrying';
  if (waiting > 0) return 'Pending';
  return delivered > 0 ? 'Delivered' : 'Skipped';
}

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

/** `ping` goes to one webhook, regardless of its filters. */
export type EventName = `${InvoiceResource}.${InvoiceEnding}` | (typeof others)[number][0] | 'ping';

/** The events of the sandbox (names assumed, after those that similar services publish). */
export const eventTypes: readonly WebhookEventType[] = [
  ...invoices.flatMap(([resource, name]) =>
    endings.map(([ending, what]) => ({ id: `${resource}.${ending}`, description: `An ${name} ${what}.` })),
  ),
  ...others.map(([id, description]) => ({ id, description })),
];

/** True if a filter matches the event; `*` matches any text, and no filters match all events. */
export function isWanted(filters: readonly string[], event: string): boolean {
  return filters.length === 0 || filters.some((filter) => matches(filter, event));
}

/** Linear in both texts, so that no filter is slow. */
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
