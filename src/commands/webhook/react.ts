import type { Given } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';
import type { Context } from '../../services/context.js';
import type { listen } from './listen-commands.js';
import { SyncReaction, type SyncGroupPort } from './react-sync.js';
import { Turns } from './react-turns.js';
import { execTarget, type Target } from './targets.js';

/** What a listener does about events, besides printing and forwarding them. */
export interface Reactions {
  readonly targets: readonly Target[];
  /** Called with every genuine delivery before it is acknowledged. Resolves when everything that must not be lost is on disk. */
  heard(delivery: GenuineDelivery): Promise<void>;
  /** Works until the signal. */
  run(signal: AbortSignal): Promise<void>;
}

/** Without `sync`, announced documents are left to `inbound sync`. Errors: `usage.invalid_value` for a command that cannot be run. */
export async function createReactions(
  context: Context,
  { exec, execTimeout: limitMs, execEnv: variables }: Given<typeof listen>,
  sync: SyncGroupPort | undefined,
): Promise<Reactions> {
  const targets = await Promise.all(exec.map((command) => execTarget(context, { command, limitMs, variables })));
  const jobs = new JobReaction(context);
  const syncing = sync === undefined ? undefined : await createSyncing(context, sync);
  return {
    targets,
    async heard(delivery) {
      jobs.heard(delivery.resource);
      await syncing?.heard(delivery);
    },
    async run(signal) {
      await Promise.all([jobs.run(signal), syncing?.run(signal)]);
    },
  };
}

async function createSyncing(context: Context, sync: SyncGroupPort): Promise<SyncReaction> {
  const [store, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const { clock } = context;
  return new SyncReaction({ clock, store, profile, sync, notice: (text) => context.notice(text) });
}

/** Resources read together. */
const BATCH = 8;
/** Further resources are dropped: their jobs are polled anyway. */
const MOST_WAITING = 10_000;
/** Reads of one resource, with growing pauses: an event can arrive before the service's own read shows the change. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 500;
/** The next poll of the job after a read without a change. */
const INTERVAL_MS = 5_000;
/** Events that arrive within this time are handled together. */
const GATHER_MS = 20;

interface Waiting {
  readonly tries: number;
  readonly dueAt: number;
}

type ReactionDependencies = Pick<Context, 'jobs' | 'settings' | 'clock' | 'notice'>;

/**
 * Finishes a waiting item as soon as an event announces its resource: a product's validation, an invoice, a manifestation of NFS-e.
 * The event itself is not trusted: the service is read. Without events nothing is lost, since jobs are polled.
 */
export class JobReaction {
  readonly #dependencies: ReactionDependencies;
  readonly #waiting = new Map<string, Waiting>();
  readonly #turns: Turns;
  readonly #reported = new Set<string>();

  constructor(dependencies: ReactionDependencies) {
    this.#dependencies = dependencies;
    this.#turns = new Turns(dependencies.clock, GATHER_MS);
  }

  heard(resource: string): void {
    if (resource === '' || this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(resource, { tries: 0, dueAt: this.#dependencies.clock.now() });
    this.#turns.notify();
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#turns.each(signal, async () => {
      const now = this.#dependencies.clock.now();
      const due = this.#firstDue(now);
      if (due.length > 0) {
        for (const [resource] of due) this.#waiting.delete(resource);
        await this.#nudge(due, signal);
        return now;
      }
      return Math.min(...[...this.#waiting.values()].map(({ dueAt }) => dueAt));
    });
  }

  /** Stops at a full batch: in a flood of events nearly all are due. */
  #firstDue(now: number): readonly (readonly [string, Waiting])[] {
    const due: (readonly [string, Waiting])[] = [];
    for (const entry of this.#waiting) {
      if (entry[1].dueAt <= now) due.push(entry);
      if (due.length === BATCH) break;
    }
    return due;
  }

  async #nudge(due: readonly (readonly [string, Waiting])[], signal: AbortSignal): Promise<void> {
    const { jobs, settings, clock } = this.#dependencies;
    const { storeNamespace: profile } = await settings();
    const resourceIds = due.map(([resource]) => resource);
    try {
      const engine = await jobs();
      const { waiting } = await engine.nudge({ profile, resourceIds, intervalMs: INTERVAL_MS, signal });
      if (waiting === 0) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FiscalError)) throw error;
      this.#say(error);
    }
    for (const [resource, { tries }] of due) {
      if (tries + 1 >= MOST_TRIES || this.#waiting.has(resource)) continue;
      const dueAt = clock.now() + FIRST_PAUSE_MS * 2 ** tries;
      this.#waiting.set(resource, { tries: tries + 1, dueAt });
    }
  }

  /** Reports each kind of problem once; jobs are polled anyway. */
  #say({ code, text }: FiscalError): void {
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    const what = {
      en: `a waiting job could not be updated from its event and will be polled: ${text.en}`,
      pt: `um lote à espera não pôde ser encerrado pelo evento e fica para a próxima consulta: ${text.pt}`,
    };
    this.#dependencies.notice(what).catch(() => undefined);
  }
}
