import type { DocumentFact, DocumentType } from '../domain/document-fact.js';
import { eventOfCode } from '../domain/event-code.js';
import type { EventType } from '../domain/event-code-list.js';
import { eventKey, manifestation } from '../jobs/kinds/manifestation.js';
import { ALREADY_REGISTERED } from '../jobs/kinds/manifestation-answer.js';
import type { ItemRow, Store } from '../store/store.js';
import type { Context } from './context.js';
import { listKnown, type KnownEvent } from './known-events.js';

/** An event of a document that stands, or is about to. */
export interface LiveEvent {
  readonly eventCode: number;
  readonly sequence: number;
  /** settled: registered · sent: the end is not known yet · waiting: not sent yet, or a person must say what became of it. */
  readonly progress: 'settled' | 'sent' | 'waiting';
}

type Triple = Pick<LiveEvent, 'eventCode' | 'sequence'>;

/** The events that say what a document is worth to the company. */
const judgements: Readonly<Record<DocumentType, readonly Triple[]>> = {
  nfe: [
    { eventCode: 210210, sequence: 1 },
    ...[210200, 210220, 210240].flatMap((eventCode) => [
      { eventCode, sequence: 1 },
      { eventCode, sequence: 2 },
    ]),
  ],
  nfse: [
    { eventCode: 203202, sequence: 1 },
    { eventCode: 203206, sequence: 1 },
  ],
};

/** What this machine knows of events: those that were seen at the service, and the living items of every job. */
export class LiveEvents {
  readonly #store: Store;
  readonly #space: string;
  readonly #known: ReadonlyMap<string, KnownEvent>;

  private constructor(store: Store, space: string, known: ReadonlyMap<string, KnownEvent>) {
    this.#store = store;
    this.#space = space;
    this.#known = known;
  }

  static async open(context: Context): Promise<LiveEvents> {
    const { space } = await context.settings();
    const store = await context.store();
    const rows = await listKnown(store, { space });
    const standing = rows.filter(({ event }) => !hasEndedBadly(event));
    return new LiveEvents(
      store,
      space,
      new Map(
        standing.map(({ event }) => [eventKey(event.accessKey, event.eventCode, event.nSequencia), event]),
      ),
    );
  }

  async of({ accessKey, type }: Pick<DocumentFact, 'accessKey' | 'type'>): Promise<readonly LiveEvent[]> {
    const found = await Promise.all(
      judgements[type].map(async (triple) => {
        const key = eventKey(accessKey, triple.eventCode, triple.sequence);
        const known = this.#known.get(key);
        if (known !== undefined) return [{ ...triple, progress: progressOf(known) }];
        const place = { profile: this.#space, kind: manifestation.name, dedupeKey: key };
        const holder = await this.#store.items.holder(place);
        return holder === undefined ? [] : [{ ...triple, progress: progressOfItem(holder) }];
      }),
    );
    return found.flat();
  }
}

/** True when the document has been judged already, so that this event would say nothing or be refused (rule 655). */
export function isSaid({ group }: Pick<EventType, 'group'>, live: readonly Triple[]): boolean {
  const groups = live.map(({ eventCode }) => eventOfCode(eventCode)?.group);
  if (group === 'awareness') return groups.includes('awareness') || groups.includes('conclusive');
  return groups.includes(group);
}

/** An unknown word is no end: the event may stand. 573 says that it stands already. */
function hasEndedBadly({ status, errorCode }: KnownEvent): boolean {
  if (errorCode === ALREADY_REGISTERED) return false;
  return ['rejected', 'failed', 'cancelled'].includes(status.toLowerCase());
}

function progressOf({ status, errorCode }: KnownEvent): LiveEvent['progress'] {
  const isSettled = status === 'Accepted' || status === 'succeeded' || errorCode === ALREADY_REGISTERED;
  return isSettled ? 'settled' : 'sent';
}

function progressOfItem({ state }: ItemRow): LiveEvent['progress'] {
  if (state === 'succeeded') return 'settled';
  return state === 'pending' || state === 'sending' ? 'sent' : 'waiting';
}
