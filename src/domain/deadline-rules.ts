import type { DocumentType } from './document-fact.js';

/** What a term is for. awareness: Ciência · conclusive: the final word on an NF-e · taker: the word on an NFS-e. */
export type EventClass = 'awareness' | 'conclusive' | 'taker';

/** The classes that can have a term, by type of document. */
export const classesOfType: Readonly<Record<DocumentType, readonly EventClass[]>> = {
  nfe: ['awareness', 'conclusive'],
  nfse: ['taker'],
};

export interface DeadlineRule {
  readonly name: string;
  readonly eventClass: EventClass;
  /** From the day of authorisation; that day is day 0, and the last day still counts. */
  readonly days: number;
  /** law: a newer rule of the same class replaces an older one · user: it can only bring the day forward. */
  readonly origin: 'law' | 'user';
  /** In force from this day on; absent: from the beginning. */
  readonly from?: string;
  readonly source: string;
  /** Only documents of these issuers' states, and of these suppliers; absent: all. */
  readonly states?: readonly string[];
  readonly suppliers?: readonly string[];
}

/** The terms as the law changed them (facts §4), oldest first in each class. No term is known for an NFS-e. */
export const lawDeadlines: readonly DeadlineRule[] = [
  {
    name: 'awareness-10',
    eventClass: 'awareness',
    days: 10,
    origin: 'law',
    source: 'NT 2020.001',
  },
  {
    name: 'conclusive-90-before-2021',
    eventClass: 'conclusive',
    days: 90,
    origin: 'law',
    source: 'before Ajuste SINIEF 44/20',
  },
  {
    name: 'conclusive-180',
    eventClass: 'conclusive',
    days: 180,
    origin: 'law',
    from: '2021-01-01',
    source: 'Ajuste SINIEF 44/20 (NT 2020.001 v1.10 to v1.50)',
  },
  {
    name: 'conclusive-90',
    eventClass: 'conclusive',
    days: 90,
    origin: 'law',
    from: '2026-06-01',
    source: 'Ajuste SINIEF 14/26 (NT 2020.001 v1.60)',
  },
];
