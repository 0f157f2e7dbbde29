import type { GenuineDelivery } from '../../receiver/delivery.js';
import type { Context } from '../../services/context.js';
import { execTarget } from './exec-target.js';
import { SettleReaction } from './react-settle.js';
import { SyncReaction, type SyncGroupPort } from './react-sync.js';
import type { Target } from './target.js';

export interface ReactionOptions {
  /** Command lines, each run for every event. */
  readonly exec: readonly string[];
  readonly execLimitMs: number;
  /** Absent: documents that are announced are left to `inbound sync`. */
  readonly sync: SyncGroupPort | undefined;
}

/** What a listener does about events, besides printing and forwarding them. */
export interface Reactions {
  readonly targets: readonly Target[];
  /** Told of every genuine delivery before it is acknowledged; what must not be lost is on the disk when it resolves. */
  heard(delivery: GenuineDelivery): Promise<void>;
  /** Works until the signal. */
  run(signal: AbortSignal): Promise<void>;
}

/** Errors: `usage.invalid_value` for a command that cannot be run. */
export async function createReactions(
  context: Context,
  { exec, execLimitMs, sync }: ReactionOptions,
): Promise<Reactions> {
  const targets = await Promise.all(
    exec.map((command) => execTarget(context, { command, limitMs: execLimitMs })),
  );
  const settling = new SettleReaction(context);
  const syncing = sync === undefined ? undefined : await createSyncing(context, sync);
  return {
    targets,
    async heard(delivery) {
      settling.heard(delivery.resource);
      await syncing?.heard(delivery);
    },
    async run(signal) {
      await Promise.all([settling.run(signal), syncing?.run(signal)]);
    },
  };
}

async function createSyncing(context: Context, sync: SyncGroupPort): Promise<SyncReaction> {
  const [store, { space: profile }] = await Promise.all([context.store(), context.settings()]);
  const { clock } = context;
  return new SyncReaction({ clock, store, profile, sync, notice: (text) => context.notice(text) });
}
