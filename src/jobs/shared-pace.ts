import type { Pace } from '../client/client.js';
import type { Clock } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { PaceRows } from '../store/store.js';

export interface SharedPaceOptions {
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

/** The pace of all processes of this machine towards a host: one row in the store, read before every request. */
export function createSharedPace(options: SharedPaceOptions): Pace {
  const { rows, profile, clock, rps } = options;
  const slots = rps === undefined ? undefined : createSlots(options, 1_000 / rps);
  return {
    async enter(host, signal) {
      for (;;) {
        await waitForBlock(options, host, signal);
        if (slots === undefined) return;
        const at = await slots.take(host);
        if (at <= clock.now()) return;
        await clock.sleep(at - clock.now(), signal);
        // While this request waited for its turn, a 429 may have come for another one.
        if (((await rows.get({ profile, host }))?.blockedUntil ?? 0) <= clock.now()) return;
      }
    },
    async observe(host, { status, retryAfterMs }) {
      const isHeld = status === 429 || status === 503;
      if (!isHeld || retryAfterMs === undefined || retryAfterMs <= 0) return;
      await rows.block({ profile, host }, clock.now() + Math.min(retryAfterMs, MAX_BLOCK_MS));
    },
  };
}

/** Waits as long as the row says, also when it is prolonged meanwhile; beyond the limit the caller hears it at once. */
async function waitForBlock(options: SharedPaceOptions, host: string, signal?: AbortSignal): Promise<void> {
  const { rows, profile, clock, maxWaitMs } = options;
  const since = clock.now();
  for (;;) {
    const until = (await rows.get({ profile, host }))?.blockedUntil ?? 0;
    const now = clock.now();
    if (until <= now) return;
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
  take(host: string): Promise<number>;
}

/** Reserves slots in small blocks, so that a fast rate does not mean a write for every request. */
function createSlots({ rows, profile, clock }: SharedPaceOptions, intervalMs: number): Slots {
  const count = Math.max(1, Math.floor(BLOCK_MS / intervalMs));
  const free = new Map<string, number[]>();
  const turns = new Map<string, Promise<unknown>>();
  const takeNow = async (host: string): Promise<number> => {
    // A slot whose time has gone by is lost: using it late would bunch requests together.
    const own = (free.get(host) ?? []).filter((slot) => slot >= clock.now() - intervalMs);
    const ready = own.length > 0 ? own : await reserve(host);
    const [slot = clock.now(), ...rest] = ready;
    free.set(host, rest);
    return slot;
  };
  const reserve = async (host: string): Promise<readonly number[]> => {
    const first = await rows.reserve({ profile, host }, count, intervalMs, clock.now());
    return Array.from({ length: count }, (_, index) => first + index * intervalMs);
  };
  return {
    // One after the other, or two requests of this process would take the same slot.
    take(host) {
      const turn = (turns.get(host) ?? Promise.resolve()).then(() => takeNow(host));
      turns.set(
        host,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}
