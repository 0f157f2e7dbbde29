import type { Replay } from '../contract/operation.js';
import { isOutcomeUnknown, isRefusedBeforeWork } from '../domain/call-end.js';
import type { Sent } from '../errors/fiscal-error.js';

/** Everything the decision depends on. */
export interface AttemptEnd {
  readonly replay: Replay;
  readonly billed: boolean;
  readonly retryBillable: boolean;
  readonly sent: Sent;
  /** Absent when no answer came. */
  readonly status?: number;
  /** False for failures that do not pass: an untrusted certificate, an answer over the size limit. */
  readonly transient: boolean;
  readonly retryAfterMs?: number;
  /** Attempts made so far, including this one. */
  readonly attempts: number;
  readonly waitedMs: number;
  readonly maxWaitMs: number;
  /** A random number in [0, 1) for the jitter. */
  readonly unit: number;
}

export type RetryDecision =
  | { readonly kind: 'repeat'; readonly afterMs: number }
  | { readonly kind: 'stop'; readonly why: 'final' | 'ambiguous' | 'attempts' }
  /** Only the time is missing: the required wait exceeds the user's limit. */
  | { readonly kind: 'stop'; readonly why: 'wait'; readonly needMs: number };

const BASE_MS = 250;
const CAP_MS = 30_000;
const MAX_ATTEMPTS = 5;
const TEMPORARY = new Set([429, 502, 503, 504]);

/** Decides whether and when a request is sent again. Pure; follows the operations' `replay`. */
export function decideRetry(end: AttemptEnd): RetryDecision {
  if (!isTemporary(end)) return { kind: 'stop', why: 'final' };
  if (!mayRepeat(end)) return { kind: 'stop', why: 'ambiguous' };
  const afterMs = waitFor(end);
  const asked = end.retryAfterMs ?? afterMs;
  if (end.waitedMs + asked > end.maxWaitMs) return { kind: 'stop', why: 'wait', needMs: asked };
  if (end.attempts >= MAX_ATTEMPTS) return { kind: 'stop', why: 'attempts' };
  return { kind: 'repeat', afterMs };
}

/** True when the rules allow the same request again, regardless of time and attempts left. */
export function isRetryable(end: AttemptEnd): boolean {
  return isTemporary(end) && mayRepeat(end);
}

/** True when the service may have carried the request out without the program knowing. */
export function isAmbiguous(end: Pick<AttemptEnd, 'sent' | 'status'>): boolean {
  // An answer that cannot be read has no status here, and was given.
  return !(end.sent === 'yes' && end.status === undefined) && isOutcomeUnknown(end);
}

/** True when a request with unknown outcome may be repeated. */
export function bearsRepetition(end: Pick<AttemptEnd, 'replay' | 'billed' | 'retryBillable'>): boolean {
  if (end.billed) return end.retryBillable;
  return end.replay === 'safe' || end.replay === 'natural';
}

function isTemporary(end: AttemptEnd): boolean {
  return end.status === undefined ? end.transient : TEMPORARY.has(end.status);
}

function mayRepeat(end: AttemptEnd): boolean {
  return isRefusedBeforeWork(end) || bearsRepetition(end);
}

/**
 * Full jitter under an exponential ceiling. A requested wait can only lengthen it, and gets some jitter of its own, so
 * that clients do not return all at once (§8).
 */
function waitFor(end: AttemptEnd): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(end.attempts - 1, 20));
  const jitter = Math.floor(end.unit * ceiling);
  return Math.max(jitter, (end.retryAfterMs ?? 0) + Math.min(jitter, BASE_MS));
}

/** A thousand years: the time at its end still has a year of four digits. */
const LONGEST_WAIT_MS = 1_000 * 365.25 * 86_400_000;

/**
 * Reads `Retry-After`: seconds (§8) or an HTTP date. Returns milliseconds from `now`, never negative and at most
 * `LONGEST_WAIT_MS`; `undefined` when the header is missing or unreadable.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const ms = askedWaitMs(header?.trim(), now);
  return ms === undefined ? undefined : Math.min(Math.max(0, ms), LONGEST_WAIT_MS);
}

function askedWaitMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse accepts much that is no date ("-5" is a year); an HTTP date always names the month.
  if (!/[A-Za-z]{3}/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - now;
}

/** A wait that the service asked for, in milliseconds. */
export interface RequestedWait {
  /** What is believed of it. */
  readonly retryAfterMs: number;
  readonly askedMs: number;
}

/**
 * The wait of a `Retry-After`, of which at most `maxBelievedMs` are believed: one wrong header must not stop this machine for
 * years. With 0 none is believed. `undefined` when there is none.
 */
export function requestedWait(
  header: string | undefined,
  now: number,
  maxBelievedMs: number,
): RequestedWait | undefined {
  const askedMs = retryAfterMs(header, now);
  if (askedMs === undefined || (maxBelievedMs === 0 && askedMs > 0)) return undefined;
  return { retryAfterMs: Math.min(askedMs, maxBelievedMs), askedMs };
}
