import type { CallInput, CallOptions, Client } from '../../client/client.js';
import type { ItemRow } from '../../store/store.js';
import {
  runnable,
  type JobKind,
  type KindFacts,
  type LookupContext,
  type LookupResult,
  type Observation,
  type RunnableKind,
} from '../kind.js';
import { textField } from './answer-fields.js';
import { isInForce, observeCancelled, statusOfInvoice } from './invoice-answer.js';
import { decisionOn, eventsOfInvoice, reasonOfEvent } from './invoice-events.js';
import type { InvoiceModel, MerchandiseModel } from './invoice-items.js';

/** The input of a cancellation item. */
export interface CancelItem {
  readonly model: InvoiceModel;
  readonly companyId: string;
  readonly invoiceId: string;
  readonly reason?: string;
}

/** Natural replay: the invoice's status shows whether an interrupted cancellation arrived. */
const common = {
  replay: 'natural',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  observePoll: ({ body }: { readonly body: unknown }) => observeCancelled(body),
} as const;

function merchandise(model: MerchandiseModel): RunnableKind {
  const kind: JobKind<CancelItem, 'nfe.cancel' | 'nfce.cancel', 'nfe.get' | 'nfce.get'> = {
    ...common,
    name: `${model}-cancel`,
    submit: `${model}.cancel`,
    poll: `${model}.get`,
    submitInput: merchandiseCancelCall,
    pollInput: invoicePath,
    observeSubmit: accepted,
    lookup: standing,
  };
  return { ...runnable(kind), read: readMerchandise };
}

const service: JobKind<CancelItem, 'nfse.cancel', 'nfse.get'> = {
  ...common,
  name: 'nfse-cancel',
  submit: 'nfse.cancel',
  poll: 'nfse.get',
  submitInput: serviceCancelCall,
  pollInput: ({ companyId, invoiceId }) => ({ path: { companyId, id: invoiceId } }),
  observeSubmit: accepted,
  lookup: standing,
};

export const cancelKinds: readonly RunnableKind[] = [
  merchandise('nfe'),
  merchandise('nfce'),
  runnable(service),
];

export function cancelFacts(model: InvoiceModel): KindFacts<CancelItem> {
  return { name: `${model}-cancel`, submit: `${model}.cancel`, onceOnly: true, billed: () => false };
}

export function merchandiseCancelCall(item: CancelItem): CallInput<'nfe.cancel' | 'nfce.cancel'> {
  return { ...invoicePath(item), ...because(item) };
}

export function serviceCancelCall(item: CancelItem): CallInput<'nfse.cancel'> {
  const { companyId, invoiceId } = item;
  return { path: { companyId, id: invoiceId }, ...because(item) };
}

function because({ reason }: CancelItem) {
  return reason === undefined ? {} : { query: { reason } };
}

function invoicePath({ companyId, invoiceId }: CancelItem) {
  return { path: { companyId, invoiceId } };
}

/** An NFS-e answers with the invoice; the others only acknowledge the request. */
function accepted({ body }: { readonly body: unknown }, { invoiceId }: CancelItem): Observation {
  const isInvoice = statusOfInvoice(body) !== undefined;
  const seen: Observation = isInvoice ? observeCancelled(body) : { state: 'pending' };
  return { ...seen, resourceId: invoiceId };
}

/** An NF-e stays Issued both while its cancellation is pending and after it was rejected; only its events tell. */
async function readMerchandise(client: Client, item: ItemRow, options: CallOptions): Promise<Observation> {
  // Rows of this kind always hold this input type.
  const input = item.input as CancelItem;
  const model = merchandiseOf(input);
  const { body } = await client.call(`${model}.get`, invoicePath(input), options);
  const seen = observeCancelled(body);
  if (seen.state !== 'pending' || !isInForce(seen.remoteStatus)) return seen;
  const last = await lastCancellation(client, input, options);
  if (last === undefined || decisionOn(last) !== 'refused') return seen;
  return { state: 'rejected', remoteStatus: textField(last, 'status') ?? 'Rejected', ...reasonOfEvent(last) };
}

function merchandiseOf({ model }: CancelItem): MerchandiseModel {
  return model === 'nfce' ? 'nfce' : 'nfe';
}

async function lastCancellation(client: Client, input: CancelItem, options: CallOptions) {
  const events = await eventsOfInvoice(client, merchandiseOf(input), invoicePath(input), options);
  return events.findLast((event) => /cancel/i.test(textField(event, 'type') ?? ''));
}

/**
 * What an interrupted cancellation left behind. `absent` when the service shows none in progress, so it may be
 * requested again.
 */
async function standing(client: Client, input: CancelItem, { signal }: LookupContext): Promise<LookupResult> {
  const { model, companyId, invoiceId: resourceId } = input;
  const options = { attempts: 'once', signal } as const;
  const { body } =
    model === 'nfse'
      ? await client.call('nfse.get', { path: { companyId, id: resourceId } }, options)
      : await client.call(`${model}.get`, invoicePath(input), options);
  const remoteStatus = statusOfInvoice(body);
  if (remoteStatus === 'Cancelled') return { state: 'succeeded', remoteStatus, resourceId };
  if (remoteStatus === 'WaitingSendCancel') return { state: 'pending', remoteStatus, resourceId };
  if (model === 'nfse' || !isInForce(remoteStatus)) return 'absent';
  const last = await lastCancellation(client, input, options);
  // The authority may have decided since the invoice was read: only a rejection leaves the invoice valid.
  const leftNothing = last === undefined || decisionOn(last) === 'refused';
  return leftNothing ? 'absent' : { state: 'pending', remoteStatus, resourceId };
}
