import type { Core } from '../core/core.js';
import { callTimeoutMs, openTargetCaller, type Reached, type TargetCaller } from './call-target.js';
import type { StoredDelivery } from './delivery.js';
import { prepareCall } from './prepare-call.js';
import { endAttempt, type Pace } from './end-attempt.js';

/**
 * Sends what is due. It claims a row, sends it outside of any transaction, and writes down what came: a process that dies
 * in between has sent it perhaps, and another sends it again when the claim has ended. At least once (§6).
 */
export interface Sender extends Pick<TargetCaller, 'call'> {
  /** Begins to send what is due, as many at once as it may. */
  pump(): void;
  /** Sends until nothing is due any more, for so long at most, of real time. */
  settle(limitMs: number, pace?: Pace): Promise<void>;
  /** Ends what is under way without waiting for its answer. */
  close(): void;
}

const usualPace: Pace = 'from-now';
const mostInFlight = 16;
/** More than are sent at once: some wait for another of their resource. */
const lookedAt = 64;
const claimMs = 3 * callTimeoutMs;

export function openSender(core: Core): Sender {
  const caller = openTargetCaller();
  const inFlight = new Map<string, InFlight>();
  const state = { isClosed: false, pace: usualPace };

  async function send(delivery: StoredDelivery): Promise<void> {
    const call = core.transaction(() => prepareCall(core, delivery));
    const reached: Reached =
      call === undefined ? { status: null, error: 'The webhook is gone.' } : await caller.call(call);
    if (!state.isClosed) core.transaction(() => endAttempt(core, { delivery, reached, pace: state.pace }));
  }

  function begin(delivery: StoredDelivery): void {
    const key = keyOf(delivery);
    const ended = send(delivery)
      .catch(ignoreBusy)
      .finally(() => inFlight.delete(key))
      .then(pump);
    inFlight.set(key, { position: delivery.position, ended });
  }

  function pump(): void {
    const free = mostInFlight - inFlight.size;
    if (state.isClosed || free <= 0) return;
    try {
      for (const delivery of claimDue(core, (key) => inFlight.has(key), free)) begin(delivery);
    } catch (error) {
      ignoreBusy(error);
    }
  }

  const close = () => {
    state.isClosed = true;
    caller.close();
    release(core, [...inFlight.values()]);
  };
  return { pump, settle: openSettle({ inFlight, pump, state }), call: caller.call, close };
}

interface Parts {
  readonly inFlight: ReadonlyMap<string, InFlight>;
  readonly state: { pace: Pace };
  pump(): void;
}

function openSettle({ inFlight, state, pump }: Parts): Sender['settle'] {
  return async (limitMs, pace = usualPace) => {
    const end = Date.now() + limitMs;
    state.pace = pace;
    try {
      for (pump(); inFlight.size > 0 && Date.now() < end; pump()) {
        await firstOf([...inFlight.values()], end - Date.now());
      }
    } finally {
      state.pace = usualPace;
    }
  };
}

interface InFlight {
  readonly position: number;
  readonly ended: Promise<void>;
}

/** For whoever serves the file next. Without this it has to wait until the claims end. */
function release(core: Core, sendings: readonly InFlight[]): void {
  try {
    core.transaction(() => {
      for (const { position } of sendings) core.deliveries.claim(position, 0);
    });
  } catch (error) {
    ignoreBusy(error);
  }
}

/** In order of time. Of one resource and target, one at a time: the usual order is kept where no fault changes it. */
function claimDue(core: Core, isBusy: (key: string) => boolean, most: number): readonly StoredDelivery[] {
  const now = core.clock.now();
  if (!core.deliveries.isDue(now)) return [];
  return core.transaction(() => {
    const taken = new Map<string, StoredDelivery>();
    for (const delivery of core.deliveries.due(now, lookedAt)) {
      const key = keyOf(delivery);
      if (!isBusy(key) && !taken.has(key)) taken.set(key, delivery);
      if (taken.size === most) break;
    }
    for (const { position } of taken.values()) core.deliveries.claim(position, Date.now() + claimMs);
    return [...taken.values()];
  });
}

function keyOf({ resource, uri }: StoredDelivery): string {
  return `${resource} ${uri}`;
}

/** Whoever pumps next tries a busy file again. */
function ignoreBusy(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')))
    throw error;
}

async function firstOf(sendings: readonly InFlight[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([...sendings.map(({ ended }) => ended), limit]);
  clearTimeout(timer);
}
