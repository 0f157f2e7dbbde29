import type { Replay } from '../contract/operation.js';
import { isOutcomeUnknown, isRefusedBeforeWork } from '../domain/call-end.js';
import type { Sent } from '../errors/fiscal-error.js';
import type { ItemEvent, ItemState } from '../store/store.js';
import type { Random } from '../domain/world.js';

/**
 * The decisions of the job engine, free of side effects: what to do with a claimed item, and what a failed send means.
 * This is the only place that guarantees that nothing is sent twice.
 */

/** The rules for repeating one item. */
export interface RepeatRules {
  readonly replay: Replay;
  readonly canLookUp: boolean;
  /** Whether this item's call is billed. */
  readonly billed: boolean;
  /** The user allows repeating a billed call whose outcome is unknown. */
  readonly retryBillable: boolean;
  /** The user allows sending again what is still not found after its settle time. */
  readonly resendAbsent: boolean;
}

/** The parts of a failed send that matter for the decision. */
export interface Fault {
  readonly sent: Sent;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** Temporary (network, 429, 5xx): a later try can succeed. */
  readonly transient: boolean;
  /** A refusal, other than 409, which says that the resource already exists. */
  readonly isDuplicate?: boolean;
  /** A success whose body has an unexpected JSON shape: the same request would return the same again. */
  readonly misread?: boolean;
  /** A success about another company or resource than the one requested. */
  readonly misplaced?: boolean;
}

export type Recovery = 'look-up' | 'send' | 'ask';

/**
 * What to do after a send that may have arrived but got no answer.
 * @param wasTaken the service answered with a success whose content could not be read
 */
export function recovery(rules: RepeatRules, wasTaken = false): Recovery {
  return rules.canLookUp ? 'look-up' : recoverBlind(rules, wasTaken);
}

/**
 * Like `recovery`, when no lookup was possible or it was inconclusive. For a natural repeat, the service refuses a
 * second live request. Nothing promises that the service honours an Idempotency-Key (§4 only requires one), so a keyed
 * send counts as unsafe. After an unclear lookup, the consent to be billed twice is no consent to have the effect twice.
 */
export function recoverBlind(rules: RepeatRules, wasTaken = false): Exclude<Recovery, 'look-up'> {
  if (rules.replay === 'unsafe' && rules.canLookUp) return 'ask';
  if (rules.billed) return rules.retryBillable ? 'send' : 'ask';
  return isOnce(rules, wasTaken) ? 'ask' : 'send';
}

/**
 * True when the program must not send again on its own. A send that the service accepted is repeated only where that is
 * always harmless.
 */
function isOnce({ replay }: Pick<RepeatRules, 'replay'>, wasTaken: boolean): boolean {
  return replay === 'unsafe' || replay === 'keyed' || (replay === 'natural' && wasTaken);
}

/** A lookup that found nothing. */
interface Absence {
  /** Milliseconds that have certainly passed since the last send. */
  readonly ageMs: number;
  /** For how long after a send an empty lookup proves nothing. */
  readonly settleMs: number;
  /** The service answered the last send with a success whose content could not be read. */
  readonly wasTaken: boolean;
}

type AbsenceDecision =
  | { readonly kind: 'send' }
  /** Nothing was found, but the send may have been billed or may still take effect: only a person can decide. */
  | { readonly kind: 'ask'; readonly because: 'billed' | 'taken' | 'absent' }
  /** The service may still be processing the send. */
  | { readonly kind: 'look-again'; readonly afterMs: number };

const FIRST_LOOK_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** What to do when a lookup finds nothing. Shortly after the send that is no proof. */
export function decideAbsence(
  { ageMs, settleMs, wasTaken }: Absence,
  { replay, billed, retryBillable, resendAbsent }: RepeatRules,
): AbsenceDecision {
  const mustAsk = isOnce({ replay }, wasTaken);
  const leftMs = settleMs - Math.max(0, ageMs);
  // Repeating anything else is harmless and need not wait.
  if (leftMs > 0 && (mustAsk || billed)) {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_LOOK_MS, ageMs));
    return { kind: 'look-again', afterMs: Math.min(leftMs, pauseMs) };
  }
  if (wasTaken && mustAsk) return { kind: 'ask', because: 'taken' };
  if (billed && !retryBillable) return { kind: 'ask', because: 'billed' };
  if (mustAsk && !resendAbsent) return { kind: 'ask', because: 'absent' };
  return { kind: 'send' };
}

type FaultDecision =
  /** Nothing happened at the service: send again later. */
  | { readonly kind: 'send-later'; readonly retryAfterMs?: number }
  /** The outcome is unknown; a lookup or a repeat is allowed, later. */
  | { readonly kind: 'recover-later' }
  /** The outcome is unknown, and only a person can decide. */
  | { readonly kind: 'ask' }
  /** 409: a resource of this kind already exists. */
  | { readonly kind: 'conflict' }
  /** The service rejected this item. */
  | { readonly kind: 'refused' }
  /** The service rejected the API key: no item can continue. */
  | { readonly kind: 'credentials' };

/**
 * Sends after which a 500, a 408 or an unreadable answer is no longer considered temporary; only a person can find out what
 * happened.
 */
export const SENDS_BEFORE_ASKING = 8;

/** @param sends how often the item was sent so far, including this time */
export function decideFault(fault: Fault, rules: RepeatRules, sends: number): FaultDecision {
  if (fault.status === 401) return { kind: 'credentials' };
  if (isRefusal(fault)) {
    return fault.retryAfterMs === undefined
      ? { kind: 'send-later' }
      : { kind: 'send-later', retryAfterMs: fault.retryAfterMs };
  }
  if (fault.status === 409 || fault.isDuplicate === true) return { kind: 'conflict' };
  // The effect exists, for someone else: sending again would create a second one.
  if (fault.misplaced === true) return { kind: 'ask' };
  if (!isOutcomeUnknown(fault)) return { kind: 'refused' };
  // A free request that may always be repeated leaves nothing to find out.
  if (fault.misread === true && rules.replay === 'safe' && !rules.billed) return { kind: 'refused' };
  if (recovery(rules) === 'ask') return { kind: 'ask' };
  const isLasting = fault.misread === true || fault.status === 500 || fault.status === 408;
  if (isLasting && sends >= SENDS_BEFORE_ASKING) return { kind: 'ask' };
  return { kind: 'recover-later' };
}

function isRefusal(fault: Fault): boolean {
  return fault.sent === 'no' ? fault.transient : isRefusedBeforeWork(fault);
}

/** The states of an item that was sent and is not finished: a person may know more than the program can find out. */
export const openStates: readonly ItemState[] = ['uncertain', 'pending', 'sending'];

/**
 * Whether a send of an item may have arrived: it got neither an answer nor a refusal, so its effect may exist. `sends`:
 * all of them, or only those before the last one.
 */
export function mayHaveArrived(events: readonly ItemEvent[], sends: 'all' | 'earlier' = 'all'): boolean {
  // The entry after each send; a send in progress has none yet.
  const ends = events.flatMap(({ step }, index) => (step.is === 'sent' ? [events[index + 1]] : []));
  return (sends === 'all' ? ends : ends.slice(0, -1)).some((end) => end?.to !== 'prepared');
}

const FIRST_POLL_MS = 300;
const RETRY_BASE_MS = 250;
const RETRY_CAP_MS = 30_000;

/**
 * The pause before a pending item is read again: half its age, so that quick results are seen at once and slow ones
 * cost few calls; never longer than the interval set by the user.
 */
export function pollDelayMs(ageMs: number, intervalMs: number): number {
  return Math.min(intervalMs, Math.max(FIRST_POLL_MS, Math.round(ageMs / 2)));
}

/** Full-jitter exponential backoff (§8), in milliseconds. `failures` counts from 1. */
export function retryDelayMs(failures: number, random: Random): number {
  const ceiling = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** Math.min(failures, 10));
  return Math.round(random.unit() * ceiling);
}

const SHORTEST_LOOK_MS = 500;

/**
 * The longest pause that a run makes on its own: the user's limit, with a minimum so that it does not poll in a tight
 * loop.
 */
export function longestPause({ maxRetryWaitMs }: { readonly maxRetryWaitMs: number }): number {
  return Math.max(SHORTEST_LOOK_MS, maxRetryWaitMs);
}
