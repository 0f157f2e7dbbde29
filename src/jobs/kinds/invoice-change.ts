import type { Answer, CallInput, CallOptions, Client } from '../../client/client.js';
import type { DisablementInput } from '../../contract/invoice.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import {
  type JobKind,
  type KindFacts,
  type LookupContext,
  type LookupResult,
  type Observation,
  runnable,
  type RunnableKind,
} from '../kind.js';
import { textField } from './answer-fields.js';
import { isInForce, observeCancelled, observeInvoice, reasonOf, statusOfInvoice } from './invoice-answer.js';
import { decisionOn, eventsOfInvoice, reasonOfEvent } from './invoice-events.js';
import type { InvoiceModel, MerchandiseModel } from './invoice-items.js';
import type { ItemRow } from '../../store/store.js';

/** The input of an `nfe-correct` item. */
export interface CorrectionItem {
  readonly companyId: string;
  readonly invoiceId: string;
  readonly reason: string;
}

/** Each letter is an event of its own. After an interrupted send, the invoice's events show whether it arrived. */
export const nfeCorrect: JobKind<CorrectionItem, 'nfe.correct', 'nfe.events'> = {
  name: 'nfe-correct',
  submit: 'nfe.correct',
  poll: 'nfe.events',
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: false,
  settleMs: SETTLE_MS,
  billed: () => false,
  submitInput: correctionCall,
  pollInput: eventsPath,
  observeSubmit: (_answer, { invoiceId }) => ({ state: 'pending', resourceId: invoiceId }),
  observePoll: () => ({ state: 'pending' }),
  lookup: findLetter,
};

/** The letter may stand on a later page of the events. */
async function readLetter(client: Client, item: ItemRow, options: CallOptions): Promise<Observation> {
  // Rows of this kind always hold this input type.
  const input = item.input as CorrectionItem;
  const events = await eventsOfInvoice(client, 'nfe', eventsPath(input), options);
  return letterIn(events, input) ?? { state: 'pending' };
}

function eventsPath({ companyId, invoiceId }: CorrectionItem) {
  return { path: { companyId, invoiceId } };
}

/** The input of an `nfe-disable` or `nfce-disable` item. */
export interface DisableItem {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  readonly disablement: DisablementInput;
}

/** Synchronous. A repeat is refused because the numbers are already disabled; no endpoint lists disabled numbers. */
const disable = {
  poll: null,
  replay: 'natural',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: disableCall,
  pollInput: () => {
    throw new Error('a disablement has no read: its answer is the outcome');
  },
  observeSubmit: disabled,
  observePoll: (): Observation => ({ state: 'pending' }),
} as const;

const nfeDisable: JobKind<DisableItem, 'nfe.disable', never> = {
  ...disable,
  name: 'nfe-disable',
  submit: 'nfe.disable',
};

const nfceDisable: JobKind<DisableItem, 'nfce.disable', never> = {
  ...disable,
  name: 'nfce-disable',
  submit: 'nfce.disable',
};

/** The input of an `nfe-disable-invoice` item. */
export interface InvoiceDisableItem {
  readonly companyId: string;
  readonly invoiceId: string;
  readonly reason: string;
}

/** Natural replay: the status of the invoice shows whether its number is disabled. */
export const nfeDisableInvoice: JobKind<InvoiceDisableItem, 'nfe.disableInvoice', 'nfe.get'> = {
  ...{ name: 'nfe-disable-invoice', submit: 'nfe.disableInvoice', poll: 'nfe.get', replay: 'natural' },
  ...{ onceOnly: true, rejectedStays: false },
  billed: () => false,
  submitInput: disableInvoiceCall,
  pollInput: ({ companyId, invoiceId }) => ({ path: { companyId, invoiceId } }),
  observeSubmit: (_answer, { invoiceId }) => ({ state: 'pending', resourceId: invoiceId }),
  observePoll: ({ body }) => numberDisabled(body),
  async lookup(client, { companyId, invoiceId }, { signal }) {
    const path = { companyId, invoiceId };
    const { body } = await client.call('nfe.get', { path }, { attempts: 'once', signal });
    const seen = numberDisabled(body);
    if (seen.state === 'succeeded') return { ...seen, resourceId: invoiceId };
    if (observeInvoice(body).state !== 'succeeded') return 'absent';
    return { ...seen, state: 'rejected', resourceId: invoiceId, reason: { is: 'issued-number' } };
  },
};

export function disableInvoiceCall({
  companyId,
  invoiceId,
  reason,
}: InvoiceDisableItem): CallInput<'nfe.disableInvoice'> {
  return { path: { companyId, invoiceId }, query: { reason } };
}

function numberDisabled(body: unknown): Observation {
  const remoteStatus = statusOfInvoice(body);
  const status = remoteStatus === undefined ? {} : { remoteStatus };
  return { state: remoteStatus === 'Disabled' ? 'succeeded' : 'pending', ...status };
}

export const changeKinds: readonly RunnableKind[] = [
  { ...runnable(nfeCorrect), read: readLetter },
  runnable(nfeDisableInvoice),
  runnable(nfeDisable),
  runnable(nfceDisable),
];

export function disableFacts(model: MerchandiseModel): KindFacts<DisableItem> {
  return { name: `${model}-disable`, submit: `${model}.disable`, onceOnly: true, billed: () => false };
}

export function correctionCall({ companyId, invoiceId, reason }: CorrectionItem): CallInput<'nfe.correct'> {
  return { path: { companyId, invoiceId }, body: { reason } };
}

export function disableCall({ companyId, disablement }: DisableItem): CallInput<'nfe.disable' | 'nfce.disable'> {
  return { path: { companyId }, body: disablement };
}

async function findLetter(client: Client, input: CorrectionItem, { signal }: LookupContext): Promise<LookupResult> {
  const events = await eventsOfInvoice(client, 'nfe', eventsPath(input), { attempts: 'once', signal });
  const found = letterIn(events, input);
  if (found !== undefined) return { ...found, resourceId: input.invoiceId };
  const letters = events.filter(isLetter);
  // Without texts in the list, letters cannot be told apart.
  return letters.every((letter) => textField(letter, 'reason') !== undefined) ? 'absent' : 'cannot tell';
}

/** The newest letter with this exact text that was not rejected, otherwise the rejected one. */
function letterIn(
  events: Awaited<ReturnType<typeof eventsOfInvoice>>,
  { reason }: CorrectionItem,
): Observation | undefined {
  const letter = events.findLast((event) => isLetter(event) && textField(event, 'reason') === reason);
  if (letter === undefined) return undefined;
  const remoteStatus = textField(letter, 'status');
  const status = remoteStatus === undefined ? {} : { remoteStatus };
  const decision = decisionOn(letter);
  if (decision === 'registered') return { state: 'succeeded', ...status };
  return decision === 'pending'
    ? { state: 'pending', ...status }
    : { state: 'rejected', ...status, ...reasonOfEvent(letter) };
}

function isLetter(event: unknown): boolean {
  return /correction|cce|110110/i.test(textField(event, 'type') ?? '');
}

function disabled({ body }: Answer<unknown>): Observation {
  const remoteStatus = textField(body, 'status');
  const resourceId = textField(body, 'protocol');
  const seen = {
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(remoteStatus === undefined ? {} : { remoteStatus }),
  };
  const isBad = remoteStatus !== undefined && /^(?:error|failed|rejected|denied)$/i.test(remoteStatus);
  return isBad ? { ...seen, state: 'rejected', ...reasonOf(body) } : { ...seen, state: 'succeeded' };
}

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

export const cancelKinds: readonly RunnableKind[] = [merchandise('nfe'), merchandise('nfce'), runnable(service)];

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
