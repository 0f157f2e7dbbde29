import type { LearnedRate, PaceRow, PaceRows } from '../store/store.js';
import type { Pace, PacedAnswer } from '../client/client.js';
import type { Text } from '../contract/text.js';
import { fiscalLine } from '../domain/command-words.js';
import { durationInWords, momentInWords } from '../domain/dates.js';
import type { Clock } from '../domain/world.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import { longWait } from '../client/long-wait.js';

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

interface SharedPaceOptions {
  readonly rows: PaceRows;
  readonly profile: string;
  /** Requests per second that the user allows, for all processes on the store together. */
  readonly rps?: number;
  /** The longest wait that the service may request before the call fails. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Shows that the service asked for a wait of which only a part is believed. */
  unbelieved?(sentence: Text): Promise<void>;
}

/** A process that waits looks so often whether `fiscal job resume --end-waits` has ended the wait. */
const LOOK_AGAIN_MS = 5_000;
/** A process reserves at most the slots of so much time at once, for requests that wait. */
const BLOCK_MS = 250;
/** It reserves the next ones so long before its last one. */
const LEAD_MS = 100;
/** What was accepted is counted in the row at least so often, so that a measurement has it. */
const COUNT_MS = 100;

interface HostSlots {
  /** Reserved and not taken yet. */
  free: number[];
  /** The last one reserved. */
  lastAt: number;
  /** Requests that wait for a slot. */
  waiting: number;
  /** Ends when the request before has its slot. */
  turn: Promise<unknown>;
}

/**
 * Shares one request rate per host among all processes on the store: a row, read before every request or by the write that the
 * request has just waited for. Without a rate set by the user, the service's limit is learned from its 429 responses
 * (`afterRefusal`).
 */
export function createSharedPace(options: SharedPaceOptions): Pace {
  const { rows, profile, rps, clock } = options;
  const accepted = createAcceptedCount(clock);
  const slots = createSlots(options, accepted);
  const said = new Set<string>();
  /** What was read before the last refusal of this process was written says nothing of it. */
  let refusedAt = Number.NEGATIVE_INFINITY;
  /** Those that are being written. */
  let refusals = 0;
  const count = (host: string): Promise<unknown> =>
    rows.reserve({ profile, host }, { count: 0, intervalMs: 0, accepted: accepted.take(host) }, clock.now());
  const learn = async (host: string, tookMs: number): Promise<void> => {
    const key = { profile, host };
    accepted.begin(host);
    await count(host);
    const row = await rows.get(key);
    if (row === undefined) return;
    const now = clock.now();
    const learned = afterRefusal(row, { now, sentAt: now - tookMs, accepted: row.accepted });
    if (learned !== undefined) await rows.learn(key, row.refusedAt, learned);
  };
  const refused = async (host: string, { status, tookMs, retryAfterMs, askedMs }: PacedAnswer): Promise<void> => {
    if (retryAfterMs !== undefined && retryAfterMs > 0) {
      const key = { profile, host };
      const until = clock.now() + retryAfterMs;
      const isBelieved = askedMs === undefined || askedMs <= retryAfterMs;
      await rows.block(key, until, isBelieved ? undefined : askedMs);
      if (!isBelieved && !said.has(host)) {
        said.add(host);
        await options.unbelieved?.(unbelievedWait({ host, askedMs, waitMs: retryAfterMs }));
      }
    }
    if (status === 429 && rps === undefined) await learn(host, tookMs);
  };
  return {
    async enter(host, signal, around) {
      for (;;) {
        const given = refusals > 0 ? undefined : around?.takePace(host, refusedAt);
        // A block that was read beside something else is looked at again: it may have ended.
        const isFree = given !== undefined && (given.seen?.blockedUntil ?? 0) <= clock.now();
        const row = isFree ? given.seen : await waitForBlock(options, host, signal);
        if (rps === undefined) {
          if ((row?.refusedAt ?? null) === null) return;
          accepted.begin(host);
        }
        const at = await slots.take(host, signal);
        if (at <= clock.now()) return;
        let isReached = false;
        try {
          isReached = await waitForSlot(options, { host, at }, signal);
        } finally {
          if (!isReached) slots.forget(host);
        }
        if (!isReached) continue;
        // While this request waited for its slot, another one may have received a 429.
        if (((await rows.get({ profile, host }))?.blockedUntil ?? 0) <= clock.now()) return;
      }
    },
    async observe(host, answer) {
      // Only a measurement depends on this write: the answer neither waits for it nor fails with it.
      if (answer.status !== 429 && accepted.add(host)) void count(host).catch(() => undefined);
      if (answer.status !== 429 && answer.status !== 503) return;
      refusals += 1;
      try {
        await refused(host, answer);
      } finally {
        refusals -= 1;
        refusedAt = clock.now();
      }
    },
  };
}

/**
 * Requests that each host accepted of this process since its first refusal, until the next write to its row takes them along.
 * A burst before the first refusal measures nothing.
 */
function createAcceptedCount(clock: Clock) {
  const byHost = new Map<string, { count: number; takenAt: number }>();
  return {
    begin(host: string): void {
      if (!byHost.has(host)) byHost.set(host, { count: 0, takenAt: clock.now() });
    },
    /** Whether they have waited long for a write. */
    add(host: string): boolean {
      const own = byHost.get(host);
      if (own === undefined) return false;
      own.count += 1;
      return clock.now() - own.takenAt >= COUNT_MS;
    },
    take(host: string): number {
      const count = byHost.get(host)?.count ?? 0;
      if (byHost.has(host)) byHost.set(host, { count: 0, takenAt: clock.now() });
      return count;
    },
  };
}

/** Waits until the row's block ends, is extended no more, or is reset by another process. Throws at once when the wait exceeds the limit. */
async function waitForBlock(
  options: SharedPaceOptions,
  host: string,
  signal?: AbortSignal,
): Promise<PaceRow | undefined> {
  const { rows, profile, clock, maxWaitMs } = options;
  const since = clock.now();
  for (;;) {
    const row = await rows.get({ profile, host });
    const until = row?.blockedUntil ?? 0;
    const now = clock.now();
    if (until <= now) return row;
    if (until - since > maxWaitMs) {
      const askedMs = (await rows.blocked(profile, now)).find((each) => each.host === host)?.askedMs;
      throw tooLong(host, { waitMs: until - now, now }, askedMs);
    }
    await clock.sleep(Math.min(until - now, LOOK_AGAIN_MS), signal, askedUntil(host, until));
  }
}

/** False when the slots were freed meanwhile (`fiscal job resume --end-waits`): a new one is nearer. */
async function waitForSlot(
  { rows, profile, rps, clock, maxWaitMs }: SharedPaceOptions,
  { host, at }: { readonly host: string; readonly at: number },
  signal?: AbortSignal,
): Promise<boolean> {
  const waitMs = at - clock.now();
  // A rate that the user sets may be as slow as they like.
  if (waitMs > Math.max(maxWaitMs, rps === undefined ? 0 : 1_000 / rps))
    throw tooLong(host, { waitMs, now: clock.now() });
  for (;;) {
    const leftMs = Math.ceil(at - clock.now());
    if (leftMs <= 0) return true;
    await clock.sleep(Math.min(leftMs, LOOK_AGAIN_MS), signal, turnAt(host, at));
    if (leftMs > LOOK_AGAIN_MS && ((await rows.get({ profile, host }))?.nextSlotAt ?? 0) < at) return false;
  }
}

function askedUntil(host: string, until: number): Text {
  const at = momentInWords(until);
  return { en: `${host}, which asked for a wait until ${at.en}`, pt: `${host}, que pediu uma espera até ${at.pt}` };
}

function turnAt(host: string, time: number): Text {
  const at = momentInWords(time);
  return { en: `the next request to ${host} at ${at.en}`, pt: `a próxima requisição a ${host} em ${at.pt}` };
}

function tooLong(
  host: string,
  wait: { readonly waitMs: number; readonly now: number },
  askedMs: number | null = null,
): FiscalError {
  const { waitMs } = wait;
  const hint = askedMs === null ? {} : { hint: unbelievedWait({ host, askedMs, waitMs }) };
  return longWait('service.rate_limited', wait, { sent: 'no', retryable: true, ...hint });
}

interface UnbelievedWait {
  readonly host: string;
  readonly askedMs: number;
  /** Of which so much is believed, or left. */
  readonly waitMs: number;
}

/** What was asked for, what is done, and how to end it. */
function unbelievedWait({ host, askedMs, waitMs }: UnbelievedWait): Text {
  const [asked, wait] = [durationInWords(askedMs), durationInWords(waitMs)];
  const line = fiscalLine({ command: 'job resume', positionals: [], flags: [['--end-waits', true]] });
  return {
    en: `${host} asked for a wait of ${asked.en}; requests wait ${wait.en} (--max-believed-wait); to end the wait: ${line}`,
    pt: `${host} pediu uma espera de ${asked.pt}; as requisições esperam ${wait.pt} (--max-believed-wait); para encerrá-la: ${line}`,
  };
}

/** Reserves slots for the requests that wait, a few at a time, so that a high rate does not need one write per request. */
function createSlots(options: SharedPaceOptions, accepted: ReturnType<typeof createAcceptedCount>) {
  const { rows, profile, rps, clock } = options;
  const hosts = new Map<string, HostSlots>();
  const slotsOf = (host: string): HostSlots => {
    const slots = hosts.get(host) ?? { free: [], lastAt: 0, waiting: 0, turn: Promise.resolve() };
    hosts.set(host, slots);
    return slots;
  };
  const intervalOf = async (host: string): Promise<number> => {
    if (rps !== undefined) return 1_000 / rps;
    const row = await rows.get({ profile, host });
    return row === undefined ? 0 : intervalMsOf(row, clock.now());
  };
  const reserve = async (host: string, slots: HostSlots): Promise<void> => {
    const intervalMs = await intervalOf(host);
    const now = clock.now();
    const count = Math.max(1, Math.min(slots.waiting, Math.floor(BLOCK_MS / intervalMs)));
    const first = await rows.reserve({ profile, host }, { count, intervalMs, accepted: accepted.take(host) }, now);
    slots.free = Array.from({ length: count }, (_, index) => first + index * intervalMs);
    slots.lastAt = first + (count - 1) * intervalMs;
  };
  const takeNow = async (host: string, signal: AbortSignal | undefined): Promise<number> => {
    const slots = slotsOf(host);
    // Slots in the past are dropped: using them late would bunch requests together.
    slots.free = slots.free.filter((slot) => slot >= clock.now() - LEAD_MS);
    if (slots.free.length === 0) {
      // Not far ahead, so that a rate that changes is soon that of every request.
      const at = slots.lastAt - LEAD_MS;
      if (at > clock.now()) await waitForSlot(options, { host, at }, signal);
      await reserve(host, slots);
    }
    return slots.free.shift() ?? clock.now();
  };
  return {
    forget: (host: string): boolean => hosts.delete(host),
    /** When the next request to the host may start, in milliseconds. Serialised: two requests must not take the same slot. */
    async take(host: string, signal?: AbortSignal): Promise<number> {
      const slots = slotsOf(host);
      slots.waiting += 1;
      const turn = slots.turn.then(() => takeNow(host, signal)).finally(() => (slots.waiting -= 1));
      slots.turn = turn.catch(() => undefined);
      return await turn;
    },
  };
}
