import type { Clock } from '../../domain/world.js';
import type { SyncGroup } from './source.js';

/** How often the groups of other processes are looked at. */
const LOOK_EVERY_MS = 1_000;

interface Return {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long to wait while none of them becomes free. */
  readonly lockWaitMs: number;
  /** Frees the groups of processes that are known to be dead; those of others become free when their lease ends. */
  removeDead(): Promise<void>;
  /** A group that is still held says so afterwards. */
  syncAll(groups: readonly SyncGroup[]): Promise<void>;
}

/** Takes up the groups that other processes held: when these are done with them, and when these are dead. */
export async function returnToHeld(groups: readonly SyncGroup[], about: Return): Promise<void> {
  const { clock, signal, lockWaitMs } = about;
  const heldOf = (all: readonly SyncGroup[]) => all.filter(({ tally }) => tally.state === 'held');
  let held = heldOf(groups);
  let since = clock.now();
  while (held.length > 0 && clock.now() - since < lockWaitMs) {
    await clock.sleep(LOOK_EVERY_MS, signal);
    await about.removeDead();
    await about.syncAll(held);
    const still = heldOf(held);
    if (still.length < held.length) since = clock.now();
    held = still;
  }
}
