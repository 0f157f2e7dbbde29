import type { Replay } from '../contract/operation.js';
import { isRefusedBeforeWork } from '../domain/billing.js';
import type { Sent } from '../errors/fiscal-error.js';
import type { ItemEvent, ItemState } from '../store/store.js';
import type { Random } from '../domain/world.js';

/**
 * The decisions of the job engine, without effects: what to do with an item that was just taken from the
 * queue, and what a failed send means. `never twice` is decided here and nowhere else.
 */

/** What limits the repetition of one item. */
export interface RepeatRules {
  readonly replay: Replay;
  readonly canLookUp: boolean;
  /** This item's own call is billed. */
  readonly billed: boolean;
  /** The user accepts that a billed call of unknown outcome is made again. */
  readonly retryBillable: boolean;
  /** The user accepts that what is not found after its settle time is sent again. */
  readonly resendAbsent: boolean;
}

/** A failed send, as far as it matters for the decision. */
export interface Fault {
  readonly sent: Sent;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The failure passes by itself (network, 429, 5xx): a later try can help. */
  readonly transient: boolean;
  /** A refusal which says that the thing is there already, though not by 409. */
  readonly isDuplicate?: boolean;
  /** A success whose body is JSON of another shape: the same request brings the same again. */
  readonly misread?: boolean;
  /** A success about another company, or another object, than the one that was asked for. */
  readonly misplaced?: boolean;
}

export type Recovery = 'look-up' | 'send' | 'ask';

/**
 * What to do about a send that may have arrived and whose answer never came.
 * @param wasTaken the service answered it with a success, of which no more could be read
 */
export function recover(rules: RepeatRules, wasTaken = false): Recovery {
  return rules.canLookUp ? 'look-up' : recoverBlind(rules, wasTaken);
}

/**
 * The same when looking was not possible or told nothing. A natural repeat is refused by the service while the first is
 * alive. That the service keeps an Idempotency-Key is promised nowhere (§4 only asks for one), so a keyed send counts as unsafe.
 */
export function recoverBlind(rules: RepeatRules, wasTaken = false): Exclude<Recovery, 'look-up'> {
  if (rules.billed) return rules.retryBillable ? 'send' : 'ask';
  return isOnce(rules, wasTaken) ? 'ask' : 'send';
}

/** Must not be sent again on the word of this program. What was taken is sent again only where that is always harmless. */
function isOnce({ replay }: Pick<RepeatRules, 'replay'>, wasTaken: boolean): boolean {
  return replay === 'unsafe' || replay === 'keyed' || (replay === 'natural' && wasTaken);
}

/** A look that found nothing. */
interface Absence {
  /** Milliseconds that have surely passed since the last send. */
  readonly ageMs: number;
  /** How long after a send its absence proves nothing. */
  readonly settleMs: number;
  /** The service answered the last send with a success, of which no more could be read. */
  readonly wasTaken: boolean;
}

type AbsenceDecision =
  | { readonly kind: 'send' }
  /** Nothing is there, and yet the send may have cost money or may still take effect: only a person may decide. */
  | { readonly kind: 'ask'; readonly because: 'billed' | 'taken' | 'absent' }
  /** The service may still be at work on the send whose answer never came. */
  | { readonly kind: 'look-again'; readonly afterMs: number };

const FIRST_LOOK_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** What to do when the look-up says that nothing is there: soon after the send that is no proof. */
export function decideAbsence(
  { ageMs, settleMs, wasTaken }: Absence,
  { replay, billed, retryBillable, resendAbsent }: RepeatRules,
): AbsenceDecision {
  const mustAsk = isOnce({ replay }, wasTaken);
  const leftMs = settleMs - Math.max(0, ageMs);
  // A repeat of the others does no harm, so it need not wait.
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
  /** Nothing was done at the far side: send again later. */
  | { readonly kind: 'send-later'; readonly retryAfterMs?: number }
  /** The outcome is unknown, and asking or sending again is allowed: recover later. */
  | { readonly kind: 'recover-later' }
  /** The outcome is unknown, and only a person may decide. */
  | { readonly kind: 'ask' }
  /** 409: something of this kind is there already. */
  | { readonly kind: 'conflict' }
  /** The service said no to this item. */
  | { readonly kind: 'refused' }
  /** The service said no to the key: no item can go on. */
  | { readonly kind: 'credentials' };

/** After so many sends a 500, or an answer that cannot be read, does not pass; what it left, only a person can find out. */
export const SENDS_BEFORE_ASKING = 8;

/** @param sends how often the item has been sent so far, this time included */
export function decideFault(fault: Fault, rules: RepeatRules, sends: number): FaultDecision {
  if (fault.status === 401) return { kind: 'credentials' };
  if (isRefusal(fault)) {
    return fault.retryAfterMs === undefined
      ? { kind: 'send-later' }
      : { kind: 'send-later', retryAfterMs: fault.retryAfterMs };
  }
  if (fault.status === 409 || fault.isDuplicate === true) return { kind: 'conflict' };
  // The effect exists, for somebody else: to send it again would make a second one.
  if (fault.misplaced === true) return { kind: 'ask' };
  if (!isOutcomeUnknown(fault)) return { kind: 'refused' };
  // What may be sent at any time, free of charge, has left nothing that must be found out.
  if (fault.misread === true && rules.replay === 'safe' && !rules.billed) return { kind: 'refused' };
  if (recover(rules) === 'ask') return { kind: 'ask' };
  if ((fault.status === 500 || fault.misread === true) && sends >= SENDS_BEFORE_ASKING)
    return { kind: 'ask' };
  return { kind: 'recover-later' };
}

function isRefusal(fault: Fault): boolean {
  return fault.sent === 'no' ? fault.transient : isRefusedBeforeWork(fault);
}

/** No answer, a 5xx, or a success whose body cannot be read: the effect may exist. */
function isOutcomeUnknown(fault: Fault): boolean {
  if (fault.sent === 'no') return false;
  if (fault.sent === 'unknown' || fault.status === undefined) return true;
  return fault.status >= 500 || fault.status < 400;
}

/** What was sent and has no end yet: a person may know more of it than this program can find out. */
export const openStates: readonly ItemState[] = ['uncertain', 'pending', 'sending'];

/**
 * Whether a send of an item may have arrived: it was neither answered nor refused before its work, so that its effect may
 * exist. `sends`: all of them, or only those before the last one.
 */
export function mayHaveArrived(events: readonly ItemEvent[], sends: 'all' | 'earlier' = 'all'): boolean {
  // What was written right after each send; the end of a send under way is not there yet.
  const ends = events.flatMap(({ note }, index) => (note.startsWith('send ') ? [events[index + 1]] : []));
  return (sends === 'all' ? ends : ends.slice(0, -1)).some((end) => end?.to !== 'prepared');
}

const FIRST_POLL_MS = 300;
const RETRY_BASE_MS = 250;
const RETRY_CAP_MS = 30_000;

/**
 * The pause before the next look at a pending item: half of its age, so that quick results are seen at
 * once and slow ones cost few calls, never longer than the interval that the user set.
 */
export function pollDelayMs(ageMs: number, intervalMs: number): number {
  return Math.min(intervalMs, Math.max(FIRST_POLL_MS, Math.round(ageMs / 2)));
}

/** Full-jitter exponential backoff (§8). `failures` counts from 1. */
export function retryDelayMs(failures: number, random: Random): number {
  const ceiling = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** Math.min(failures, 10));
  return Math.round(random.unit() * ceiling);
}

const SHORTEST_LOOK_MS = 500;

/** The longest pause that a run makes of its own: what the user allows, and never so little that it looks without end. */
export function longestPause({ maxRetryWaitMs }: { readonly maxRetryWaitMs: number }): number {
  return Math.max(SHORTEST_LOOK_MS, maxRetryWaitMs);
}
