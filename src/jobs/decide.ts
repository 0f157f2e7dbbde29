import type { Replay } from '../contract/operation.js';
import type { Sent } from '../errors/fiscal-error.js';

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
}

/** A failed send, as far as it matters for the decision. */
export interface Fault {
  readonly sent: Sent;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The failure passes by itself (network, 429, 5xx): a later try can help. */
  readonly transient: boolean;
  /** A refusal which says that the thing is there already, though not by 409. */
  readonly twin?: boolean;
}

export type Recovery = 'look-up' | 'send' | 'ask';

/** What to do about a send that may have arrived and whose answer never came. */
export function recover(rules: RepeatRules): Recovery {
  return rules.canLookUp ? 'look-up' : recoverBlind(rules);
}

/** The same when looking was not possible or told nothing. */
export function recoverBlind(rules: RepeatRules): Exclude<Recovery, 'look-up'> {
  if (rules.billed) return rules.retryBillable ? 'send' : 'ask';
  return rules.replay === 'unsafe' ? 'ask' : 'send';
}

/** A look that found nothing. */
export interface Absence {
  /** Milliseconds since the last send. */
  readonly ageMs: number;
  /** How long after a send its absence proves nothing. */
  readonly settleMs: number;
  /** The service answered the last send with a success, of which no more could be read. */
  readonly wasTaken: boolean;
}

export type AbsenceDecision =
  | { readonly kind: 'send' }
  /** Nothing is there, and yet the send may have cost money or may still take effect: only a person may decide. */
  | { readonly kind: 'ask'; readonly because: 'billed' | 'taken' }
  /** The service may still be at work on the send whose answer never came. */
  | { readonly kind: 'look-again'; readonly afterMs: number };

const FIRST_LOOK_MS = 500;

/** What to do when the look-up says that nothing is there: soon after the send that is no proof. */
export function decideAbsence(
  { ageMs, settleMs, wasTaken }: Absence,
  { replay, billed, retryBillable }: RepeatRules,
): AbsenceDecision {
  const leftMs = settleMs - Math.max(0, ageMs);
  if (leftMs > 0) return { kind: 'look-again', afterMs: Math.min(leftMs, Math.max(FIRST_LOOK_MS, ageMs)) };
  if (wasTaken && replay === 'unsafe') return { kind: 'ask', because: 'taken' };
  if (billed && !retryBillable) return { kind: 'ask', because: 'billed' };
  return { kind: 'send' };
}

export type FaultDecision =
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

/** After so many sends a 500 is no passing fault; what it left behind, only a person can find out. */
const SENDS_BEFORE_500_ASKS = 8;

/** @param sends how often the item has been sent so far, this time included */
export function decideFault(fault: Fault, rules: RepeatRules, sends: number): FaultDecision {
  if (fault.status === 401) return { kind: 'credentials' };
  if (isRefusalBeforeWork(fault)) {
    return fault.retryAfterMs === undefined
      ? { kind: 'send-later' }
      : { kind: 'send-later', retryAfterMs: fault.retryAfterMs };
  }
  if (fault.status === 409 || fault.twin === true) return { kind: 'conflict' };
  if (!isOutcomeUnknown(fault)) return { kind: 'refused' };
  if (recover(rules) === 'ask') return { kind: 'ask' };
  if (fault.status === 500 && sends >= SENDS_BEFORE_500_ASKS) return { kind: 'ask' };
  return { kind: 'recover-later' };
}

/** §8: 429 is refused before any work; so is a 503 that names the time to come back (assumed). */
function isRefusalBeforeWork(fault: Fault): boolean {
  if (fault.sent === 'no') return fault.transient;
  if (fault.status === 429) return true;
  return fault.status === 503 && fault.retryAfterMs !== undefined;
}

/** No answer, a 5xx, or a success whose body cannot be read: the effect may exist. */
function isOutcomeUnknown(fault: Fault): boolean {
  if (fault.sent === 'no') return false;
  if (fault.sent === 'unknown' || fault.status === undefined) return true;
  return fault.status >= 500 || fault.status < 400;
}
