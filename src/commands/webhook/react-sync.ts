import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { readWebhookEvent } from '../../domain/webhook-event.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';
import type { Context } from '../../services/context.js';
import type { KnownRow, Store } from '../../store/store.js';
import { Turns } from './react-turns.js';

/** Archives the new documents of one company and family. Throws only defects. */
export type SyncGroupPort = (group: AnnouncedGroup) => Promise<SyncedGroup>;

export interface SyncedGroup {
  /** False: something is left to do, and another attempt makes sense. */
  readonly isComplete: boolean;
  /** A message for the user, if any. */
  readonly message?: Text;
}

/** Documents that arrive together are fetched together. */
const GATHER_MS = 1_000;
const AT_ONCE = 4;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

const KIND = 'webhook-sync';

interface Wanted {
  readonly group: AnnouncedGroup;
  readonly tries: number;
  readonly dueAt: number;
  /** Resolves when the request is on disk. */
  readonly kept: Promise<void>;
}

interface ReactionDependencies extends Pick<Context, 'clock' | 'notice'> {
  readonly store: Store;
  readonly profile: string;
  readonly sync: SyncGroupPort;
}

/**
 * Syncs a company soon after an event announces captured documents. The request is on disk before the event is acknowledged,
 * so that a listener that is killed finds it again.
 */
export class SyncReaction {
  readonly #dependencies: ReactionDependencies;
  readonly #wanted = new Map<string, Wanted>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #turns: Turns;
  #defect: { readonly error: unknown } | undefined;

  constructor(dependencies: ReactionDependencies) {
    this.#dependencies = dependencies;
    this.#turns = new Turns(dependencies.clock);
  }

  async heard(delivery: Pick<GenuineDelivery, 'event' | 'body'>): Promise<void> {
    const group = announcedGroup(delivery);
    if (group === undefined) return;
    const known = this.#wanted.get(keyOf(group));
    if (known !== undefined) return await known.kept;
    const at = this.#dependencies.clock.now();
    const kept = this.#put(group, 'wanted', at).catch((error: unknown) => {
      this.#wanted.delete(keyOf(group));
      throw error;
    });
    this.#want({ group, tries: 0, dueAt: at + GATHER_MS, kept });
    await kept;
  }

  /** Continues the requests of an earlier listener. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, profile, clock } = this.#dependencies;
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
    const now = this.#dependencies.clock.now();
    // A company and family is synced once at a time; later requests wait for its end.
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
    const { clock, store, profile, sync, notice } = this.#dependencies;
    const startedAt = clock.now();
    const { isComplete, message } = await sync(group);
    // A repeated failure is reported once.
    if (message !== undefined && (isComplete || tries === 0)) await notice(message);
    const { companyId: scope, family: id } = group;
    const row = await store.known.get({ profile, kind: KIND, scope, id });
    // Announced in the meantime, here or to another listener: that is another request.
    if (this.#wanted.has(key)) return;
    if (!isComplete) {
      const dueAt = clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));
      return this.#want({ group, tries: tries + 1, dueAt, kept: Promise.resolve() });
    }
    if (row === undefined || row.seenAt < startedAt) await this.#put(group, 'done', clock.now());
  }

  async #put({ companyId, family }: AnnouncedGroup, status: string, seenAt: number): Promise<void> {
    const { store, profile } = this.#dependencies;
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

/** The company and family of a captured document that an event announces. */
export interface AnnouncedGroup {
  readonly companyId: string;
  readonly family: InboundFamily;
}

/** Names of events are not in the document; every published one for a captured document has `inbound` in it (assumed). */
const families: readonly (readonly [RegExp, InboundFamily])[] = [
  [/service_?invoice|nfse/i, 'nfse'],
  [/transportation|cte/i, 'cte'],
  [/product_?invoice|nfe/i, 'nfe'],
];

const plainId = /^[\w-]{1,64}$/;

/** `undefined`: it announces no captured document, or does not say whose. */
export function announcedGroup({ event, body }: Pick<GenuineDelivery, 'event' | 'body'>): AnnouncedGroup | undefined {
  if (!/inbound/i.test(event)) return undefined;
  const family = families.find(([pattern]) => pattern.test(event))?.[1];
  const companyId = companyOf(readWebhookEvent(body, event)?.payload);
  return family === undefined || companyId === undefined ? undefined : { companyId, family };
}

function companyOf(payload: unknown): string | undefined {
  const fields = new Map(isObject(payload) ? Object.entries(payload) : []);
  const company = fields.get('company');
  const nested = isObject(company) ? new Map(Object.entries(company)).get('id') : undefined;
  return [fields.get('companyId'), nested].find((id): id is string => typeof id === 'string' && plainId.test(id));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
