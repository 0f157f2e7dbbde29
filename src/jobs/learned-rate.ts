import type { LearnedRate } from '../store/store.js';

/**
 * What the refusals (429) of a service say of its limit, learned by all processes of a store together. Between two refusals a
 * token bucket goes from empty to full and back to empty, so the requests accepted meanwhile, of every process, divided by the
 * time passed give its rate, whatever its size. The service publishes no limit (§8).
 * Not every refusal comes from a limit: a service that refuses one request in fifty does so at any rate, and slowing down for it
 * would never end. So a limit is believed when measurements agree, and no longer when a refusal comes far below it.
 */

/** Refusals closer together than this count as one. */
const ONE_MOMENT_MS = 300;
/** A longer time between two refusals says that there was less to send, and nothing about the limit. */
const LONGEST_MEASUREMENT_MS = 600_000;
/** Consecutive measurements that must agree before a limit is believed. */
const AGREEING = 3;
/** A measurement agrees that is no smaller than this share of the limit. */
const NEAR = 0.7;
/** What a measurement that does not agree leaves of the limit. */
const KEPT = 0.8;
/** A limit that is not believed is exceeded by so much: few requests are in flight when the next refusal comes. */
const DOUBT = 5;
/** The rate after a first refusal, in requests per millisecond, for the same reason. */
const UNMEASURED_PER_MS = 0.5;
/** Stays just under a limit that is believed. */
const MARGIN = 0.985;
/**
 * How the rate is raised after a refusal: slowly at first, faster the longer nothing is refused, as congestion control does near
 * a known limit: by 3 % at the time to try and five times at five times of it. Each measurement that agrees doubles that time,
 * from 10 seconds when the limit is first believed to one minute.
 */
const TRY_SHARE = 0.03;
const FIRST_TRY_MS = 1_250;
const LONGEST_TRY_MS = 60_000;
/** A rate this much above the average was possible: the limit is between the two (a window, which keeps nothing of a pause). */
const FAR_ABOVE = 1.1;

interface Refusal {
  readonly now: number;
  /** When the refused request was sent. */
  readonly sentAt: number;
  /** Accepted so far, of every process. */
  readonly accepted: number;
}

/** What a refusal teaches. `undefined`: nothing, since its request was in flight when the last refusal was counted. */
export function afterRefusal(learned: LearnedRate, refusal: Refusal): LearnedRate | undefined {
  const { now, sentAt, accepted } = refusal;
  const counted = { refusedAt: now, acceptedThen: accepted };
  // The first refusal ends a burst of unknown size: it starts the clock and gives no measurement.
  if (learned.refusedAt === null) return { ...counted, agreeing: 0, limitPerMs: 0 };
  if (sentAt - learned.refusedAt < ONE_MOMENT_MS) return undefined;
  const passedMs = now - learned.refusedAt;
  if (passedMs > LONGEST_MEASUREMENT_MS) return { ...counted, agreeing: 0, limitPerMs: learned.limitPerMs };
  const perMs = (accepted - learned.acceptedThen) / passedMs;
  return { ...counted, ...limitAfter(learned, perMs, shareAt(learned, now)) };
}

type Limit = Pick<LearnedRate, 'agreeing' | 'limitPerMs'>;

/** `share`: how much of the limit was used last. Above 1 a refusal was expected. */
function limitAfter({ agreeing, limitPerMs }: Limit, perMs: number, share: number): Limit {
  if (perMs === 0 || perMs < limitPerMs * NEAR) return { agreeing: 0, limitPerMs: limitPerMs * KEPT };
  const agreed = agreeing + 1;
  if (agreeing < AGREEING) return { agreeing: agreed, limitPerMs: Math.max(perMs, limitPerMs) };
  if (share <= 1) return { agreeing: agreed, limitPerMs: Math.min(perMs, limitPerMs) };
  const reached = limitPerMs * share;
  return { agreeing: agreed, limitPerMs: reached > perMs * FAR_ABOVE ? (perMs + reached) / 2 : perMs };
}

/** Milliseconds between the requests of all processes. */
export function intervalMsOf(learned: LearnedRate, now: number): number {
  const { agreeing, limitPerMs } = learned;
  const triedPerMs = agreeing < AGREEING ? limitPerMs * DOUBT || UNMEASURED_PER_MS : limitPerMs;
  return 1 / (triedPerMs * shareAt(learned, now));
}

function shareAt({ refusedAt, agreeing }: LearnedRate, now: number): number {
  const tryMs = Math.min(LONGEST_TRY_MS, FIRST_TRY_MS * 2 ** agreeing);
  return MARGIN + TRY_SHARE * (Math.max(0, now - (refusedAt ?? now)) / tryMs) ** 3;
}
