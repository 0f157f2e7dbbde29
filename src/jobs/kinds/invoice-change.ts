import { SETTLE_MS } from '../../domain/settle-time.js';
import type { Answer, CallInput, CallOptions, Client } from '../../client/client.js';
import type { DisablementInput } from '../../contract/invoice.js';
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
import { reasons } from '../../errors/reasons.js';
import { textField } from './answer-fields.js';
import { observeInvoice, reasonOf, statusOfInvoice } from './invoice-answer.js';
import { decisionOn, eventsOfInvoice, reasonOfEvent } from './invoice-events.js';
import type { MerchandiseModel } from './invoice-items.js';

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
    return { ...seen, state: 'rejected', resourceId: invoiceId, errorMessage: reasons.issuedNumber.en };
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

export function disableCall({
  companyId,
  disablement,
}: DisableItem): CallInput<'nfe.disable' | 'nfce.disable'> {
  return { path: { companyId }, body: disablement };
}

async function findLetter(
  client: Client,
  input: CorrectionItem,
  { signal }: LookupContext,
): Promise<LookupResult> {
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
