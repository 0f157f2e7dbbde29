import type { Text } from '../../contract/text.js';
import { pollDelayMs } from '../../jobs/decide.js';
import type { Context } from '../context.js';

/** How long something is followed, and the longest pause between two reads. */
export interface FollowTimes {
  readonly timeout: number;
  readonly interval: number;
}

/** How the items of a job are followed. */
export interface FollowOptions extends FollowTimes {
  readonly wait: boolean;
  readonly retryBillable: boolean;
}

/** A resource that is followed until the service has decided. */
export interface FollowRequest<Read> extends FollowTimes {
  /** Its id; a webhook event about it that a listener of this machine stores ends a pause. */
  readonly resource: string;
  /** What it waits for, shown next to the status. */
  readonly label: Text;
  read(): Promise<Read>;
  /** The status while it is undecided; `undefined` ends the wait, and so does an error. */
  pendingStatus(read: Read): string | undefined;
}

/** The last read. */
export interface Followed<Read> {
  readonly read: Read;
  /** The status of something that is still undecided at the timeout. */
  readonly pending: string | undefined;
  readonly elapsedMs: number;
}

/** Reads until the service has decided, or until the timeout; there is always at least one read. Errors: those of `read`. */
export async function followUntil<Read>(context: Context, request: FollowRequest<Read>): Promise<Followed<Read>> {
  const { resource, label, timeout, interval } = request;
  const startedAt = context.clock.uptime();
  try {
    for (;;) {
      const since = (await context.store()).clock.now();
      const read = await request.read();
      const pending = request.pendingStatus(read);
      const elapsedMs = context.clock.uptime() - startedAt;
      if (pending === undefined || elapsedMs >= timeout) return { read, pending, elapsedMs };
      context.progress.report({
        label: { en: `${label.en}: ${pending}`, pt: `${label.pt}: ${pending}` },
        done: 0,
        total: 1,
      });
      const pauseMs = Math.min(pollDelayMs(elapsedMs, interval), timeout - elapsedMs);
      await sleepUntilNotified(context, pauseMs, { resource, since });
    }
  } finally {
    context.progress.stop();
  }
}

const CHECK_INTERVAL_MS = 1_000;

interface WatchedResource {
  /** The id of the resource at the service. */
  readonly resource: string;
  /** Only events stored from this time on count: when the service was last read, in milliseconds of the store's clock. */
  readonly since: number;
}

/**
 * Sleeps for `pauseMs`, or until a listener on this machine stores a webhook event about the resource: then reading the
 * service again is worth it at once.
 */
export async function sleepUntilNotified(
  { clock, interruption, store, settings }: Pick<Context, 'clock' | 'interruption' | 'store' | 'settings'>,
  pauseMs: number,
  { resource, since }: WatchedResource,
): Promise<void> {
  const until = clock.uptime() + pauseMs;
  for (;;) {
    await clock.sleep(Math.min(CHECK_INTERVAL_MS, until - clock.uptime()), interruption);
    if (clock.uptime() >= until) return;
    const { deliveries } = await store();
    const profile = (await settings()).storeNamespace;
    const eventAt = await deliveries.lastAt(profile, resource);
    if (eventAt !== undefined && eventAt >= since) return;
  }
}
