import data from './deadline-rules.json' with { type: 'json' };
import type { DocumentType } from './document-fact.js';
import { eventTypes, type EventType } from './event-code-list.js';

/** What a term is for. awareness: Ciência · conclusive: the final word on an NF-e · taker: the word on an NFS-e. */
export type EventClass = 'awareness' | 'conclusive' | 'taker';

/** The classes that can have a term, by type of document. */
export const classesOfType: Readonly<Record<DocumentType, readonly EventClass[]>> = {
  nfe: ['awareness', 'conclusive'],
  nfse: ['taker'],
};

/** The events that belong to a class, in the order of their codes. */
export function eventsOfClass(eventClass: EventClass): readonly EventType[] {
  return eventTypes.filter(({ group }) => group === eventClass);
}

export interface DeadlineRule {
  readonly name: string;
  readonly eventClass: EventClass;
  /** Codes of the events that it is for; absent: all of the class. */
  readonly events?: readonly number[];
  /** From the day of authorisation; that day is day 0, and the last day still counts. */
  readonly days: number;
  /** law: a newer rule of the same class replaces an older one · user: takes the place of the law for what it fits. */
  readonly origin: 'law' | 'user';
  /** For documents authorised from this day on; absent: from the beginning. */
  readonly from?: string;
  /** The last day of authorisation that it is for; absent: until today. */
  readonly until?: string;
  readonly source: string;
  /** Only documents of these issuers' states; absent: all. */
  readonly states?: readonly string[];
  /** CNPJ, CPF, or the first 8 characters of a CNPJ; absent: all. */
  readonly suppliers?: readonly string[];
}

/** The terms as the law changed them, oldest first in each class. No term is known for an NFS-e. */
export const lawDeadlines: readonly DeadlineRule[] = data.deadlines.map(({ class: name, ...rule }) => ({
  ...rule,
  eventClass: name === 'awareness' ? 'awareness' : 'conclusive',
  origin: 'law',
}));

/** How long the full XML of an NF-e can be had from the authority, from the day of authorisation. */
export const downloadTerm: { readonly days: number; readonly source: string } = data.download;
