import { dayAt } from '../../domain/dates.js';
import { countedFrom } from '../../domain/deadline.js';
import { isRegistered, type DocumentFact, type DocumentType } from '../../domain/document-fact.js';
import {
  endsDocument,
  type KnownState,
  mayStand,
  refusalsOfCancelled,
  type StateEvidence,
  stateOf,
} from '../../domain/document-state.js';
import { eventOfCode, type EventType } from '../../domain/event-codes.js';
import { eventKey, manifestation } from '../../jobs/kinds/manifestation.js';
import { ALREADY_REGISTERED } from '../../jobs/kinds/manifestation-answer.js';
import type { DocumentGroup, DocumentRow, EventRow, EventRows } from '../../store/documents.js';
import type { ItemRow, ItemRows, Store } from '../../store/store.js';
import type { Context } from '../context.js';
import { evidenceOf } from './record.js';
import { knownKinds, knownOf, listKnown, type KnownEvent } from './known-events.js';

/** An active or pending event of a document. */
export interface DocumentEvent {
  readonly eventCode: number;
  readonly sequence: number;
  /** registered · sent: not decided yet · waiting: not sent yet, or uncertain. */
  readonly progress: 'registered' | 'sent' | 'waiting';
}

/**
 * The source of the events of a document. local: only what this machine sent · synced: a
 * sync has read the events of the company since the document was authorised · service: the service was asked for them now.
 */
export type EventBasis = 'local' | 'synced' | 'service';

export interface EventsOfDocument {
  /** Manifestations, and cancellations by the issuer. */
  readonly events: readonly DocumentEvent[];
  readonly state: KnownState;
  readonly basis: EventBasis;
  /** When the events were read; absent: no evidence of what others sent. Milliseconds. */
  readonly knownAt?: number;
}

type Triple = Pick<DocumentEvent, 'eventCode' | 'sequence'>;

/** The events that count as a manifestation or cancellation. */
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

/** Events of one document as the service gave them; `unread`: of so many the code could not be told. */
interface Listed {
  readonly events: readonly DocumentEvent[];
  readonly unread: number;
}

/** The submissions of this machine. */
interface OwnEvents {
  readonly events: ReadonlyMap<string, KnownEvent>;
  /** Keys of documents that the authority reported as cancelled. */
  readonly cancelled: ReadonlySet<string>;
}

interface Answer extends Listed {
  readonly at: number;
}

/**
 * What is known of the events of documents, whoever sent them: those that a sync has brought, those that the service was
 * asked for in this run, those that this machine has seen at the service, and the living items of every job.
 */
export class DocumentEvents {
  readonly #store: EventSource;
  readonly #space: string;
  readonly #own: OwnEvents;
  readonly #asked = new Map<string, Answer>();
  readonly #readAt = new Map<string, Promise<number | undefined>>();
  #companies: Promise<readonly string[]> | undefined;

  private constructor(source: EventSource, storeNamespace: string, events: readonly KnownEvent[]) {
    this.#store = source;
    this.#space = storeNamespace;
    this.#own = ownEvents(events);
  }

  static async open(context: Context): Promise<DocumentEvents> {
    const { storeNamespace } = await context.settings();
    const store = await context.store();
    const rows = await listKnown(store, { storeNamespace });
    const events = rows.map(({ event }) => event);
    const { items, documents, cursors } = store;
    const source = { items, documents, cursors, events: store.events };
    return new DocumentEvents(source, storeNamespace, events);
  }

  /** The same for these documents of companies alone, read at once: their number decides, not that of everything known. */
  static async about(context: Context, facts: readonly DocumentFact[]): Promise<DocumentEvents> {
    const { storeNamespace: profile } = await context.settings();
    const store = await context.store();
    const keys = facts.map(({ accessKey }) => accessKey);
    const kinds = [knownKinds.nfe, knownKinds.nfse];
    const rows = await Promise.all(
      kinds.map((kind) => store.known.labelled({ profile, kind, labels: keys })),
    );
    const source = await readAtOnce(context, profile, facts);
    return new DocumentEvents(source, profile, rows.flat().map(knownOf));
  }

  /** Adds the response of the service about the document of one company, at this time. */
  learn(fact: DocumentFact, answer: Answer): void {
    this.#asked.set(heldKey(fact), answer);
  }

  async of(fact: DocumentFact): Promise<EventsOfDocument> {
    const { accessKey, status } = fact;
    const groups = await this.#groupsOf(fact);
    const synced = await this.#synced(groups, accessKey);
    const asked = this.#asked.get(heldKey(fact));
    const events = merged([...(await this.#sent(fact)), ...synced.events, ...(asked?.events ?? [])]);
    const { unread } = asked ?? synced;
    const { evidence: captured } = fact.captured ?? {};
    const held = captured === undefined ? await this.#heldOf(groups, accessKey) : [];
    const own: StateEvidence = captured ?? {
      ...{ accessKey, status, eventCodes: codesOf(synced) },
      isRefusedAsCancelled: this.#own.cancelled.has(accessKey),
    };
    const judge = ({ eventCodes, ...said }: StateEvidence): KnownState =>
      stateOf({ ...said, eventCodes: [...eventCodes, ...codesOf(asked)], unreadEvents: unread });
    const others = held.map((row) => judge(evidenceOf(row)));
    const state = others.find((other) => !mayStand(other.state)) ?? judge(own);
    const holders = captured === undefined ? held : groups;
    const evidence = unread > 0 ? undefined : await this.#evidence(fact, holders, asked);
    return { events, state, ...(evidence ?? { basis: 'local' }) };
  }

  /** The document as the companies hold it. */
  async #heldOf(groups: readonly DocumentGroup[], accessKey: string): Promise<readonly DocumentRow[]> {
    const rows = await Promise.all(groups.map((group) => this.#store.documents.get(group, accessKey)));
    return rows.filter((row) => row !== undefined);
  }

  /** What this machine has sent, or found at the service by its own reads. */
  async #sent({
    accessKey,
    type,
  }: Pick<DocumentFact, 'accessKey' | 'type'>): Promise<readonly DocumentEvent[]> {
    const found = await Promise.all(
      judgements[type].map(async (triple) => {
        const key = eventKey(accessKey, triple.eventCode, triple.sequence);
        const known = this.#own.events.get(key);
        if (known !== undefined) return [{ ...triple, progress: progressOf(known) }];
        const place = { profile: this.#space, kind: manifestation.name, dedupeKey: key };
        const holder = await this.#store.items.holder(place);
        return holder === undefined ? [] : [{ ...triple, progress: progressOfItem(holder) }];
      }),
    );
    return found.flat();
  }

  async #synced(groups: readonly DocumentGroup[], accessKey: string): Promise<Listed> {
    const rows = await Promise.all(groups.map((group) => this.#store.events.of(group, accessKey)));
    return readListed(rows.flat());
  }

  /** The companies in whose lists the document may stand. */
  async #groupsOf({ type, companyId }: DocumentFact): Promise<readonly DocumentGroup[]> {
    if (companyId === undefined) this.#companies ??= this.#store.documents.companies(this.#space);
    const companies = companyId === undefined ? await this.#companies : [companyId];
    return (companies ?? []).map((id) => ({ profile: this.#space, companyId: id, family: type }));
  }

  /** `holders`: the event list of a company has nothing about documents that it never captured. */
  async #evidence(
    fact: DocumentFact,
    holders: readonly DocumentGroup[],
    asked: Answer | undefined,
  ): Promise<Pick<EventsOfDocument, 'basis' | 'knownAt'> | undefined> {
    if (asked !== undefined) return { basis: 'service', knownAt: asked.at };
    const start = countedFrom(fact);
    const times = await Promise.all(holders.map((holder) => this.#eventsReadAt(holder)));
    const last = Math.max(...times.map((at) => at ?? Number.NEGATIVE_INFINITY));
    if (start === undefined || !Number.isFinite(last) || dayAt(last) < start) return undefined;
    return { basis: 'synced', knownAt: last };
  }

  /** When a sync has last read the list of events of a company and family to its end. */
  async #eventsReadAt({ profile, companyId, family }: DocumentGroup): Promise<number | undefined> {
    const name = `${companyId} ${family}`;
    const before = this.#readAt.get(name);
    if (before !== undefined) return await before;
    const reading = this.#store.cursors
      .get({ profile, companyId, family, stream: 'events' })
      .then((row) => row?.at);
    this.#readAt.set(name, reading);
    return await reading;
  }
}

/** What the events of a document are read from. */
interface EventSource {
  readonly items: Pick<ItemRows, 'holder'>;
  readonly events: Pick<EventRows, 'of'>;
  readonly documents: Pick<Store['documents'], 'companies' | 'get'>;
  readonly cursors: Pick<Store['cursors'], 'get'>;
}

function ownEvents(known: readonly KnownEvent[]): OwnEvents {
  const living = known.filter((event) => !hasEndedBadly(event));
  const keyed = living.map(
    (event) => [eventKey(event.accessKey, event.eventCode, event.nSequencia), event] as const,
  );
  const cancelled = known.filter((event) => saysCancelled(event)).map(({ accessKey }) => accessKey);
  return { events: new Map(keyed), cancelled: new Set(cancelled) };
}

/** One query for all events of the documents, and one for the living items, instead of several for each document. */
async function readAtOnce(
  context: Context,
  profile: string,
  facts: readonly DocumentFact[],
): Promise<EventSource> {
  const store = await context.store();
  const ofFamily = async (family: DocumentType): Promise<readonly EventRow[]> => {
    const documents = facts.flatMap(({ type, companyId, accessKey }) =>
      type === family && companyId !== undefined ? [[companyId, accessKey] as const] : [],
    );
    return documents.length === 0 ? [] : await store.events.ofDocuments({ profile, family, documents });
  };
  const [nfe, nfse, items] = await Promise.all([
    ofFamily('nfe'),
    ofFamily('nfse'),
    store.items.holdersOf({
      ...{ profile, kind: manifestation.name },
      beginnings: [...new Set(facts.map(({ accessKey }) => accessKey))],
    }),
  ]);
  const eventsOf = new Map<string, EventRow[]>();
  for (const event of [...nfe, ...nfse]) {
    const key = `${event.companyId} ${event.documentId}`;
    const before = eventsOf.get(key);
    if (before === undefined) eventsOf.set(key, [event]);
    else before.push(event);
  }
  const holders = new Map(items.map((item) => [item.dedupeKey, item]));
  return {
    items: { holder: async ({ dedupeKey }) => holders.get(dedupeKey) },
    events: { of: async ({ companyId }, documentId) => eventsOf.get(`${companyId} ${documentId}`) ?? [] },
    documents: store.documents,
    cursors: store.cursors,
  };
}

/** A response for one company does not apply to another that holds the same document. */
function heldKey({ accessKey, companyId = '' }: DocumentFact): string {
  return `${accessKey} ${companyId}`;
}

function codesOf(listed: Listed | undefined): readonly number[] {
  return listed?.events.map(({ eventCode }) => eventCode) ?? [];
}

/** The registered manifestations, and the events that end a document, among listed ones. */
export function readListed(rows: readonly Pick<EventRow, 'facts'>[]): Listed {
  const known = rows.flatMap(({ facts }) => (facts === undefined ? [] : [facts]));
  return {
    events: known
      .filter((event) => isRegistered(event) && counts(event.code))
      .map(({ code, sequence }) => ({ eventCode: code, sequence, progress: 'registered' })),
    unread: rows.length - known.length,
  };
}

function counts(code: number): boolean {
  const group = eventOfCode(code)?.group;
  return group === 'awareness' || group === 'conclusive' || group === 'taker' || endsDocument(code);
}

/** Each once, as far as it has come. */
function merged(events: readonly DocumentEvent[]): readonly DocumentEvent[] {
  const rank = { registered: 2, sent: 1, waiting: 0 };
  const best = new Map<string, DocumentEvent>();
  for (const event of events) {
    const key = `${event.eventCode} ${event.sequence}`;
    const before = best.get(key);
    if (before === undefined || rank[event.progress] > rank[before.progress]) best.set(key, event);
  }
  return [...best.values()];
}

/** True when the document already has a conclusive event, so this one would be redundant or refused (rule 655). */
export function isSaid({ group }: Pick<EventType, 'group'>, events: readonly Triple[]): boolean {
  const groups = events.map(({ eventCode }) => eventOfCode(eventCode)?.group);
  if (group === 'awareness') return groups.includes('awareness') || groups.includes('conclusive');
  return groups.includes(group);
}

/** facts §3: the authority rejects events on a cancelled or denied document with this code. */
function saysCancelled({ errorCode = '' }: KnownEvent): boolean {
  return refusalsOfCancelled.includes(errorCode);
}

/** An unknown status is not final: the event may be active. 573 and 655 mean that it, or a conclusive one, is already registered. */
function hasEndedBadly({ status, errorCode = '' }: KnownEvent): boolean {
  if (standing.has(errorCode)) return false;
  return ['rejected', 'failed', 'cancelled'].includes(status.toLowerCase());
}

const standing: ReadonlySet<string> = new Set([ALREADY_REGISTERED, '655']);

function progressOf({ status, errorCode = '' }: KnownEvent): DocumentEvent['progress'] {
  const isRegistered = status === 'Accepted' || status === 'succeeded' || standing.has(errorCode);
  return isRegistered ? 'registered' : 'sent';
}

function progressOfItem({ state }: ItemRow): DocumentEvent['progress'] {
  if (state === 'succeeded') return 'registered';
  return state === 'pending' || state === 'sending' ? 'sent' : 'waiting';
}
