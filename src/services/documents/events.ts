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
import type { DocumentRow, EventRow } from '../../store/documents.js';
import type { ItemRow, Store } from '../../store/store.js';
import type { Context } from '../context.js';
import { evidenceOf } from './record.js';
import { knownKinds, knownOf, type KnownEvent } from './known-events.js';

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

interface Answer extends Listed {
  readonly at: number;
}

/** What is stored of the events of some documents. The maps have only documents that have something. */
interface StoredEvents {
  /** Of this machine, by `eventKey`: what it has sent, or found at the service by its own reads. */
  readonly own: ReadonlyMap<string, DocumentEvent['progress']>;
  /** The access keys in `own`. */
  readonly sentFor: ReadonlySet<string>;
  /** Access keys of documents that the authority reported as cancelled. */
  readonly cancelled: ReadonlySet<string>;
  /** The companies in whose lists a document without one may stand. */
  readonly companies: readonly string[];
  /** By `heldKey`. */
  readonly listed: ReadonlyMap<string, readonly EventRow[]>;
  /** The documents of files that a company captured, by `heldKey`. */
  readonly held: ReadonlyMap<string, DocumentRow>;
  /** When a sync has last read the list of events of a company and family to its end, by `listKey`. */
  readonly readAt: ReadonlyMap<string, number>;
}

/**
 * What is known of the events of documents, whoever sent them: those that a sync has brought, those that the service was
 * asked for in this run, those that this machine has seen at the service, and the living items of every job.
 */
export class DocumentEvents {
  readonly #asked = new Map<string, Answer>();

  private constructor(private readonly stored: StoredEvents) {}

  /** Reads at once what is stored of these documents: their number decides, not that of everything known. */
  static async about(context: Context, facts: readonly DocumentFact[]): Promise<DocumentEvents> {
    const { storeNamespace: profile } = await context.settings();
    const store = await context.store();
    const isForAll = facts.some(({ companyId }) => companyId === undefined);
    const companies = isForAll ? await store.documents.companies(profile) : [];
    const own = await readOwn(store, profile, facts);
    const copies = facts.flatMap((fact) => companiesOf(fact, companies).map((companyId) => ({ ...fact, companyId })));
    return new DocumentEvents({ ...own, companies, ...(await readCopies(store, profile, copies)) });
  }

  /** Adds the response of the service about the document of one company, at this time. */
  learn(fact: DocumentFact, answer: Answer): void {
    this.#asked.set(heldKey(fact), answer);
  }

  of(fact: DocumentFact): EventsOfDocument {
    const { accessKey, status } = fact;
    const { companies, listed, cancelled } = this.stored;
    const ids = companiesOf(fact, companies);
    const synced = readListed(ids.flatMap((companyId) => listed.get(heldKey({ accessKey, companyId })) ?? []));
    const asked = this.#asked.get(heldKey(fact));
    const events = merged([...this.#sent(fact), ...synced.events, ...(asked?.events ?? [])]);
    const { unread } = asked ?? synced;
    const { evidence: captured } = fact.captured ?? {};
    const held = ids.flatMap((companyId) => this.stored.held.get(heldKey({ accessKey, companyId })) ?? []);
    const own: StateEvidence = captured ?? {
      ...{ accessKey, status, eventCodes: codesOf(synced) },
      isRefusedAsCancelled: cancelled.has(accessKey),
    };
    const judge = ({ eventCodes, ...said }: StateEvidence): KnownState =>
      stateOf({ ...said, eventCodes: [...eventCodes, ...codesOf(asked)], unreadEvents: unread });
    const others = held.map((row) => judge(evidenceOf(row)));
    const state = others.find((other) => !mayStand(other.state)) ?? judge(own);
    const holders = captured === undefined ? held.map((row) => row.companyId) : ids;
    const evidence = unread > 0 ? undefined : this.#evidence(fact, holders, asked);
    return { events, state, ...(evidence ?? { basis: 'local' }) };
  }

  #sent({ accessKey, type }: DocumentFact): readonly DocumentEvent[] {
    const { own, sentFor } = this.stored;
    if (!sentFor.has(accessKey)) return [];
    return judgements[type].flatMap((triple) => {
      const progress = own.get(eventKey(accessKey, triple.eventCode, triple.sequence));
      return progress === undefined ? [] : [{ ...triple, progress }];
    });
  }

  /** `holders`: the event list of a company has nothing about documents that it never captured. */
  #evidence(
    fact: DocumentFact,
    holders: readonly string[],
    asked: Answer | undefined,
  ): Pick<EventsOfDocument, 'basis' | 'knownAt'> | undefined {
    if (asked !== undefined) return { basis: 'service', knownAt: asked.at };
    const times = holders.flatMap((id) => this.stored.readAt.get(listKey(id, fact.type)) ?? []);
    const last = Math.max(...times);
    const start = countedFrom(fact);
    if (start === undefined || !Number.isFinite(last) || dayAt(last) < start) return undefined;
    return { basis: 'synced', knownAt: last };
  }
}

function companiesOf({ companyId }: DocumentFact, all: readonly string[]): readonly string[] {
  return companyId === undefined ? all : [companyId];
}

/** The submissions of this machine: what the service last said of them, else how far their items are. */
async function readOwn(
  { known, items }: Store,
  profile: string,
  facts: readonly DocumentFact[],
): Promise<Pick<StoredEvents, 'own' | 'sentFor' | 'cancelled'>> {
  const keys = [...new Set(facts.map(({ accessKey }) => accessKey))];
  const [seen, holders] = await Promise.all([
    readSeen(known, profile, keys),
    items.holdersOf({ profile, kind: manifestation.name, beginnings: keys }),
  ]);
  const own = new Map(holders.map((item) => [item.dedupeKey, progressOfItem(item)]));
  for (const event of seen)
    if (!hasEndedBadly(event)) own.set(eventKey(event.accessKey, event.eventCode, event.nSequencia), progressOf(event));
  return {
    own,
    sentFor: new Set([...own.keys()].map((key) => key.slice(0, key.indexOf(' ')))),
    cancelled: cancelledOf(seen),
  };
}

async function readSeen(
  known: Store['known'],
  profile: string,
  labels: readonly string[],
): Promise<readonly KnownEvent[]> {
  const kinds = [knownKinds.nfe, knownKinds.nfse];
  const rows = await Promise.all(kinds.map((kind) => known.labelled({ profile, kind, labels })));
  return rows.flat().map(knownOf);
}

function cancelledOf(seen: readonly KnownEvent[]): ReadonlySet<string> {
  return new Set(seen.filter(saysCancelled).map(({ accessKey }) => accessKey));
}

/** Documents whose events are read by one query. */
const BATCH = 5_000;

type Copy = DocumentFact & { readonly companyId: string };

/** What syncs have stored of the events of documents in the lists of these companies. */
async function readCopies(
  store: Store,
  profile: string,
  copies: readonly Copy[],
): Promise<Pick<StoredEvents, 'listed' | 'held' | 'readAt'>> {
  const listed = new Map<string, EventRow[]>();
  const held = new Map<string, DocumentRow>();
  const readAt = new Map<string, number>();
  for (const family of new Set(copies.map(({ type }) => type))) {
    const ofFamily = copies.filter(({ type }) => type === family);
    const documents = ofFamily.filter(mayHaveEvents).map((copy) => [copy.companyId, copy.accessKey] as const);
    for (let at = 0; at < documents.length; at += BATCH) {
      const batch = documents.slice(at, at + BATCH);
      for (const event of await store.events.ofDocuments({ profile, family, documents: batch })) {
        const key = heldKey({ accessKey: event.documentId, companyId: event.companyId });
        const before = listed.get(key);
        if (before === undefined) listed.set(key, [event]);
        else before.push(event);
      }
    }
    for (const companyId of new Set(ofFamily.map((copy) => copy.companyId))) {
      const cursor = await store.cursors.get({ profile, companyId, family, stream: 'events' });
      if (cursor !== undefined) readAt.set(listKey(companyId, family), cursor.at);
    }
  }
  for (const { captured, companyId, type: family, accessKey } of copies) {
    if (captured !== undefined) continue;
    const row = await store.documents.get({ profile, companyId, family }, accessKey);
    if (row !== undefined) held.set(heldKey({ accessKey, companyId }), row);
  }
  return { listed, held, readAt };
}

/** The row of a captured document names the events that count. */
function mayHaveEvents({ captured }: DocumentFact): boolean {
  if (captured === undefined) return true;
  const { eventCodes, unreadEvents = 0 } = captured.evidence;
  return eventCodes.length > 0 || unreadEvents > 0;
}

function codesOf(listed: Listed | undefined): readonly number[] {
  return listed?.events.map(({ eventCode }) => eventCode) ?? [];
}

/** A response for one company does not apply to another that holds the same document. */
function heldKey({ accessKey, companyId = '' }: Pick<DocumentFact, 'accessKey' | 'companyId'>): string {
  return `${accessKey} ${companyId}`;
}

function listKey(companyId: string, family: DocumentType): string {
  return `${family} ${companyId}`;
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
