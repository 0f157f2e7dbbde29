import type { Context } from '../context.js';

const CHECK_INTERVAL_MS = 1_000;

export interface WatchedResource {
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
    const profile = (await settings()).space;
    const eventAt = await deliveries.lastAt(profile, resource);
    if (eventAt !== undefined && eventAt >= since) return;
  }
}
