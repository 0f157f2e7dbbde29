import type { Text } from '../../contract/text.js';
import type { Context } from '../../services/context.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';
import type { KnownRow, Store } from '../../store/store.js';
import { announcedGroup, type AnnouncedGroup } from './react-announced.js';
import { Turns } from './react-turns.js';

/** Brings what is new of one company and family to the archive. Throws nothing but defects. */
export type SyncGroupPort = (group: AnnouncedGroup) => Promise<SyncedGroup>;

export interface SyncedGroup {
  /** False: something is left to do, and worth another try. */
  readonly isComplete: boolean;
  /** What a person should hear of it, if anything. */
  readonly told?: Text;
}

/** Documents that come together are fetched together. */
const GATHER_MS = 1_000;
const AT_ONCE = 4;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

const KIND = 'webhook-sync';

interface Wanted {
  readonly group: AnnouncedGroup;
  readonly tries: number;
  readonly dueAt: number;
  /** Resolves when the wish is on the disk. */
  readonly kept: Promise<void>;
}

interface Parts extends Pick<Context, 'clock' | 'notice'> {
  readonly store: Store;
  readonly profile: string;
  readonly sync: SyncGroupPort;
}

/**
 * Syncs the companies whose captured documents are announced, soon after the announcement. The wish is on the disk before the
 * event is acknowledged: a listener that is killed finds it again.
 */
export class SyncReaction {
  readonly #parts: Parts;
  readonly #wanted = new Map<string, Wanted>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #turns: Turns;
  #defect: { readonly error: unknown } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.clock);
  }

  async heard(delivery: Pick<GenuineDelivery, 'event' | 'body'>): Promise<void> {
    const group = announcedGroup(delivery);
    if (group === undefined) return;
    const known = this.#wanted.get(keyOf(group));
    if (known !== undefined) return await known.kept;
    const at = this.#parts.clock.now();
    const kept = this.#put(group, 'wanted', at).catch((error: unknown) => {
      this.#wanted.delete(keyOf(group));
      throw error;
    });
    this.#want({ group, tries: 0, dueAt: at + GATHER_MS, kept });
    await kept;
  }

  /** Goes on with what an earlier listener left. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, profile, clock } = this.#parts;
    for (const row of await store.known.list({ profile, kind: KIND, status: 'wanted' })) {
      const group = groupOf(row);
      if (group !== undefined && !this.#wanted.has(keyOf(group)))
        this.#want({ group, tries: 0, dueAt: clock.now(), kept: Promise.resolve() });
    }
    try {
      await this.#turns.each(signal, () => Promise.resolve(this.#turn()));
    } finally {
      await Promise.all(this.#running.values());
    }
    if (this.#defect !== undefined) throw this.#defect.error;
  }

  #want(wanted: Wanted): void {
    this.#wanted.set(keyOf(wanted.group), wanted);
    this.#turns.notify();
  }

  #turn(): number {
    if (this.#defect !== undefined) throw this.#defect.error;
    const now = this.#parts.clock.now();
    // One company and family is worked on once at a time; what comes meanwhile waits for its end.
    const free = [...this.#wanted].filter(([key]) => !this.#running.has(key));
    const due = free.filter(([, { dueAt }]) => dueAt <= now).slice(0, AT_ONCE - this.#running.size);
    for (const [key, wanted] of due) this.#launch(key, wanted);
    // The end of a run notifies.
    if (this.#running.size >= AT_ONCE) return Number.POSITIVE_INFINITY;
    return Math.min(...free.filter((entry) => !due.includes(entry)).map(([, { dueAt }]) => dueAt));
  }

  #launch(key: string, wanted: Wanted): void {
    this.#wanted.delete(key);
    const work = this.#work(key, wanted)
      .catch((error: unknown) => {
        this.#defect ??= { error };
      })
      .finally(() => {
        this.#running.delete(key);
        this.#turns.notify();
      });
    this.#running.set(key, work);
  }

  async #work(key: string, { group, tries }: Wanted): Promise<void> {
    const { clock, store, profile, sync, notice } = this.#parts;
    const startedAt = clock.now();
    const { isComplete, told } = await sync(group);
    // Of what goes wrong again and again the first time is told.
    if (told !== undefined && (isComplete || tries === 0)) await notice(told);
    const { companyId: scope, family: id } = group;
    const row = await store.known.get({ profile, kind: KIND, scope, id });
    // Announced meanwhile, here or to another listener: that is another wish.
    if (this.#wanted.has(key)) return;
    if (!isComplete) {
      const dueAt = clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));
      return this.#want({ group, tries: tries + 1, dueAt, kept: Promise.resolve() });
    }
    if (row === undefined || row.seenAt < startedAt) await this.#put(group, 'done', clock.now());
  }

  async #put({ companyId, family }: AnnouncedGroup, status: string, seenAt: number): Promise<void> {
    const { store, profile } = this.#parts;
    await store.known.put({ profile, kind: KIND, scope: companyId, id: family, status, data: {}, seenAt });
  }
}

function keyOf({ companyId, family }: AnnouncedGroup): string {
  return `${family} ${companyId}`;
}

function groupOf({ scope, id }: KnownRow): AnnouncedGroup | undefined {
  const family = (['nfe', 'cte', 'nfse'] as const).find((name) => name === id);
  return family === undefined ? undefined : { companyId: scope, family };
}
