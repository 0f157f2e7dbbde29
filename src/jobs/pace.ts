import type { Pace } from '../client/client.js';
import type { Clock } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { PaceRow, PaceRows } from '../store/store.js';

interface SharedPaceOptions {
  readonly rows: PaceRows;
  readonly profile: string;
  /** Requests per second that the user allows all processes of this machine together. */
  readonly rps?: number;
  /** The longest wait that the service may ask for. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
}

/** A wait longer than this is a mistake of the far side; it must not silence this machine for years. */
const MAX_BLOCK_MS = 86_400_000;
/** Slots are reserved for at most this long ahead: what one process does not use, the others wait for in vain. */
const BLOCK_MS = 250;
/** How long a rate that another process learned is believed. */
const INHERIT_MS = 30_000;

/**
 * The pace of all processes of this machine towards a host: one row in the store, read before every request. Without
 * a rate set by the user, the service's own is learned from its refusals.
 */
export function createSharedPace(options: SharedPaceOptions): Pace {
  const { rows, profile, clock } = options;
  const rates = createRates(options);
  const slots = createSlots(options);
  return {
    async enter(host, signal) {
      for (;;) {
        const row = await waitForBlock(options, host, signal);
        const intervalMs = rates.of(host, row).intervalMs(clock.now());
        if (intervalMs === undefined) return;
        const at = await slots.take(host, intervalMs);
        if (at <= clock.now()) return;
        await clock.sleep(at - clock.now(), signal);
        // While this request waited for its turn, a 429 may have come for another one.
        if (((await rows.get({ profile, host }))?.blockedUntil ?? 0) <= clock.now()) return;
      }
    },
    async observe(host, { status, retryAfterMs }) {
      if (status === 429) rates.of(host).limited(clock.now());
      else rates.of(host).accepted();
      const isHeld = status === 429 || status === 503;
      if (!isHeld || retryAfterMs === undefined || retryAfterMs <= 0) return;
      await rows.block({ profile, host }, clock.now() + Math.min(retryAfterMs, MAX_BLOCK_MS));
    },
  };
}

/** What is known of each host's rate: set by the user, learned, or left in the row by a process that learned it. */
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

/** A rate that was in use a moment ago is true for a process that starts now; an old one is forgotten. */
function inherited(row: PaceRow | undefined, now: number) {
  if (row === undefined || row.intervalMs <= 0 || row.nextSlotAt < now - INHERIT_MS) return undefined;
  return { intervalMs: row.intervalMs, at: now };
}

function fixedRate(rps: number): RateEstimate {
  return { accepted: () => undefined, limited: () => undefined, intervalMs: () => 1_000 / rps };
}

/** Waits as long as the row says, also when it is prolonged meanwhile; beyond the limit the caller hears it at once. */
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
    if (until - since > maxWaitMs) throw tooLong(until - now);
    await clock.sleep(until - now, signal);
  }
}

function tooLong(waitMs: number): FiscalError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new FiscalError(
    'service.rate_limited',
    { seconds: retryAfterSeconds },
    { sent: 'no', retryable: true, retryAfterSeconds },
  );
}

interface Slots {
  /** The time at which the next request to the host may start. */
  take(host: string, intervalMs: number): Promise<number>;
}

/** Reserves slots in small blocks, so that a fast rate does not mean a write for every request. */
function createSlots({ rows, profile, clock }: SharedPaceOptions): Slots {
  const free = new Map<string, number[]>();
  const turns = new Map<string, Promise<unknown>>();
  const takeNow = async (host: string, intervalMs: number): Promise<number> => {
    // A slot whose time has gone by is lost: using it late would bunch requests together.
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
    // One after the other, or two requests of this process would take the same slot.
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
 * Learns how many requests a second a service takes, from the moments at which it refuses (429). Between two
 * refusals a bucket of tokens is empty, filled and empty again, so what was accepted meanwhile, by the time that
 * passed, is its rate, whatever its size; for a fixed window it is the same. No threshold is published (§8).
 *
 * A refusal need not come from a limit: a service that refuses one request in fifty does so at any pace, and to slow
 * down for it would never end. A limit shows by measuring the same again and again, and by being quiet below it.
 */
interface RateEstimate {
  accepted(): void;
  /** 429 came. Refusals of requests that were on the wire together are one. */
  limited(now: number): void;
  /** Milliseconds between requests now; `undefined` while no limit has been met. */
  intervalMs(now: number): number | undefined;
}

/** Refusals closer than this belong to one moment. */
const ONE_MOMENT_MS = 300;
/** Just under the rate that was learned, so that it is not met again at once. */
const MARGIN = 0.985;
/**
 * How the rate is tried upwards after a refusal: hardly at first, faster the longer all goes well (a third of a
 * tenth after a minute, five times the rate after five), as congestion control does near a limit that it knows.
 */
const TRY_SHARE = 0.03;
const TRY_TIME_MS = 60_000;

/** So many measurements have to agree, each with the one before, until a limit is believed. */
const AGREEING = 3;
const AGREE_SHARE = 0.1;
/** A limit that refuses below itself was measured too high, but not by more than this; else it is none. */
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
      // The first refusal ends a burst of unknown size: it starts the clock and says nothing of the rate.
      if (since !== undefined && count > 0) limit.measured(count / (now - since), share(now) > 1);
      since = now;
      count = 0;
    },
    intervalMs: (now) => (limit.perMs === undefined ? undefined : 1 / (limit.perMs * share(now))),
  };
}

/** What is believed of the limit. */
class Limit {
  #agreeing: number[] = [];
  /** As it was when it was first believed. */
  #first: number | undefined;

  constructor(public perMs: number | undefined) {
    this.#first = perMs;
  }

  /** `isTried`: the pace had gone above the limit, so that a refusal was to be expected. */
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
