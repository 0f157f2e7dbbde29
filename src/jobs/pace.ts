import type { Pace } from '../client/client.js';
import type { Text } from '../contract/text.js';
import { fiscalLine } from '../domain/command-words.js';
import { durationInWords } from '../domain/dates.js';
import type { Clock } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { PaceRow, PaceRows } from '../store/store.js';

interface SharedPaceOptions {
  readonly rows: PaceRows;
  readonly profile: string;
  /** Requests per second that the user allows, for all processes on this machine together. */
  readonly rps?: number;
  /** The longest wait that the service may request before the call fails. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Shows that the service asked for a wait of which only a part is believed. */
  unbelieved?(sentence: Text): Promise<void>;
}

/** A process that waits looks so often whether `fiscal pace reset` has ended the wait. */
const LOOK_AGAIN_MS = 5_000;
/** How far ahead a process reserves slots. Slots that it does not use are lost to the others. */
const BLOCK_MS = 250;
/** How long a rate learned by another process is trusted. */
const INHERIT_MS = 30_000;

/**
 * Shares one request rate per host among all processes of this machine: a row in the store, read before every request.
 * Without a rate set by the user, the service's limit is learned from its 429 responses.
 */
export function createSharedPace(options: SharedPaceOptions): Pace {
  const { rows, profile, clock } = options;
  const rates = createRates(options);
  const slots = createSlots(options);
  const said = new Set<string>();
  return {
    async enter(host, signal) {
      for (;;) {
        const row = await waitForBlock(options, host, signal);
        const intervalMs = rates.of(host, row).intervalMs(clock.now());
        if (intervalMs === undefined) return;
        const at = await slots.take(host, intervalMs);
        if (at <= clock.now()) return;
        await clock.sleep(at - clock.now(), signal);
        // While this request waited for its slot, another one may have received a 429.
        if (((await rows.get({ profile, host }))?.blockedUntil ?? 0) <= clock.now()) return;
      }
    },
    async observe(host, { status, retryAfterMs, askedMs }) {
      if (status === 429) rates.of(host).limited(clock.now());
      else rates.of(host).accepted();
      const isHeld = status === 429 || status === 503;
      if (!isHeld || retryAfterMs === undefined || retryAfterMs <= 0) return;
      const key = { profile, host };
      const until = clock.now() + retryAfterMs;
      if (askedMs === undefined || askedMs <= retryAfterMs) return await rows.block(key, until);
      await rows.block(key, until, askedMs);
      if (said.has(host)) return;
      said.add(host);
      await options.unbelieved?.(unbelievedWait({ host, askedMs, waitMs: retryAfterMs }));
    },
  };
}

/** The known rate of each host: set by the user, learned, or read from the row of a process that learned it. */
function createRates({ rps, clock }: SharedPaceOptions) {
  const byHost = new Map<string, RateEstimate>();
  return {
    of(host: string, row?: PaceRow): RateEstimate {
      const existing = byHost.get(host);
      if (existing !== undefined) return existing;
      const made = rps === undefined ? createRateEstimate(inherited(row, clock.now())) : fixedRate(rps);
      byHost.set(host, made);
      return made;
    },
  };
}

/** A recent rate of another process is reused; an old one is ignored. */
function inherited(row: PaceRow | undefined, now: number) {
  if (row === undefined || row.intervalMs <= 0 || row.nextSlotAt < now - INHERIT_MS) return undefined;
  return { intervalMs: row.intervalMs, at: now };
}

function fixedRate(rps: number): RateEstimate {
  return { accepted: () => undefined, limited: () => undefined, intervalMs: () => 1_000 / rps };
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
      throw tooLong(host, until - now, askedMs);
    }
    await clock.sleep(Math.min(until - now, LOOK_AGAIN_MS), signal);
  }
}

function tooLong(host: string, waitMs: number, askedMs: number | null = null): FiscalError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const facts = { sent: 'no', retryable: true, retryAfterSeconds } as const;
  const hint = askedMs === null ? {} : { hint: unbelievedWait({ host, askedMs, waitMs }) };
  return new FiscalError('service.rate_limited', { seconds: retryAfterSeconds }, { ...facts, ...hint });
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
  const line = fiscalLine({ command: 'pace reset', positionals: [] });
  return {
    en: `${host} asked for a wait of ${asked.en}; requests wait ${wait.en} (--max-believed-wait); to end the wait: ${line}`,
    pt: `${host} pediu uma espera de ${asked.pt}; as requisições esperam ${wait.pt} (--max-believed-wait); para encerrá-la: ${line}`,
  };
}

interface Slots {
  /** When the next request to the host may start, in milliseconds. */
  take(host: string, intervalMs: number): Promise<number>;
}

/** Reserves slots in small blocks, so that a high rate does not need one write per request. */
function createSlots({ rows, profile, clock }: SharedPaceOptions): Slots {
  const free = new Map<string, number[]>();
  const turns = new Map<string, Promise<unknown>>();
  const takeNow = async (host: string, intervalMs: number): Promise<number> => {
    // Slots in the past are dropped: using them late would bunch requests together.
    const own = (free.get(host) ?? []).filter((slot) => slot >= clock.now() - intervalMs);
    const ready = own.length > 0 ? own : await reserve(host, intervalMs);
    const [slot = clock.now(), ...rest] = ready;
    free.set(host, rest);
    return slot;
  };
  const reserve = async (host: string, intervalMs: number): Promise<readonly number[]> => {
    const count = Math.max(1, Math.floor(BLOCK_MS / intervalMs));
    const first = await rows.reserve({ profile, host }, count, intervalMs, clock.now());
    return Array.from({ length: count }, (_, index) => first + index * intervalMs);
  };
  return {
    // Serialised: two requests of this process must not take the same slot.
    take(host, intervalMs) {
      const turn = (turns.get(host) ?? Promise.resolve()).then(() => takeNow(host, intervalMs));
      turns.set(
        host,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

/**
 * Learns how many requests per second a service allows from the times of its refusals (429). Between two refusals a
 * token bucket goes from empty to full and back to empty, so the requests accepted divided by the time passed give its
 * rate, whatever its size. The same holds for a fixed window. The service publishes no limit (§8).
 * Not every refusal comes from a limit: a service that refuses one request in fifty does so at any rate, and slowing
 * down for it would never end. A limit is recognised when repeated measurements agree and no refusal comes below it.
 */
interface RateEstimate {
  accepted(): void;
  /** A 429 arrived. Refusals of requests that were in flight together count as one. */
  limited(now: number): void;
  /** Milliseconds between requests; `undefined` while no limit is known. */
  intervalMs(now: number): number | undefined;
}

/** Refusals closer together than this count as one. */
const ONE_MOMENT_MS = 300;
/** Stays just under the learned rate. */
const MARGIN = 0.985;
/**
 * How the rate is raised after a refusal: slowly at first, faster the longer nothing is refused (3 % after a minute,
 * five times the rate after five), as congestion control does near a known limit.
 */
const TRY_SHARE = 0.03;
const TRY_TIME_MS = 60_000;

/** Consecutive measurements that must agree before a limit is believed. */
const AGREEING = 3;
const AGREE_SHARE = 0.1;
/** A refusal below the limit lowers it to no less than this share; below that, it is no limit. */
const REFINE_SHARE = 0.7;

export function createRateEstimate(known?: {
  readonly intervalMs: number;
  readonly at: number;
}): RateEstimate {
  const limit = new Limit(known === undefined ? undefined : 1 / known.intervalMs / MARGIN);
  let since = known?.at;
  let count = 0;
  const share = (now: number): number =>
    since === undefined ? MARGIN : MARGIN + TRY_SHARE * ((now - since) / TRY_TIME_MS) ** 3;
  return {
    accepted() {
      count += 1;
    },
    limited(now) {
      if (since !== undefined && now - since < ONE_MOMENT_MS) return;
      // The first refusal ends a burst of unknown size: it starts the clock and gives no measurement.
      if (since !== undefined && count > 0) limit.measured(count / (now - since), share(now) > 1);
      since = now;
      count = 0;
    },
    intervalMs: (now) => (limit.perMs === undefined ? undefined : 1 / (limit.perMs * share(now))),
  };
}

/** The limit as measured so far. */
class Limit {
  #agreeing: number[] = [];
  /** Its value when it was first believed. */
  #first: number | undefined;

  constructor(public perMs: number | undefined) {
    this.#first = perMs;
  }

  /** `isTried`: the rate was above the limit, so a refusal was expected. */
  measured(perMs: number, isTried: boolean): void {
    if (this.perMs === undefined || this.#first === undefined) this.#gather(perMs);
    else if (perMs < this.#first * REFINE_SHARE) this.#forget(perMs);
    else if (isTried) this.#believe(perMs);
    else this.perMs = Math.min(this.perMs, perMs);
  }

  #gather(perMs: number): void {
    const before = this.#agreeing.at(-1) ?? perMs;
    const agrees = Math.abs(perMs - before) <= AGREE_SHARE * Math.max(perMs, before);
    this.#agreeing = agrees ? [...this.#agreeing, perMs] : [perMs];
    if (this.#agreeing.length >= AGREEING) this.#believe(perMs);
  }

  #believe(perMs: number): void {
    this.perMs = perMs;
    this.#first = perMs;
    this.#agreeing = [];
  }

  #forget(perMs: number): void {
    this.perMs = undefined;
    this.#first = undefined;
    this.#agreeing = [perMs];
  }
}
