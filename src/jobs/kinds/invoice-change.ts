import type { Answer, CallInput, Client } from '../../client/client.js';
import type { DisablementInput } from '../../contract/invoice.js';
import {
  runnable,
  type JobKind,
  type KindFacts,
  type LookupContext,
  type LookupResult,
  type Observation,
  type RunnableKind,
} from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { reasonOf } from './invoice-answer.js';
import type { MerchandiseModel } from './invoice-items.js';

/** The input of an `nfe-correct` item. */
export interface CorrectionItem {
  readonly companyId: string;
  readonly invoiceId: string;
  readonly reason: string;
}

/** The authority may register the letter with a delay. */
const CORRECTION_SETTLE_MS = 10 * 60_000;

/** Each letter is an event of its own. After an interrupted send, the invoice's events show whether it arrived. */
export const nfeCorrect: JobKind<CorrectionItem, 'nfe.correct', 'nfe.events'> = {
  name: 'nfe-correct',
  submit: 'nfe.correct',
  poll: 'nfe.events',
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: false,
  settleMs: CORRECTION_SETTLE_MS,
  billed: () => false,
  submitInput: correctionCall,
  pollInput: ({ companyId, invoiceId }) => ({ path: { companyId, invoiceId } }),
  observeSubmit: (_answer, { invoiceId }) => ({ state: 'pending', resourceId: invoiceId }),
  observePoll: (answer, input) => letterIn(answer.body, input) ?? { state: 'pending' },
  lookup: findLetter,
};

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

export const changeKinds: readonly RunnableKind[] = [
  runnable(nfeCorrect),
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
  const { companyId, invoiceId } = input;
  const { body } = await client.call(
    'nfe.events',
    { path: { companyId, invoiceId } },
    { attempts: 'once', signal },
  );
  const events = listField(body, 'events');
  if (events === undefined) return 'cannot tell';
  const found = letterIn(body, input);
  if (found !== undefined) return { ...found, resourceId: invoiceId };
  const letters = events.filter(isLetter);
  // Without texts in the list, letters cannot be told apart.
  return letters.every((letter) => textField(letter, 'reason') !== undefined) ? 'absent' : 'cannot tell';
}

/** The newest letter with this exact text that was not rejected, otherwise the rejected one. */
function letterIn(body: unknown, { reason }: CorrectionItem): Observation | undefined {
  const letter = listField(body, 'events')?.findLast(
    (event) => isLetter(event) && textField(event, 'reason') === reason,
  );
  if (letter === undefined) return undefined;
  const remoteStatus = textField(letter, 'status');
  if (remoteStatus === undefined) return { state: 'succeeded' };
  if (/^(?:Accepted|Issued|Registered)$/.test(remoteStatus)) return { state: 'succeeded', remoteStatus };
  if (!/^(?:Rejected|Failed|Error)$/.test(remoteStatus)) return { state: 'pending', remoteStatus };
  return { state: 'rejected', remoteStatus, ...reasonOf(letter) };
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
  const isBad = remoteStatus !== undefined && /^(?:Error|Failed|Rejected|Denied)$/.test(remoteStatus);
  return isBad ? { ...seen, state: 'rejected', ...reasonOf(body) } : { ...seen, state: 'succeeded' };
}
