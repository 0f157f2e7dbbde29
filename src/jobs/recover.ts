import { isRefused } from '../domain/call-end.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { absenceReason, conflictReason, reasonWords } from '../errors/reasons.js';
import type { ItemPatch, ItemRow } from '../store/store.js';
import {
  asOthers,
  type ClaimedItem,
  errorFields,
  failed,
  faultOf,
  type StepDependencies,
  type StepResult,
} from './claimed-item.js';
import {
  decideAbsence,
  type Fault,
  longestPause,
  mayHaveArrived,
  pollDelayMs,
  recoverBlind,
  recovery,
} from './decide.js';
import type { AdmitContext, Candidates, FoundBefore, LookupResult, Observation } from './kind.js';

/**
 * Longest time between the lookup (or the stored send time) and the request. Later, another machine may have sent the
 * same item, and the settle time would start too early.
 */
export const LONGEST_HOLD_MS = 60_000;

/** What became of an item found in `sending`: looked up, or asked about. `send`: it is to be sent again. */
export async function recover(
  claimed: ClaimedItem,
  how = recovery(claimed.rules, wasTaken(claimed.item)),
): Promise<StepResult | 'send'> {
  const { item } = claimed;
  if (how === 'send') return 'send';
  if (how === 'ask') {
    const events = wasTaken(item) ? await claimed.on.store.items.events(item.id) : [];
    const [reason] = events.flatMap(({ step }) => (step.is === 'taken-unnamed' ? [step.reason] : [])).slice(-1);
    const fields = {
      ...(item.errorCode === undefined ? { errorCode: 'outcome.unknown' } : {}),
      ...(reason === undefined ? {} : { reason }),
    };
    return await claimed.finish({ state: 'uncertain', ...fields, step: { is: 'interrupted' } });
  }
  const found = await lookUp(claimed);
  if (found instanceof FiscalError) return await claimed.putOff(found);
  if (isObservation(found)) return await claimed.record({ ...found, step: { is: 'found' } });
  if (found !== 'cannot tell') return await recoverAbsent(claimed, found);
  return await recover(claimed, recoverBlind(claimed.rules, wasTaken(item)));
}

/** A lookup found nothing, or nothing that is surely the item. */
async function recoverAbsent(claimed: ClaimedItem, found: 'absent' | Candidates): Promise<StepResult | 'send'> {
  const { on, item } = claimed;
  const { sentAt = 0 } = item;
  // After an interrupted send, nothing records how long the request was delayed.
  const isNoted = item.httpStatus !== undefined || item.errorCode !== undefined;
  const ageMs = on.clock.surelySince(isNoted ? sentAt : sentAt + LONGEST_HOLD_MS);
  const absence = { ageMs, settleMs: on.settleMs, wasTaken: wasTaken(item) };
  const decision = decideAbsence(absence, claimed.rules);
  if (found !== 'absent' && decision.kind !== 'look-again') return await finishUnclear(claimed, found);
  if (decision.kind === 'send') return 'send';
  if (decision.kind === 'ask') {
    const { because } = decision;
    const events = await on.store.items.events(item.id);
    const looks = 1 + events.filter(({ step, at }) => step.is === 'not-found' && at >= sentAt).length;
    const evidence = { looks, seconds: Math.round(ageMs / 1000) };
    const reason = absenceReason(because, evidence);
    const step = { is: 'absent', because, ...evidence } as const;
    return await claimed.finish({ state: 'uncertain', errorCode: 'outcome.unknown', reason, step });
  }
  const dueAt = on.clock.now() + Math.min(decision.afterMs, longestPause(on));
  // An accepted event is listed only after the authority has registered it: a run that does not wait leaves it for one that does.
  const isForWaiting = !on.wait && wasTaken(item) && on.kind.replay === 'natural';
  const state = isForWaiting ? 'pending' : item.state;
  await claimed.release(state, { dueAt, step: { is: 'not-found' } });
  return { to: state, dueAt, answered: true };
}

/** The service answered the last send with a success whose content could not be read. */
function wasTaken({ httpStatus = 0 }: ItemRow): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** Reads a pending item. */
export async function poll(claimed: ClaimedItem): Promise<StepResult | 'send'> {
  const { on, item } = claimed;
  if (item.resourceId === undefined && on.kind.canLookUp) return await pollUnnamed(claimed);
  const { client, jobId, signal } = on;
  const { around } = claimed;
  try {
    const seen = await on.kind.read(client, item, { attempts: 'once', signal, jobId, itemId: item.id, around });
    const observation = item.lookup === 'found' ? asOthers(seen) : seen;
    return await claimed.record({ ...observation, step: { is: 'read' } });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (faultOf(error).misplaced !== true) return await claimed.putOff(error);
    await claimed.reportMisplaced(error);
    return await claimed.finish({ state: 'uncertain', ...errorFields(error), step: failed(error), error });
  }
}

/** A pending item without an id: the service accepted it, or refused a repeat with 409, without naming it. */
async function pollUnnamed(claimed: ClaimedItem): Promise<StepResult | 'send'> {
  if (wasTaken(claimed.item)) return await recover(claimed, 'look-up');
  const found = await lookUp(claimed);
  if (found instanceof FiscalError) return await claimed.putOff(found);
  if (isObservation(found)) return await claimed.record({ ...found, step: { is: 'found' } });
  const events = await claimed.on.store.items.events(claimed.item.id);
  const words = events.flatMap(({ step }) => (step.is === 'there-unread' ? [step.words] : [])).at(-1);
  return await followUnnamed(claimed, { found, words });
}

/** Refused because it is there already: it is looked up, since it may be our own. */
export async function conflicted(claimed: ClaimedItem, error: FiscalError): Promise<StepResult> {
  const { on, item } = claimed;
  const { httpStatus = 409 } = error.facts;
  const named = on.kind.observeConflict?.(error, item);
  if (named !== undefined) {
    const step = { is: 'already-there', httpStatus: 409, named: true } as const;
    return await claimed.record({ ...named, status: 409, step });
  }
  const arrivedBefore = await mayHaveArrivedBefore(on, item);
  if (httpStatus !== 409 && !arrivedBefore) return await takenByOther(claimed, error);
  // Where contents are compared, a first send that was refused has created nothing that could be found.
  const canBeOurs = on.kind.canLookUp && (on.kind.matchesContent?.(item) !== true || arrivedBefore);
  const found = canBeOurs ? await lookUp(claimed) : 'cannot tell';
  if (found instanceof FiscalError) return await claimed.putOff(found);
  if (isObservation(found)) return await claimed.record({ ...found, step: { is: 'found', after: httpStatus } });
  // The resource exists (§4), but the refusal gives neither its id nor its status.
  if (httpStatus === 409 && on.kind.replay === 'natural')
    return await followUnnamed(claimed, { found, words: wordsOf(error) });
  // An unspecific refusal may be caused by our own interrupted send.
  const isSeenOurs = httpStatus !== 409 && on.kind.canLookUp && item.attempts > 1;
  return await claimed.finish({
    state: isSeenOurs || arrivedBefore ? 'uncertain' : 'failed',
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

/**
 * Refused because a resource of this name exists, and no send of ours can have created it: compared with our input like
 * one found before sending.
 */
async function takenByOther(claimed: ClaimedItem, error: FiscalError): Promise<StepResult> {
  const { httpStatus = 400 } = error.facts;
  try {
    const found = await findBefore(claimed, { ...claimed.asking(), lists: new Map() });
    if (found !== 'absent' && !('unknown' in found)) {
      const step = { is: 'found', after: httpStatus } as const;
      return await claimed.record({ ...asOthers(found), status: httpStatus, lookup: 'found', step });
    }
  } catch (failure) {
    if (!(failure instanceof FiscalError)) throw failure;
    return await claimed.putOff(failure, 'prepared');
  }
  const step = failed(error);
  return await claimed.finish({ state: 'failed', ...errorFields(error), httpStatus, step, error });
}

interface Unnamed {
  readonly found: Exclude<LookupResult, Observation>;
  /** What the service said of it. */
  readonly words: string | undefined;
}

/**
 * The service holds an event that this program cannot read. It is looked for until the settle time is over. After that
 * it counts as someone else's and the item fails; after a send of our own with unknown outcome, a person is asked.
 */
async function followUnnamed(claimed: ClaimedItem, { found, words }: Unnamed): Promise<StepResult> {
  const { on, item } = claimed;
  const reason = conflictReason(words);
  const fields = { httpStatus: 409, reason };
  const step = { is: 'there-unread', ...(words === undefined ? {} : { words }) } as const;
  const ageMs = on.clock.surelySince(item.sentAt ?? 0);
  const leftMs = on.settleMs - ageMs;
  if (found === 'absent' && leftMs > 0) {
    const dueAt = on.clock.now() + Math.min(leftMs, pollDelayMs(ageMs, on.intervalMs));
    const waits = { ...fields, dueAt, step: { ...step, looksAgain: true } } as const;
    if (!(await claimed.release('pending', waits))) return claimed.leaseLost();
    return { to: 'pending', dueAt, answered: true };
  }
  if ((await mayHaveArrivedBefore(on, item)) || (await earlierItemMayHaveArrived(on, item)))
    return await claimed.finish({ ...fields, state: 'uncertain', errorCode: 'outcome.unknown', step });
  const facts = { httpStatus: 409, sent: 'yes', retryable: false } as const;
  const error = new FiscalError('service.conflict', { message: reasonWords(reason) }, facts);
  return await claimed.finish({ ...fields, state: 'failed', errorCode: error.code, step, error });
}

/**
 * The refusal concerns only the last send. What an earlier send of unknown outcome created is looked up, or a person is
 * asked.
 */
export async function refused(
  claimed: ClaimedItem,
  { error, fields }: { readonly error: FiscalError; readonly fields: Partial<ItemPatch> },
): Promise<StepResult> {
  const ending = { ...fields, step: failed(error), error } as const;
  if (!(await mayHaveTakenEffect(claimed))) {
    const seen = claimed.on.kind.observeRefusal?.(error);
    if (seen === undefined) return await claimed.finish({ ...ending, state: 'failed' });
    const { httpStatus: status, requestId } = error.facts;
    const trace = { ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) };
    return await claimed.record({ ...seen, ...trace, step: failed(error) });
  }
  const found = claimed.on.kind.canLookUp ? await lookUp(claimed) : 'cannot tell';
  if (isObservation(found)) return await claimed.record({ ...found, step: { is: 'found', after: 'refusal' } });
  return await claimed.finish({ ...ending, state: 'uncertain' });
}

/** Whether the effect of another send than the last may exist, of this item or, where nothing shows it, of its key. */
async function mayHaveTakenEffect({ on, item }: ClaimedItem): Promise<boolean> {
  const { replay, canLookUp } = on.kind;
  if (replay === 'safe') return false;
  if (await mayHaveArrivedBefore(on, item)) return true;
  return replay === 'natural' && !canLookUp && (await earlierItemMayHaveArrived(on, item));
}

/** True when an earlier send of this item may have arrived. */
async function mayHaveArrivedBefore({ store }: StepDependencies, item: ItemRow): Promise<boolean> {
  return item.attempts > 1 && mayHaveArrived(await store.items.events(item.id), 'earlier');
}

/**
 * True when a send of an earlier item of the same key may have arrived, and no person said what became of it. The last
 * send of such an item is not in doubt: its answer ended the item.
 */
async function earlierItemMayHaveArrived(
  { store, profile, kind }: StepDependencies,
  { dedupeKey }: ItemRow,
): Promise<boolean> {
  for (const { id } of await store.items.sentBefore({ profile, kind: kind.name, dedupeKey })) {
    const events = await store.items.events(id);
    const isDecided = events.some(({ step }) => step.is === 'person-decided');
    if (!isDecided && mayHaveArrived(events, 'earlier')) return true;
  }
  return false;
}

const MAX_NAMED = 10;

/** The service has something that may or may not be this item: only a person can tell. */
export async function finishUnclear(claimed: ClaimedItem, found: Candidates | 'cannot tell'): Promise<StepResult> {
  const candidates = typeof found === 'object' ? found.mayBe.slice(0, MAX_NAMED) : [];
  const reason = { is: 'several-alike', about: candidates } as const;
  const step = { is: 'several-alike', candidates } as const;
  return await claimed.finish({ state: 'uncertain', errorCode: 'outcome.unknown', reason, step });
}

/** Looks for what an interrupted send may have created. An error is one that may pass. */
export async function lookUp({ on, item }: ClaimedItem): Promise<LookupResult | FiscalError> {
  try {
    return await on.kind.lookUp(on.client, item, on);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return isFinal(faultOf(error)) ? 'cannot tell' : error;
  }
}

/**
 * Looks for the item before it is sent. When the service refuses the read, nothing is known. Errors, and responses of another
 * shape or about another company, are no refusal and postpone the item.
 */
export async function findBefore({ on, item }: ClaimedItem, asking: AdmitContext): Promise<FoundBefore> {
  try {
    return (await on.kind.findBefore?.(asking, item)) ?? 'absent';
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const fault = faultOf(error);
    if (!isFinal(fault) || fault.misread === true || fault.misplaced === true) throw error;
    return { unknown: error.text };
  }
}

/**
 * A lookup that is refused, or answered in another shape or about another company, would not say more a moment later.
 */
function isFinal(fault: Fault): boolean {
  if (fault.misread === true || fault.misplaced === true) return true;
  return !fault.transient && fault.status !== 401 && isRefused(fault);
}

export function isObservation(found: LookupResult | FiscalError): found is Observation {
  return typeof found === 'object' && 'state' in found;
}
