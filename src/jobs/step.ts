import type { Text } from '../contract/text.js';
import { billedOutcome, type Billed } from '../domain/billing.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemRow } from '../store/store.js';
import {
  decideAbsence,
  decideFault,
  recover,
  recoverBlind,
  SENDS_BEFORE_ASKING,
  type Fault,
  type Recovery,
  type RepeatRules,
  longestPause,
  mayHaveArrived,
  PERSON_SAYS,
  pollDelayMs,
  retryDelayMs,
  SERVICE_SAYS,
} from './decide.js';
import {
  asOthers,
  errorFields,
  faultOf,
  reportMisplaced,
  retryLater,
  leaseLost,
  recordObservation,
  putOff,
  finishItem,
  earlierItemMayHaveArrived,
  mayHaveArrivedBefore,
  write,
  type Setback,
  type StepDependencies,
  type StepResult,
} from './item-writes.js';
import { absenceReason, reasons } from './known-reasons.js';
import type { AdmitContext, FoundBefore, LookupResult, Observation, SentTrace } from './kind.js';

/** Moves one claimed item one step further. The row is written before and after each request, never during one. */
export async function step(parts: StepDependencies, item: ItemRow): Promise<StepResult> {
  switch (item.state) {
    case 'prepared':
      return await send(parts, item);
    case 'sending':
      return await recoverItem(parts, item, recover(rulesOf(parts, item), wasTaken(item)));
    case 'pending':
      return await poll(parts, item);
    default:
      throw new Error(`an item in ${item.state} is not work`);
  }
}

function rulesOf(parts: StepDependencies, item: ItemRow): RepeatRules {
  const { kind, retryBillable, resendAbsent } = parts;
  return {
    replay: kind.replay,
    canLookUp: kind.canLookUp,
    billed: item.billed,
    retryBillable,
    resendAbsent,
  };
}

async function send(parts: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (!parts.lease.maySend()) return { to: item.state, answered: false, stop: 'lease-lost' };
  const admitted = item.state === 'prepared' ? await admission(parts, item) : {};
  if ('to' in admitted) return admitted;
  if (!item.billed) return await sendOne(parts, item, { ...admitted, recordCost: () => undefined });
  if (!(await parts.billedCalls.take())) return { to: item.state, answered: false, stop: 'billable-limit' };
  let billed: Billed = 'none';
  try {
    if (parts.signal.aborted) return { to: item.state, answered: false };
    return await sendOne(parts, item, { ...admitted, recordCost: (outcome) => (billed = outcome) });
  } finally {
    parts.billedCalls.end(billed);
  }
}

/** The result of the checks before a send. */
interface Admitted {
  /** When the service was asked for the item, by the store's clock; absent where no such lookup exists. */
  readonly lookedAt?: number;
  /** Why the lookup was inconclusive. */
  readonly unknown?: Text;
}

interface Sending extends Admitted {
  /** Records what the call cost, as far as its outcome is known. */
  recordCost(outcome: Billed): void;
}

/**
 * Longest time between the lookup (or the stored send time) and the request. Later, another machine may have sent the
 * same item, and the settle time would start too early.
 */
const LONGEST_HOLD_MS = 60_000;

async function sendOne(parts: StepDependencies, item: ItemRow, how: Sending): Promise<StepResult> {
  const { lookedAt, unknown, recordCost } = how;
  parts.store.identity.requirePresent();
  if (unknown !== undefined) await parts.sendingWithoutLookup?.(unknown);
  const at = parts.clock.now();
  const sending: ItemRow = { ...item, state: 'sending', attempts: item.attempts + 1, sentAt: at };
  const patch = {
    state: 'sending',
    attempts: sending.attempts,
    sentAt: at,
    // The response to an earlier send does not apply to this one.
    ...{ httpStatus: null, errorCode: null, errorMessage: null },
    lookup: unknown === undefined ? null : 'not-possible',
    holdsKey: true,
    keep: true,
    note: `send ${sending.attempts}`,
  } as const;
  if (!(await write(parts, item, patch))) return leaseLost(item);
  await parts.store.identity.sentAt(at);
  parts.sending();
  // The cost is unknown until the call has finished.
  recordCost('unknown');
  let heldUp: 'too-long' | 'lease-lost' | undefined;
  try {
    const seen = await parts.kind.send(parts.client, sending, {
      attempts: 'once',
      billed: item.billed,
      retryBillable: parts.retryBillable,
      signal: parts.signal,
      jobId: parts.jobId,
      itemId: item.id,
      beforeSend: () => {
        if (isHeldUp(parts, item, lookedAt ?? at)) heldUp = 'too-long';
        // After a long pause of this process, another one may hold the item.
        if (!parts.lease.maySend()) heldUp = 'lease-lost';
        if (heldUp !== undefined) throw new FiscalError('job.interrupted', {}, { sent: 'no' });
      },
    });
    recordCost(seen.billed ?? 'billed');
    if (mustBeFound(parts, sending, seen)) return await lookLater(parts, sending, seen);
    const note = seen.said === undefined ? 'answered' : `${SERVICE_SAYS}${seen.said}`;
    return await recordObservation(parts, sending, { ...seen, note });
  } catch (error) {
    // A programming error leaves the item in `sending`; the next run recovers it by the usual rules.
    if (!(error instanceof FiscalError)) throw error;
    if (heldUp !== undefined) {
      recordCost('none');
      return await putBack(parts, sending, heldUp);
    }
    recordCost(billedOutcome(faultOf(error)));
    if (faultOf(error).misplaced === true) await reportMisplaced(parts, sending, error);
    return await failedSend(parts, sending, error);
  }
}

const HELD_UP = 'held up before it was sent';

/** An item is put back only once: at less than one request a minute it could otherwise never be sent. */
function isHeldUp({ clock }: StepDependencies, { errorMessage }: ItemRow, since: number): boolean {
  return errorMessage !== HELD_UP && clock.now() - since > LONGEST_HOLD_MS;
}

/**
 * The request was not sent: the rate limit delayed it, and another machine or process may have sent the item meanwhile.
 */
async function putBack(
  parts: StepDependencies,
  item: ItemRow,
  why: 'too-long' | 'lease-lost',
): Promise<StepResult> {
  const dueAt = parts.clock.now();
  const fields = { errorMessage: HELD_UP, note: HELD_UP } as const;
  const patch = { state: 'prepared', dueAt, ...fields, holdsKey: true, keep: false } as const;
  const isWritten = await write(parts, item, patch);
  if (!isWritten || why === 'lease-lost')
    return { ...leaseLost(item), to: isWritten ? 'prepared' : item.state };
  return { to: 'prepared', dueAt, answered: false };
}

/** Checks whether the item may be sent. Nothing of it has reached the service yet, so a refusal makes it `failed`. */
async function admission(parts: StepDependencies, item: ItemRow): Promise<StepResult | Admitted> {
  const { kind, store, client, profile, clock, signal, lists } = parts;
  const asking = { store, client, profile, now: clock.now(), signal, lists };
  try {
    const error = await kind.admit?.(asking, item);
    if (error === undefined) return await lookUpBeforeSend(parts, item, asking);
    return await finishItem(parts, item, { state: 'failed', ...errorFields(error), note: error.code, error });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const { transient, status = 0, sent } = faultOf(error);
    const mayPass = transient || status === 401 || (status === 0 && sent === 'no');
    if (mayPass || (status >= 500 && (await hasPatience(parts, item, error)))) {
      return await putOff(parts, item, error);
    }
    return await finishItem(parts, item, { state: 'failed', ...errorFields(error), note: error.code, error });
  }
}

/** A service error may be temporary, but is not retried for ever. */
async function hasPatience({ store }: StepDependencies, item: ItemRow, error: FiscalError): Promise<boolean> {
  const events = await store.items.events(item.id);
  return events.filter(({ note }) => note === error.code).length < READS_BEFORE_FAILING;
}

const READS_BEFORE_FAILING = 8;

/**
 * Looks the item up before sending. What already exists was created by another machine: it is not sent, and becomes
 * `skipped` once it has succeeded.
 */
async function lookUpBeforeSend(
  parts: StepDependencies,
  item: ItemRow,
  asking: AdmitContext,
): Promise<StepResult | Admitted> {
  if (parts.kind.findBefore === undefined) return {};
  const sentBefore = await findEarlierSend(parts, item, asking);
  if (sentBefore !== undefined) return sentBefore;
  const found = await findBefore(parts, item, asking);
  const lookedAt = asking.now;
  if (found === 'absent') return { lookedAt };
  if ('unknown' in found) return { lookedAt, unknown: found.unknown };
  return await recordObservation(parts, item, {
    ...asOthers(found),
    lookup: 'found',
    note: 'at the service before anything was sent',
  });
}

/**
 * An earlier send of this item may have arrived, and only contents tell it from what others have sent: it is looked up
 * like after an interrupted send. `undefined`: no send of it may have arrived.
 */
async function findEarlierSend(
  parts: StepDependencies,
  item: ItemRow,
  { now }: AdmitContext,
): Promise<StepResult | Admitted | undefined> {
  if (item.attempts === 0 || parts.kind.matchesContent?.(item) !== true) return undefined;
  const events = await parts.store.items.events(item.id);
  if (!mayHaveArrived(events)) return undefined;
  const found = await lookUp(parts, item);
  if (found instanceof FiscalError) throw found;
  if (typeof found === 'object')
    return await recordObservation(parts, item, { ...found, note: 'found at the service' });
  const decided = events.findLastIndex(({ note }) => note.startsWith(PERSON_SAYS));
  const isOpen = found !== 'absent' && mayHaveArrived(events.slice(decided + 1));
  return isOpen ? await finishUnclear(parts, item) : { lookedAt: now, unknown: reasons.namedByNothing };
}

/** The service has something that may or may not be this item: only a person can tell. */
async function finishUnclear(parts: StepDependencies, item: ItemRow): Promise<StepResult> {
  const errorMessage = reasons.severalAlike.en;
  const fields = { errorCode: 'outcome.unknown', errorMessage, note: errorMessage } as const;
  return await finishItem(parts, item, { state: 'uncertain', ...fields });
}

/**
 * When the service refuses the read, nothing is known. Errors, and responses of another shape or about another company,
 * are no refusal and postpone the item.
 */
async function findBefore(
  parts: StepDependencies,
  item: ItemRow,
  asking: AdmitContext,
): Promise<FoundBefore> {
  try {
    return (await parts.kind.findBefore?.(asking, item)) ?? 'absent';
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const fault = faultOf(error);
    if (!isFinal(fault) || fault.misread === true || fault.misplaced === true) throw error;
    return { unknown: error.text };
  }
}

/**
 * True when the service accepted the item without identifying it, and a lookup or a repeat can find it without asking a
 * person.
 */
function mustBeFound({ kind }: StepDependencies, { attempts }: ItemRow, { state }: Observation): boolean {
  if (state !== 'uncertain' || !kind.canLookUp) return false;
  return kind.replay === 'unsafe' || (kind.replay === 'natural' && attempts < SENDS_BEFORE_ASKING);
}

async function lookLater(
  parts: StepDependencies,
  item: ItemRow,
  { status, requestId, errorMessage = '' }: Observation & Partial<SentTrace>,
): Promise<StepResult> {
  const dueAt = parts.clock.now() + Math.min(retryDelayMs(item.attempts, parts.random), longestPause(parts));
  const fields = { httpStatus: status ?? 200, ...(requestId === undefined ? {} : { requestId }) };
  const patch = {
    state: 'sending',
    ...{ dueAt, sentAt: parts.clock.now() },
    ...fields,
    holdsKey: true,
    keep: false,
    note: errorMessage,
  } as const;
  if (!(await write(parts, item, patch))) return leaseLost(item);
  return { to: 'sending', dueAt, answered: true };
}

async function failedSend(parts: StepDependencies, item: ItemRow, error: FiscalError): Promise<StepResult> {
  const fault = { ...faultOf(error), isDuplicate: parts.kind.isDuplicate?.(error) ?? false };
  if (fault.sent === 'no' && !fault.transient) {
    await write(parts, item, { state: 'prepared', holdsKey: true, keep: false, note: error.code });
    throw error;
  }
  const decision = decideFault(fault, rulesOf(parts, item), item.attempts);
  const fields = {
    ...errorFields(error),
    ...(fault.status === undefined ? {} : { httpStatus: fault.status }),
  };
  switch (decision.kind) {
    case 'credentials':
      await write(parts, item, {
        state: 'prepared',
        ...fields,
        holdsKey: true,
        keep: false,
        note: error.code,
      });
      return { to: 'prepared', answered: true, error, stop: 'credentials' };
    case 'send-later':
      return await retryLater(parts, { ...item, state: 'prepared' }, { error, fields, fault });
    case 'recover-later':
      // The request left some time before now; its settle time starts here.
      return await retryLater(parts, item, {
        error,
        fault,
        fields: { ...fields, sentAt: parts.clock.now() },
      });
    case 'ask':
      return await finishItem(parts, item, { state: 'uncertain', ...fields, note: error.code, error });
    case 'conflict':
      return await conflicted(parts, item, error);
    case 'refused':
      if (await mayHaveTakenEffect(parts, item)) {
        return await refusedAfterUnknownOutcome(parts, item, { error, fields });
      }
      return await finishItem(parts, item, { state: 'failed', ...fields, note: error.code, error });
  }
}

/** Whether the effect of another send than the last may exist, of this item or, where nothing shows it, of its key. */
async function mayHaveTakenEffect(parts: StepDependencies, item: ItemRow): Promise<boolean> {
  const { replay, canLookUp } = parts.kind;
  if (replay === 'safe') return false;
  if (await mayHaveArrivedBefore(parts, item)) return true;
  return replay === 'natural' && !canLookUp && (await earlierItemMayHaveArrived(parts, item));
}

/**
 * The refusal concerns only the last send. What an earlier send of unknown outcome created is looked up, or a person is
 * asked.
 */
async function refusedAfterUnknownOutcome(
  parts: StepDependencies,
  item: ItemRow,
  { error, fields }: Pick<Setback, 'error' | 'fields'>,
): Promise<StepResult> {
  const found = parts.kind.canLookUp ? await lookUp(parts, item) : 'cannot tell';
  if (typeof found === 'object' && !(found instanceof FiscalError)) {
    return await recordObservation(parts, item, { ...found, note: 'found at the service after a refusal' });
  }
  return await finishItem(parts, item, { state: 'uncertain', ...fields, note: error.code, error });
}

async function conflicted(parts: StepDependencies, item: ItemRow, error: FiscalError): Promise<StepResult> {
  const { httpStatus = 409 } = error.facts;
  const named = parts.kind.observeConflict?.(error, item);
  if (named !== undefined) {
    return await recordObservation(parts, item, {
      ...named,
      status: 409,
      note: 'already there (409), and named',
    });
  }
  if (httpStatus !== 409 && !(await mayHaveArrivedBefore(parts, item)))
    return await takenByOther(parts, item, error);
  const found = (await canBeOurs(parts, item)) ? await lookUp(parts, item) : 'cannot tell';
  if (found instanceof FiscalError) return await putOff(parts, item, found);
  if (typeof found === 'object') {
    return await recordObservation(parts, item, {
      ...found,
      note: `found at the service after ${httpStatus}`,
    });
  }
  // The resource exists (§4), but the refusal gives neither its id nor its status.
  if (httpStatus === 409 && parts.kind.replay === 'natural') {
    return await followUnnamed(parts, { ...item, httpStatus }, found);
  }
  // An unspecific refusal may be caused by our own interrupted send.
  const isSeenOurs = httpStatus !== 409 && parts.kind.canLookUp && item.attempts > 1;
  const isOurs = isSeenOurs || (await mayHaveArrivedBefore(parts, item));
  return await finishItem(parts, item, {
    state: isOurs ? 'uncertain' : 'failed',
    ...errorFields(error),
    httpStatus,
    note: `already there (${httpStatus})`,
    error,
  });
}

/** Where contents are compared, a first send that was refused has created nothing that could be found. */
async function canBeOurs(parts: StepDependencies, item: ItemRow): Promise<boolean> {
  if (!parts.kind.canLookUp) return false;
  return parts.kind.matchesContent?.(item) !== true || (await mayHaveArrivedBefore(parts, item));
}

/**
 * Refused because a resource of this name exists, and no send of ours can have created it: compared with our input like
 * one found before sending.
 */
async function takenByOther(parts: StepDependencies, item: ItemRow, error: FiscalError): Promise<StepResult> {
  const { store, client, profile, clock, signal } = parts;
  const { httpStatus = 400 } = error.facts;
  try {
    const asking = { store, client, profile, now: clock.now(), signal, lists: new Map() };
    const found = await findBefore(parts, item, asking);
    if (found !== 'absent' && !('unknown' in found)) {
      const note = `found at the service after ${httpStatus}`;
      return await recordObservation(parts, item, {
        ...asOthers(found),
        ...{ status: httpStatus, lookup: 'found', note },
      });
    }
  } catch (failure) {
    if (!(failure instanceof FiscalError)) throw failure;
    return await putOff(parts, { ...item, state: 'prepared' }, failure);
  }
  const ending = { state: 'failed', ...errorFields(error), httpStatus, note: error.code } as const;
  return await finishItem(parts, item, { ...ending, error });
}

/**
 * The service holds an event that this program cannot read. It is looked for until the settle time is over. After that
 * it counts as someone else's and the item fails; after a send of our own with unknown outcome, a person is asked.
 */
async function followUnnamed(
  parts: StepDependencies,
  item: ItemRow,
  found: 'absent' | 'ambiguous' | 'cannot tell',
): Promise<StepResult> {
  const errorMessage = reasons.existsUnread.en;
  const fields = { httpStatus: 409, errorMessage };
  const ageMs = parts.clock.surelySince(item.sentAt ?? 0);
  const leftMs = parts.settleMs - ageMs;
  if (found === 'absent' && leftMs > 0) {
    const dueAt = parts.clock.now() + Math.min(leftMs, pollDelayMs(ageMs, parts.intervalMs));
    const note = 'it exists (409); how it stands is not found yet';
    const patch = { ...fields, state: 'pending', dueAt, holdsKey: true, keep: false, note } as const;
    if (!(await write(parts, item, patch))) return leaseLost(item);
    return { to: 'pending', dueAt, answered: true };
  }
  if ((await mayHaveArrivedBefore(parts, item)) || (await earlierItemMayHaveArrived(parts, item))) {
    const ending = {
      ...fields,
      state: 'uncertain',
      errorCode: 'outcome.unknown',
      note: errorMessage,
    } as const;
    return await finishItem(parts, item, ending);
  }
  const error = new FiscalError(
    'service.conflict',
    { message: reasons.existsUnread },
    { httpStatus: 409, sent: 'yes', retryable: false },
  );
  return await finishItem(parts, item, {
    ...fields,
    state: 'failed',
    errorCode: error.code,
    note: errorMessage,
    error,
  });
}

async function recoverItem(parts: StepDependencies, item: ItemRow, recovery: Recovery): Promise<StepResult> {
  if (recovery === 'send') return await send(parts, item);
  if (recovery === 'ask') {
    const fields = item.errorCode === undefined ? { errorCode: 'outcome.unknown' } : {};
    return await finishItem(parts, item, { state: 'uncertain', ...fields, note: 'its send was interrupted' });
  }
  const found = await lookUp(parts, item);
  if (found instanceof FiscalError) return await putOff(parts, item, found);
  if (found === 'absent' || found === 'ambiguous') return await recoverNotFound(parts, item, found);
  if (found === 'cannot tell')
    return await recoverItem(parts, item, recoverBlind(rulesOf(parts, item), wasTaken(item)));
  return await recordObservation(parts, item, { ...found, note: 'found at the service' });
}

/** The service answered the last send with a success whose content could not be read. */
function wasTaken({ httpStatus = 0 }: ItemRow): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

const NOT_FOUND = 'not found yet; the service may still be at work on it';

async function recoverNotFound(
  parts: StepDependencies,
  item: ItemRow,
  found: 'absent' | 'ambiguous',
): Promise<StepResult> {
  const { sentAt = 0 } = item;
  // After an interrupted send, nothing records how long the request was delayed.
  const isNoted = item.httpStatus !== undefined || item.errorCode !== undefined;
  const ageMs = parts.clock.surelySince(isNoted ? sentAt : sentAt + LONGEST_HOLD_MS);
  const decision = decideAbsence(
    { ageMs, settleMs: parts.settleMs, wasTaken: wasTaken(item) },
    rulesOf(parts, item),
  );
  if (found === 'ambiguous' && decision.kind !== 'look-again') return await finishUnclear(parts, item);
  if (decision.kind === 'send') return await send(parts, item);
  if (decision.kind === 'ask') {
    const events = await parts.store.items.events(item.id);
    const looks = 1 + events.filter(({ note, at }) => note === NOT_FOUND && at >= sentAt).length;
    const errorMessage = absenceReason(decision.because, { looks, seconds: Math.round(ageMs / 1000) });
    const fields = { errorCode: 'outcome.unknown', errorMessage, note: errorMessage } as const;
    return await finishItem(parts, item, { state: 'uncertain', ...fields });
  }
  const dueAt = parts.clock.now() + Math.min(decision.afterMs, longestPause(parts));
  const state = isForWaiting(parts, item) ? 'pending' : item.state;
  await write(parts, item, { state, dueAt, holdsKey: true, keep: false, note: NOT_FOUND });
  return { to: state, dueAt, answered: true };
}

/**
 * An accepted event is listed only after the authority has registered it: a run that does not wait leaves it for one
 * that does.
 */
function isForWaiting({ kind, wait }: StepDependencies, item: ItemRow): boolean {
  return !wait && wasTaken(item) && kind.replay === 'natural';
}

async function lookUp(parts: StepDependencies, item: ItemRow): Promise<LookupResult | FiscalError> {
  try {
    return await parts.kind.lookUp(parts.client, item, parts);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return isFinal(faultOf(error)) ? 'cannot tell' : error;
  }
}

/**
 * A lookup that is refused, or answered in another shape or about another company, would not say more a moment later.
 */
function isFinal({ status = 0, transient, misread, misplaced }: Fault): boolean {
  if (misread === true || misplaced === true) return true;
  return !transient && status !== 401 && status >= 400 && status < 500;
}

async function poll(parts: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (item.resourceId === undefined && parts.kind.canLookUp) return await pollUnnamed(parts, item);
  try {
    const seen = await parts.kind.read(parts.client, item, {
      attempts: 'once',
      signal: parts.signal,
      jobId: parts.jobId,
      itemId: item.id,
    });
    const observation = item.lookup === 'found' ? asOthers(seen) : seen;
    return await recordObservation(parts, item, { ...observation, note: 'read' });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (faultOf(error).misplaced !== true) return await putOff(parts, item, error);
    await reportMisplaced(parts, item, error);
    return await finishItem(parts, item, {
      state: 'uncertain',
      ...errorFields(error),
      note: error.code,
      error,
    });
  }
}

/** Polls a pending item without an id: the service accepted it, or refused a repeat with 409, without naming it. */
async function pollUnnamed(parts: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (wasTaken(item)) return await recoverItem(parts, item, 'look-up');
  const found = await lookUp(parts, item);
  if (found instanceof FiscalError) return await putOff(parts, item, found);
  if (typeof found === 'object')
    return await recordObservation(parts, item, { ...found, note: 'found at the service' });
  return await followUnnamed(parts, item, found);
}
