import type { Text } from '../contract/text.js';
import { billedOutcome, type Billed } from '../domain/billing.js';
import { isOutOfService } from '../domain/call-end.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { reasons } from '../errors/reasons.js';
import { wentBackRefusal } from '../store/seen-sends.js';
import type { ItemPatch, ItemRow } from '../store/store.js';
import type { ReadPaces } from './around-call.js';
import {
  asOthers,
  ClaimedItem,
  errorFields,
  failed,
  faultOf,
  type StepDependencies,
  type Stepped,
  type StepResult,
} from './claimed-item.js';
import { decideFault, longestPause, mayHaveArrived, retryDelayMs, SENDS_BEFORE_ASKING } from './decide.js';
import type { AdmitContext, Observation, SentTrace } from './kind.js';
import {
  conflicted,
  findBefore,
  finishUnclear,
  isObservation,
  LONGEST_HOLD_MS,
  lookUp,
  poll,
  recover,
  refused,
} from './recover.js';

/**
 * Moves one claimed item one step further. The row is written before and after each request, never during one. `read`: with the
 * claim of the item.
 */
export async function step(dependencies: StepDependencies, item: ItemRow, read?: ReadPaces): Promise<Stepped> {
  const own = await dependencies.kind.ofItem?.(item, dependencies);
  const claimed =
    own === undefined
      ? new ClaimedItem(dependencies, item, { read })
      : new ClaimedItem({ ...dependencies, kind: own.kind }, own.item, { stored: item, read });
  const result = await move(claimed);
  const { stored, answer } = claimed;
  return { ...result, item: stored, ...(answer === undefined ? {} : { answer }) };
}

async function move(claimed: ClaimedItem): Promise<StepResult> {
  const { state } = claimed.item;
  switch (state) {
    case 'prepared':
      return await send(claimed);
    case 'sending':
    case 'pending': {
      const found = await (state === 'sending' ? recover(claimed) : poll(claimed));
      return found === 'send' ? await send(claimed) : found;
    }
    default:
      throw new Error(`an item in ${state} is not work`);
  }
}

/** Checks whether the item may be sent, and reserves its cost. */
async function send(claimed: ClaimedItem): Promise<StepResult> {
  const { on, item } = claimed;
  const { store, kind, lease, billedCalls, signal } = on;
  if (!lease.maySend()) return claimed.leaseLost();
  const admitted = item.state === 'prepared' ? await admission(claimed) : {};
  if ('to' in admitted) return admitted;
  // The store was put back: what it calls a first send may be one that it lacks, and no look said that it is not.
  const isFirst = item.attempts === 0 && (admitted.lookedAt === undefined || admitted.unknown !== undefined);
  const isOnce = item.billed || kind.replay === 'unsafe' || kind.replay === 'keyed';
  if (store.identity.wentBack !== undefined && isFirst && isOnce) {
    const error = wentBackRefusal(store.place);
    return { to: item.state, answered: false, stop: 'went-back', error };
  }
  if (!item.billed) return await sendOne(claimed, { ...admitted, recordCost: () => undefined });
  if (!(await billedCalls.take())) return { to: item.state, answered: false, stop: 'billable-limit' };
  let billed: Billed = 'none';
  try {
    if (signal.aborted) return { to: item.state, answered: false };
    return await sendOne(claimed, { ...admitted, recordCost: (outcome) => (billed = outcome) });
  } finally {
    billedCalls.end(billed);
  }
}

/** The result of the checks before a send. */
interface Admitted {
  /** When the service was asked for the item, by the store's clock; absent where no such lookup exists. */
  readonly lookedAt?: number;
  /** Why the lookup was inconclusive. */
  readonly unknown?: Text;
}

/** Nothing of the item has reached the service yet, so a refusal makes it `failed`. */
async function admission(claimed: ClaimedItem): Promise<StepResult | Admitted> {
  const { on, item } = claimed;
  const asking = claimed.asking();
  let refusal: FiscalError | undefined;
  try {
    refusal = await on.kind.admit?.(asking, item);
    if (refusal === undefined) return await lookUpBeforeSend(claimed, asking);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const { transient, status = 0, sent } = faultOf(error);
    const mayPass = transient || status === 401 || (status === 0 && sent === 'no');
    if (mayPass || (isOutOfService(status) && (await hasPatience(claimed, error)))) return await claimed.putOff(error);
    refusal = error;
  }
  return await claimed.finish({ state: 'failed', ...errorFields(refusal), step: failed(refusal), error: refusal });
}

const READS_BEFORE_FAILING = 8;

/** A service error may be temporary, but is not retried for ever. */
async function hasPatience({ on, item }: ClaimedItem, { code }: FiscalError): Promise<boolean> {
  const events = await on.store.items.events(item.id);
  const same = events.filter(({ step: each }) => each.is === 'failed' && each.code === code);
  return same.length < READS_BEFORE_FAILING;
}

/**
 * Looks the item up before sending. What already exists was created by another machine: it is not sent, and becomes
 * `skipped` once it has succeeded.
 */
async function lookUpBeforeSend(claimed: ClaimedItem, asking: AdmitContext): Promise<StepResult | Admitted> {
  if (claimed.on.kind.findBefore === undefined) return {};
  const sentBefore = await findEarlierSend(claimed, asking);
  if (sentBefore !== undefined) return sentBefore;
  const found = await findBefore(claimed, asking);
  const lookedAt = asking.now;
  if (found === 'absent') return { lookedAt };
  if ('unknown' in found) return { lookedAt, unknown: found.unknown };
  const beforeAnySend = { is: 'found', beforeAnySend: true } as const;
  return await claimed.record({ ...asOthers(found), lookup: 'found', step: beforeAnySend });
}

/**
 * An earlier send of this item may have arrived, and only contents tell it from what others have sent: it is looked up
 * like after an interrupted send. `undefined`: no send of it may have arrived.
 */
async function findEarlierSend(
  claimed: ClaimedItem,
  { now }: AdmitContext,
): Promise<StepResult | Admitted | undefined> {
  const { on, item } = claimed;
  if (item.attempts === 0 || on.kind.matchesContent?.(item) !== true) return undefined;
  const events = await on.store.items.events(item.id);
  if (!mayHaveArrived(events)) return undefined;
  const found = await lookUp(claimed);
  if (found instanceof FiscalError) throw found;
  if (isObservation(found)) return await claimed.record({ ...found, step: { is: 'found' } });
  const decided = events.findLastIndex(({ step: each }) => each.is === 'person-decided');
  return found !== 'absent' && mayHaveArrived(events.slice(decided + 1))
    ? await finishUnclear(claimed, found)
    : { lookedAt: now, unknown: reasons.namedByNothing };
}

interface Sending extends Admitted {
  /** Records what the call cost, as far as its outcome is known. */
  recordCost(outcome: Billed): void;
}

/** The row as `sending`, the request, and what its answer or its failure says. */
async function sendOne(claimed: ClaimedItem, { lookedAt, unknown, recordCost }: Sending): Promise<StepResult> {
  const { on, item } = claimed;
  const { store, clock, kind, lease, jobId, retryBillable, signal } = on;
  store.identity.requirePresent();
  const isBack = await wasPutBack(claimed);
  if (unknown !== undefined) await on.sendingWithoutLookup?.(unknown);
  const at = clock.now();
  const attempts = item.attempts + 1;
  // Where this fails, nothing says that the item was sent.
  await on.noteSender(at);
  const patch: ItemPatch = {
    ...{ state: 'sending', attempts, sentAt: at, holdsKey: true, keep: true },
    // The response to an earlier send does not apply to this one.
    ...{ httpStatus: null, errorCode: null, reason: null },
    lookup: unknown === undefined ? null : 'not-possible',
  };
  const { around } = claimed;
  const isWritten = await claimed.write({ ...patch, step: { is: 'sent', attempt: attempts } }, around.readingPaces());
  if (!isWritten) return claimed.leaseLost();
  claimed.item = { ...item, state: 'sending', attempts, sentAt: at };
  on.sends?.add(store.identity.id, { itemId: item.id, attempts, at });
  // The cost is unknown until the call has finished.
  recordCost('unknown');
  let heldUp: 'too-long' | 'lease-lost' | undefined;
  try {
    const seen = await kind.send(on.client, claimed.item, {
      ...{ attempts: 'once', billed: item.billed, retryBillable, signal, jobId, itemId: item.id, around },
      beforeSend: () => {
        if (!isBack && clock.now() - (lookedAt ?? at) > LONGEST_HOLD_MS) heldUp = 'too-long';
        // After a long pause of this process, another one may hold the item.
        if (!lease.maySend()) heldUp = 'lease-lost';
        if (heldUp !== undefined) throw new FiscalError('job.interrupted', {}, { sent: 'no' });
        on.sending();
      },
    });
    recordCost(seen.billed ?? 'billed');
    claimed.hasAnswer = true;
    if (mustBeFound(claimed, seen)) return await lookLater(claimed, seen);
    const said = seen.said === undefined ? {} : { said: seen.said };
    return await claimed.record({ ...seen, step: { is: 'answered', ...said } });
  } catch (error) {
    // A programming error leaves the item in `sending`; the next run recovers it by the usual rules.
    if (!(error instanceof FiscalError)) throw error;
    claimed.hasAnswer = true;
    if (heldUp !== undefined) {
      recordCost('none');
      return await putBack(claimed, heldUp);
    }
    if (error.facts.uncounted === true) {
      recordCost('none');
      const back = await putBack(claimed, 'too-long');
      if (error.code !== 'budget.reached') throw error;
      return { ...back, stop: back.stop ?? 'budget', error };
    }
    const fault = faultOf(error);
    claimed.hasAnswer = fault.sent !== 'unknown';
    recordCost(billedOutcome(fault));
    if (fault.misplaced === true) await claimed.reportMisplaced(error);
    return await failedSend(claimed, error);
  }
}

/** An item is put back only once: at less than one request a minute it could otherwise never be sent. */
async function wasPutBack({ on, item }: ClaimedItem): Promise<boolean> {
  if (item.attempts === 0) return false;
  const events = await on.store.items.events(item.id);
  const sent = events.findLastIndex(({ step: each }) => each.is === 'sent');
  return events[sent + 1]?.step.is === 'held-up';
}

/**
 * The request was not sent: the rate limit delayed it, and another machine or process may have sent the item meanwhile.
 */
async function putBack(claimed: ClaimedItem, why: 'too-long' | 'lease-lost'): Promise<StepResult> {
  const dueAt = claimed.on.clock.now();
  const fields = { reason: { is: 'held-up' }, step: { is: 'held-up' } } as const;
  if (!(await claimed.release('prepared', { dueAt, ...fields }))) return claimed.leaseLost();
  if (why === 'lease-lost') return claimed.leaseLost('prepared');
  return { to: 'prepared', dueAt, answered: false };
}

/**
 * True when the service accepted the item without identifying it, and a lookup or a repeat can find it without asking a
 * person.
 */
function mustBeFound({ on, item }: ClaimedItem, { state }: Observation): boolean {
  if (state !== 'uncertain' || !on.kind.canLookUp) return false;
  return on.kind.replay === 'unsafe' || (on.kind.replay === 'natural' && item.attempts < SENDS_BEFORE_ASKING);
}

async function lookLater(
  claimed: ClaimedItem,
  { status = 200, requestId, reason }: Observation & Partial<SentTrace>,
): Promise<StepResult> {
  const { clock, random } = claimed.on;
  const dueAt = clock.now() + Math.min(retryDelayMs(claimed.item.attempts, random), longestPause(claimed.on));
  const isWritten = await claimed.release('sending', {
    ...{ dueAt, sentAt: clock.now(), httpStatus: status },
    ...(requestId === undefined ? {} : { requestId }),
    step: { is: 'taken-unnamed', ...(reason === undefined ? {} : { reason }) },
  });
  return isWritten ? { to: 'sending', dueAt, answered: true, isUnnamed: true } : claimed.leaseLost();
}

async function failedSend(claimed: ClaimedItem, error: FiscalError): Promise<StepResult> {
  const { on, item, rules } = claimed;
  const fault = { ...faultOf(error), isDuplicate: on.kind.isDuplicate?.(error) ?? false };
  if (fault.sent === 'no' && !fault.transient) {
    await claimed.release('prepared', { step: failed(error) });
    throw error;
  }
  const fields = { ...errorFields(error), ...(fault.status === undefined ? {} : { httpStatus: fault.status }) };
  switch (decideFault(fault, rules, item.attempts).kind) {
    case 'credentials':
      await claimed.release('prepared', { ...fields, step: failed(error) });
      return { to: 'prepared', answered: true, error, stop: 'credentials' };
    case 'send-later':
      return await claimed.retryLater('prepared', { error, fields, fault });
    case 'recover-later': {
      // The request left some time before now; its settle time starts here.
      const sentAt = on.clock.now();
      return await claimed.retryLater('sending', { error, fault, fields: { ...fields, sentAt } });
    }
    case 'ask':
      return await claimed.finish({ state: 'uncertain', ...fields, step: failed(error), error });
    case 'conflict':
      return await conflicted(claimed, error);
    case 'refused':
      return await refused(claimed, { error, fields });
  }
}
