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
  pollDelayMs,
  retryDelayMs,
} from './decide.js';
import {
  asOthers,
  errorFields,
  failed,
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
import { wentBackRefusal } from '../store/seen-sends.js';
import { reasons } from '../errors/reasons.js';
import { absenceReason, conflictReason, reasonAbout } from './known-reasons.js';
import type { AdmitContext, Candidates, FoundBefore, LookupResult, Observation, SentTrace } from './kind.js';

/** Moves one claimed item one step further. The row is written before and after each request, never during one. */
export async function step(dependencies: StepDependencies, item: ItemRow): Promise<StepResult> {
  const own = await dependencies.kind.ofItem?.(item, dependencies);
  return own === undefined
    ? await stepOf(dependencies, item)
    : await stepOf({ ...dependencies, kind: own.kind }, own.item);
}

async function stepOf(dependencies: StepDependencies, item: ItemRow): Promise<StepResult> {
  switch (item.state) {
    case 'prepared':
      return await send(dependencies, item);
    case 'sending':
      return await recoverItem(dependencies, item, recover(rulesOf(dependencies, item), wasTaken(item)));
    case 'pending':
      return await poll(dependencies, item);
    default:
      throw new Error(`an item in ${item.state} is not work`);
  }
}

function rulesOf(dependencies: StepDependencies, item: ItemRow): RepeatRules {
  const { kind, retryBillable, resendAbsent } = dependencies;
  return {
    replay: kind.replay,
    canLookUp: kind.canLookUp,
    billed: item.billed,
    retryBillable,
    resendAbsent,
  };
}

async function send(dependencies: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (!dependencies.lease.maySend()) return { to: item.state, answered: false, stop: 'lease-lost' };
  const admitted = item.state === 'prepared' ? await admission(dependencies, item) : {};
  if ('to' in admitted) return admitted;
  if (mayBeMissing(dependencies, item, admitted)) return wentBack(dependencies, item);
  if (!item.billed) return await sendOne(dependencies, item, { ...admitted, recordCost: () => undefined });
  if (!(await dependencies.billedCalls.take()))
    return { to: item.state, answered: false, stop: 'billable-limit' };
  let billed: Billed = 'none';
  try {
    if (dependencies.signal.aborted) return { to: item.state, answered: false };
    return await sendOne(dependencies, item, { ...admitted, recordCost: (outcome) => (billed = outcome) });
  } finally {
    dependencies.billedCalls.end(billed);
  }
}

/** The store was put back: what it calls a first send may be one that it lacks, and no look said that it is not. */
function mayBeMissing({ store, kind }: StepDependencies, item: ItemRow, admitted: Admitted): boolean {
  if (store.identity.wentBack === undefined || item.attempts > 0) return false;
  const isOnce = item.billed || kind.replay === 'unsafe' || kind.replay === 'keyed';
  return isOnce && (admitted.lookedAt === undefined || admitted.unknown !== undefined);
}

function wentBack({ store }: StepDependencies, item: ItemRow): StepResult {
  const error = wentBackRefusal(store.place);
  return { to: item.state, answered: false, stop: 'went-back', error };
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

async function sendOne(dependencies: StepDependencies, item: ItemRow, how: Sending): Promise<StepResult> {
  const { lookedAt, unknown, recordCost } = how;
  dependencies.store.identity.requirePresent();
  const isBack = await wasPutBack(dependencies, item);
  if (unknown !== undefined) await dependencies.sendingWithoutLookup?.(unknown);
  const at = dependencies.clock.now();
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
    step: { is: 'sent', attempt: sending.attempts },
  } as const;
  // Where this fails, nothing says that the item was sent.
  await dependencies.noteSender(at);
  if (!(await write(dependencies, item, patch))) return leaseLost(item);
  dependencies.sends?.add(dependencies.store.identity.id, {
    itemId: item.id,
    attempts: sending.attempts,
    at,
  });
  // The cost is unknown until the call has finished.
  recordCost('unknown');
  const heard: StepDependencies = { ...dependencies, hasAnswer: true };
  let heldUp: 'too-long' | 'lease-lost' | undefined;
  try {
    const seen = await dependencies.kind.send(dependencies.client, sending, {
      attempts: 'once',
      billed: item.billed,
      retryBillable: dependencies.retryBillable,
      signal: dependencies.signal,
      jobId: dependencies.jobId,
      itemId: item.id,
      beforeSend: () => {
        const heldMs = dependencies.clock.now() - (lookedAt ?? at);
        if (heldMs > LONGEST_HOLD_MS && !isBack) heldUp = 'too-long';
        // After a long pause of this process, another one may hold the item.
        if (!dependencies.lease.maySend()) heldUp = 'lease-lost';
        if (heldUp !== undefined) throw new FiscalError('job.interrupted', {}, { sent: 'no' });
        dependencies.sending();
      },
    });
    recordCost(seen.billed ?? 'billed');
    if (mustBeFound(dependencies, sending, seen)) return await lookLater(heard, sending, seen);
    const said = seen.said === undefined ? {} : { said: seen.said };
    return await recordObservation(heard, sending, { ...seen, step: { is: 'answered', ...said } });
  } catch (error) {
    // A programming error leaves the item in `sending`; the next run recovers it by the usual rules.
    if (!(error instanceof FiscalError)) throw error;
    if (heldUp !== undefined) {
      recordCost('none');
      return await putBack(heard, sending, heldUp);
    }
    if (error.facts.uncounted === true) {
      recordCost('none');
      const back = await putBack(heard, sending, 'too-long');
      if (error.code !== 'budget.reached') throw error;
      return { ...back, stop: back.stop ?? 'budget', error };
    }
    recordCost(billedOutcome(faultOf(error)));
    if (faultOf(error).misplaced === true) await reportMisplaced(dependencies, sending, error);
    return await failedSend(faultOf(error).sent === 'unknown' ? dependencies : heard, sending, error);
  }
}

/** An item is put back only once: at less than one request a minute it could otherwise never be sent. */
async function wasPutBack({ store }: StepDependencies, { id, attempts }: ItemRow): Promise<boolean> {
  if (attempts === 0) return false;
  const events = await store.items.events(id);
  const sent = events.findLastIndex(({ step }) => step.is === 'sent');
  return events[sent + 1]?.step.is === 'held-up';
}

/**
 * The request was not sent: the rate limit delayed it, and another machine or process may have sent the item meanwhile.
 */
async function putBack(
  dependencies: StepDependencies,
  item: ItemRow,
  why: 'too-long' | 'lease-lost',
): Promise<StepResult> {
  const dueAt = dependencies.clock.now();
  const fields = { errorMessage: reasons.heldUp.en, step: { is: 'held-up' } } as const;
  const patch = { state: 'prepared', dueAt, ...fields, holdsKey: true, keep: false } as const;
  const isWritten = await write(dependencies, item, patch);
  if (!isWritten || why === 'lease-lost')
    return { ...leaseLost(item), to: isWritten ? 'prepared' : item.state };
  return { to: 'prepared', dueAt, answered: false };
}

/** Checks whether the item may be sent. Nothing of it has reached the service yet, so a refusal makes it `failed`. */
async function admission(dependencies: StepDependencies, item: ItemRow): Promise<StepResult | Admitted> {
  const { kind, store, client, profile, clock, signal, lists } = dependencies;
  const asking = { store, client, profile, now: clock.now(), signal, lists };
  try {
    const error = await kind.admit?.(asking, item);
    if (error === undefined) return await lookUpBeforeSend(dependencies, item, asking);
    return await finishItem(dependencies, item, {
      state: 'failed',
      ...errorFields(error),
      step: failed(error),
      error,
    });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const { transient, status = 0, sent } = faultOf(error);
    const mayPass = transient || status === 401 || (status === 0 && sent === 'no');
    if (mayPass || (status >= 500 && (await hasPatience(dependencies, item, error)))) {
      return await putOff(dependencies, item, error);
    }
    return await finishItem(dependencies, item, {
      state: 'failed',
      ...errorFields(error),
      step: failed(error),
      error,
    });
  }
}

/** A service error may be temporary, but is not retried for ever. */
async function hasPatience({ store }: StepDependencies, item: ItemRow, error: FiscalError): Promise<boolean> {
  const events = await store.items.events(item.id);
  return (
    events.filter(({ step }) => step.is === 'failed' && step.code === error.code).length <
    READS_BEFORE_FAILING
  );
}

const READS_BEFORE_FAILING = 8;

/**
 * Looks the item up before sending. What already exists was created by another machine: it is not sent, and becomes
 * `skipped` once it has succeeded.
 */
async function lookUpBeforeSend(
  dependencies: StepDependencies,
  item: ItemRow,
  asking: AdmitContext,
): Promise<StepResult | Admitted> {
  if (dependencies.kind.findBefore === undefined) return {};
  const sentBefore = await findEarlierSend(dependencies, item, asking);
  if (sentBefore !== undefined) return sentBefore;
  const found = await findBefore(dependencies, item, asking);
  const lookedAt = asking.now;
  if (found === 'absent') return { lookedAt };
  if ('unknown' in found) return { lookedAt, unknown: found.unknown };
  return await recordObservation(dependencies, item, {
    ...asOthers(found),
    lookup: 'found',
    step: { is: 'found', beforeAnySend: true },
  });
}

/**
 * An earlier send of this item may have arrived, and only contents tell it from what others have sent: it is looked up
 * like after an interrupted send. `undefined`: no send of it may have arrived.
 */
async function findEarlierSend(
  dependencies: StepDependencies,
  item: ItemRow,
  { now }: AdmitContext,
): Promise<StepResult | Admitted | undefined> {
  if (item.attempts === 0 || dependencies.kind.matchesContent?.(item) !== true) return undefined;
  const events = await dependencies.store.items.events(item.id);
  if (!mayHaveArrived(events)) return undefined;
  const found = await lookUp(dependencies, item);
  if (found instanceof FiscalError) throw found;
  if (isObservation(found))
    return await recordObservation(dependencies, item, { ...found, step: { is: 'found' } });
  const decided = events.findLastIndex(({ step }) => step.is === 'person-decided');
  const isOpen = found !== 'absent' && mayHaveArrived(events.slice(decided + 1));
  return isOpen
    ? await finishUnclear(dependencies, item, found)
    : { lookedAt: now, unknown: reasons.namedByNothing };
}

const MAX_NAMED = 10;

/** The service has something that may or may not be this item: only a person can tell. */
async function finishUnclear(
  dependencies: StepDependencies,
  item: ItemRow,
  found: Candidates | 'cannot tell' | 'absent',
): Promise<StepResult> {
  const ids = typeof found === 'object' ? found.mayBe.slice(0, MAX_NAMED) : [];
  const errorMessage = ids.length > 0 ? reasonAbout(reasons.severalAlike, ids) : reasons.severalAlike.en;
  const step = { is: 'several-alike', candidates: ids } as const;
  const fields = { errorCode: 'outcome.unknown', errorMessage, step } as const;
  return await finishItem(dependencies, item, { state: 'uncertain', ...fields });
}

/**
 * When the service refuses the read, nothing is known. Errors, and responses of another shape or about another company,
 * are no refusal and postpone the item.
 */
async function findBefore(
  dependencies: StepDependencies,
  item: ItemRow,
  asking: AdmitContext,
): Promise<FoundBefore> {
  try {
    return (await dependencies.kind.findBefore?.(asking, item)) ?? 'absent';
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
  dependencies: StepDependencies,
  item: ItemRow,
  { status, requestId, errorMessage: reason }: Observation & Partial<SentTrace>,
): Promise<StepResult> {
  const dueAt =
    dependencies.clock.now() +
    Math.min(retryDelayMs(item.attempts, dependencies.random), longestPause(dependencies));
  const fields = { httpStatus: status ?? 200, ...(requestId === undefined ? {} : { requestId }) };
  const patch = {
    state: 'sending',
    ...{ dueAt, sentAt: dependencies.clock.now() },
    ...fields,
    holdsKey: true,
    keep: false,
    step: { is: 'taken-unnamed', ...(reason === undefined ? {} : { reason }) },
  } as const;
  if (!(await write(dependencies, item, patch))) return leaseLost(item);
  return { to: 'sending', dueAt, answered: true };
}

async function failedSend(
  dependencies: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<StepResult> {
  const fault = { ...faultOf(error), isDuplicate: dependencies.kind.isDuplicate?.(error) ?? false };
  if (fault.sent === 'no' && !fault.transient) {
    await write(dependencies, item, { state: 'prepared', holdsKey: true, keep: false, step: failed(error) });
    throw error;
  }
  const decision = decideFault(fault, rulesOf(dependencies, item), item.attempts);
  const fields = {
    ...errorFields(error),
    ...(fault.status === undefined ? {} : { httpStatus: fault.status }),
  };
  switch (decision.kind) {
    case 'credentials':
      await write(dependencies, item, {
        state: 'prepared',
        ...fields,
        holdsKey: true,
        keep: false,
        step: failed(error),
      });
      return { to: 'prepared', answered: true, error, stop: 'credentials' };
    case 'send-later':
      return await retryLater(dependencies, { ...item, state: 'prepared' }, { error, fields, fault });
    case 'recover-later':
      // The request left some time before now; its settle time starts here.
      return await retryLater(dependencies, item, {
        error,
        fault,
        fields: { ...fields, sentAt: dependencies.clock.now() },
      });
    case 'ask':
      return await finishItem(dependencies, item, {
        state: 'uncertain',
        ...fields,
        step: failed(error),
        error,
      });
    case 'conflict':
      return await conflicted(dependencies, item, error);
    case 'refused':
      if (await mayHaveTakenEffect(dependencies, item)) {
        return await refusedAfterUnknownOutcome(dependencies, item, { error, fields });
      }
      return await finishItem(dependencies, item, { state: 'failed', ...fields, step: failed(error), error });
  }
}

/** Whether the effect of another send than the last may exist, of this item or, where nothing shows it, of its key. */
async function mayHaveTakenEffect(dependencies: StepDependencies, item: ItemRow): Promise<boolean> {
  const { replay, canLookUp } = dependencies.kind;
  if (replay === 'safe') return false;
  if (await mayHaveArrivedBefore(dependencies, item)) return true;
  return replay === 'natural' && !canLookUp && (await earlierItemMayHaveArrived(dependencies, item));
}

/**
 * The refusal concerns only the last send. What an earlier send of unknown outcome created is looked up, or a person is
 * asked.
 */
async function refusedAfterUnknownOutcome(
  dependencies: StepDependencies,
  item: ItemRow,
  { error, fields }: Pick<Setback, 'error' | 'fields'>,
): Promise<StepResult> {
  const found = dependencies.kind.canLookUp ? await lookUp(dependencies, item) : 'cannot tell';
  if (isObservation(found)) {
    return await recordObservation(dependencies, item, {
      ...found,
      step: { is: 'found', after: 'refusal' },
    });
  }
  return await finishItem(dependencies, item, { state: 'uncertain', ...fields, step: failed(error), error });
}

async function conflicted(
  dependencies: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<StepResult> {
  const { httpStatus = 409 } = error.facts;
  const named = dependencies.kind.observeConflict?.(error, item);
  if (named !== undefined) {
    return await recordObservation(dependencies, item, {
      ...named,
      status: 409,
      step: { is: 'already-there', httpStatus: 409, named: true },
    });
  }
  if (httpStatus !== 409 && !(await mayHaveArrivedBefore(dependencies, item)))
    return await takenByOther(dependencies, item, error);
  const found = (await canBeOurs(dependencies, item)) ? await lookUp(dependencies, item) : 'cannot tell';
  if (found instanceof FiscalError) return await putOff(dependencies, item, found);
  if (isObservation(found)) {
    return await recordObservation(dependencies, item, {
      ...found,
      step: { is: 'found', after: httpStatus },
    });
  }
  // The resource exists (§4), but the refusal gives neither its id nor its status.
  if (httpStatus === 409 && dependencies.kind.replay === 'natural') {
    return await followUnnamed(dependencies, item, { found, words: wordsOf(error) });
  }
  // An unspecific refusal may be caused by our own interrupted send.
  const isSeenOurs = httpStatus !== 409 && dependencies.kind.canLookUp && item.attempts > 1;
  const isOurs = isSeenOurs || (await mayHaveArrivedBefore(dependencies, item));
  return await finishItem(dependencies, item, {
    state: isOurs ? 'uncertain' : 'failed',
    ...errorFields(error),
    httpStatus,
    step: { is: 'already-there', httpStatus },
    error,
  });
}

/** What the service says of a 409, where it says anything. */
function wordsOf({ code, facts }: FiscalError): string | undefined {
  const { said = '' } = facts;
  return code === 'service.conflict' && /\p{L}/u.test(said) ? said : undefined;
}

/** Where contents are compared, a first send that was refused has created nothing that could be found. */
async function canBeOurs(dependencies: StepDependencies, item: ItemRow): Promise<boolean> {
  if (!dependencies.kind.canLookUp) return false;
  return (
    dependencies.kind.matchesContent?.(item) !== true || (await mayHaveArrivedBefore(dependencies, item))
  );
}

/**
 * Refused because a resource of this name exists, and no send of ours can have created it: compared with our input like
 * one found before sending.
 */
async function takenByOther(
  dependencies: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<StepResult> {
  const { store, client, profile, clock, signal } = dependencies;
  const { httpStatus = 400 } = error.facts;
  try {
    const asking = { store, client, profile, now: clock.now(), signal, lists: new Map() };
    const found = await findBefore(dependencies, item, asking);
    if (found !== 'absent' && !('unknown' in found)) {
      return await recordObservation(dependencies, item, {
        ...asOthers(found),
        ...{ status: httpStatus, lookup: 'found', step: { is: 'found', after: httpStatus } },
      });
    }
  } catch (failure) {
    if (!(failure instanceof FiscalError)) throw failure;
    return await putOff(dependencies, { ...item, state: 'prepared' }, failure);
  }
  const ending = { state: 'failed', ...errorFields(error), httpStatus, step: failed(error) } as const;
  return await finishItem(dependencies, item, { ...ending, error });
}

/**
 * The service holds an event that this program cannot read. It is looked for until the settle time is over. After that
 * it counts as someone else's and the item fails; after a send of our own with unknown outcome, a person is asked.
 */
async function followUnnamed(
  dependencies: StepDependencies,
  item: ItemRow,
  {
    found,
    words,
  }: { readonly found: Exclude<LookupResult, Observation>; readonly words: string | undefined },
): Promise<StepResult> {
  const reason = conflictReason(words);
  const errorMessage = reason.en;
  const step = { is: 'there-unread', ...(words === undefined ? {} : { words }) } as const;
  const fields = { httpStatus: 409, errorMessage };
  const ageMs = dependencies.clock.surelySince(item.sentAt ?? 0);
  const leftMs = dependencies.settleMs - ageMs;
  if (found === 'absent' && leftMs > 0) {
    const dueAt = dependencies.clock.now() + Math.min(leftMs, pollDelayMs(ageMs, dependencies.intervalMs));
    const waits = { state: 'pending', dueAt, holdsKey: true, keep: false } as const;
    const patch = { ...fields, ...waits, step: { ...step, looksAgain: true } } as const;
    if (!(await write(dependencies, item, patch))) return leaseLost(item);
    return { to: 'pending', dueAt, answered: true };
  }
  if (
    (await mayHaveArrivedBefore(dependencies, item)) ||
    (await earlierItemMayHaveArrived(dependencies, item))
  ) {
    const ending = {
      ...fields,
      state: 'uncertain',
      errorCode: 'outcome.unknown',
      step,
    } as const;
    return await finishItem(dependencies, item, ending);
  }
  const error = new FiscalError(
    'service.conflict',
    { message: reason },
    { httpStatus: 409, sent: 'yes', retryable: false },
  );
  return await finishItem(dependencies, item, {
    ...fields,
    state: 'failed',
    errorCode: error.code,
    step,
    error,
  });
}

async function recoverItem(
  dependencies: StepDependencies,
  item: ItemRow,
  recovery: Recovery,
): Promise<StepResult> {
  if (recovery === 'send') return await send(dependencies, item);
  if (recovery === 'ask') {
    const fields = item.errorCode === undefined ? { errorCode: 'outcome.unknown' } : {};
    return await finishItem(dependencies, item, {
      state: 'uncertain',
      ...fields,
      step: { is: 'interrupted' },
    });
  }
  const found = await lookUp(dependencies, item);
  if (found instanceof FiscalError) return await putOff(dependencies, item, found);
  if (isObservation(found))
    return await recordObservation(dependencies, item, { ...found, step: { is: 'found' } });
  if (found === 'cannot tell')
    return await recoverItem(dependencies, item, recoverBlind(rulesOf(dependencies, item), wasTaken(item)));
  return await recoverNotFound(dependencies, item, found);
}

/** The service answered the last send with a success whose content could not be read. */
function wasTaken({ httpStatus = 0 }: ItemRow): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

async function recoverNotFound(
  dependencies: StepDependencies,
  item: ItemRow,
  found: 'absent' | Candidates,
): Promise<StepResult> {
  const { sentAt = 0 } = item;
  // After an interrupted send, nothing records how long the request was delayed.
  const isNoted = item.httpStatus !== undefined || item.errorCode !== undefined;
  const ageMs = dependencies.clock.surelySince(isNoted ? sentAt : sentAt + LONGEST_HOLD_MS);
  const decision = decideAbsence(
    { ageMs, settleMs: dependencies.settleMs, wasTaken: wasTaken(item) },
    rulesOf(dependencies, item),
  );
  if (found !== 'absent' && decision.kind !== 'look-again')
    return await finishUnclear(dependencies, item, found);
  if (decision.kind === 'send') return await send(dependencies, item);
  if (decision.kind === 'ask') {
    const events = await dependencies.store.items.events(item.id);
    const looks = 1 + events.filter(({ step, at }) => step.is === 'not-found' && at >= sentAt).length;
    const { because } = decision;
    const evidence = { looks, seconds: Math.round(ageMs / 1000) };
    const errorMessage = absenceReason(because, evidence);
    const step = { is: 'absent', because, ...evidence } as const;
    const fields = { errorCode: 'outcome.unknown', errorMessage, step } as const;
    return await finishItem(dependencies, item, { state: 'uncertain', ...fields });
  }
  const dueAt = dependencies.clock.now() + Math.min(decision.afterMs, longestPause(dependencies));
  const state = isForWaiting(dependencies, item) ? 'pending' : item.state;
  await write(dependencies, item, { state, dueAt, holdsKey: true, keep: false, step: { is: 'not-found' } });
  return { to: state, dueAt, answered: true };
}

/**
 * An accepted event is listed only after the authority has registered it: a run that does not wait leaves it for one
 * that does.
 */
function isForWaiting({ kind, wait }: StepDependencies, item: ItemRow): boolean {
  return !wait && wasTaken(item) && kind.replay === 'natural';
}

function isObservation(found: LookupResult | FiscalError): found is Observation {
  return typeof found === 'object' && 'state' in found;
}

async function lookUp(dependencies: StepDependencies, item: ItemRow): Promise<LookupResult | FiscalError> {
  try {
    return await dependencies.kind.lookUp(dependencies.client, item, dependencies);
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

async function poll(dependencies: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (item.resourceId === undefined && dependencies.kind.canLookUp)
    return await pollUnnamed(dependencies, item);
  try {
    const seen = await dependencies.kind.read(dependencies.client, item, {
      attempts: 'once',
      signal: dependencies.signal,
      jobId: dependencies.jobId,
      itemId: item.id,
    });
    const observation = item.lookup === 'found' ? asOthers(seen) : seen;
    return await recordObservation(dependencies, item, { ...observation, step: { is: 'read' } });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (faultOf(error).misplaced !== true) return await putOff(dependencies, item, error);
    await reportMisplaced(dependencies, item, error);
    return await finishItem(dependencies, item, {
      state: 'uncertain',
      ...errorFields(error),
      step: failed(error),
      error,
    });
  }
}

/** Polls a pending item without an id: the service accepted it, or refused a repeat with 409, without naming it. */
async function pollUnnamed(dependencies: StepDependencies, item: ItemRow): Promise<StepResult> {
  if (wasTaken(item)) return await recoverItem(dependencies, item, 'look-up');
  const found = await lookUp(dependencies, item);
  if (found instanceof FiscalError) return await putOff(dependencies, item, found);
  if (isObservation(found))
    return await recordObservation(dependencies, item, { ...found, step: { is: 'found' } });
  const steps = (await dependencies.store.items.events(item.id)).map(({ step }) => step);
  const last = steps.findLast((step) => step.is === 'there-unread');
  return await followUnnamed(dependencies, item, { found, words: last?.words });
}
