import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { Turns } from './react-turns.js';

/** Resources that are looked at together. */
const BATCH = 8;
/** More are not remembered: their jobs are polled anyway. */
const MOST_WAITING = 10_000;
/** Asked again so often, with growing pauses: the event may be quicker than the service's own read. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 500;
/** After a look in vain, the job's own next poll. */
const INTERVAL_MS = 5_000;
/** Events of a flood are looked at together. */
const GATHER_MS = 20;

interface Waiting {
  readonly tries: number;
  readonly dueAt: number;
}

type Parts = Pick<Context, 'jobs' | 'settings' | 'clock' | 'notice'>;

/**
 * Settles what a job waits for as soon as an event speaks of it: a product's validation, an invoice, a manifestation of NFS-e.
 * What the event says is not believed; the service is read. Nothing is lost without it: jobs are polled.
 */
export class SettleReaction {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #turns: Turns;
  readonly #told = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.clock, GATHER_MS);
  }

  heard(resource: string): void {
    if (resource === '' || this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(resource, { tries: 0, dueAt: this.#parts.clock.now() });
    this.#turns.notify();
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#turns.each(signal, async () => {
      const now = this.#parts.clock.now();
      const due = this.#firstDue(now);
      if (due.length > 0) {
        for (const [resource] of due) this.#waiting.delete(resource);
        await this.#settle(due, signal);
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

  async #settle(due: readonly (readonly [string, Waiting])[], signal: AbortSignal): Promise<void> {
    const { jobs, settings, clock } = this.#parts;
    const { space: profile } = await settings();
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

  /** Each kind of trouble once: jobs are polled all the same. */
  #say({ code, text }: FiscalError): void {
    if (this.#told.has(code)) return;
    this.#told.add(code);
    const what = {
      en: `a waiting job could not be settled by its event and is left to its poll: ${text.en}`,
      pt: `um trabalho à espera não pôde ser encerrado pelo evento e fica para a próxima consulta: ${text.pt}`,
    };
    this.#parts.notice(what).catch(() => undefined);
  }
}
