import type { Context } from '../context.js';

const lookEveryMs = 1_000;

export interface Told {
  /** Id of what is waited for. */
  readonly resource: string;
  /** From here on an event counts: the time before the last look at the service, by the store's clock. */
  readonly since: number;
}

/**
 * Sleeps until the next look at the service, or until a listener of this machine has stored a webhook event about the
 * resource: then the look is worth it at once.
 */
export async function sleepUntilTold(
  { clock, interruption, store, settings }: Pick<Context, 'clock' | 'interruption' | 'store' | 'settings'>,
  pauseMs: number,
  { resource, since }: Told,
): Promise<void> {
  const until = clock.uptime() + pauseMs;
  for (;;) {
    await clock.sleep(Math.min(lookEveryMs, until - clock.uptime()), interruption);
    if (clock.uptime() >= until) return;
    const { deliveries } = await store();
    const profile = (await settings()).space;
    const toldAt = await deliveries.lastAt(profile, resource);
    if (toldAt !== undefined && toldAt >= since) return;
  }
}
