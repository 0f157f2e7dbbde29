import data from './deadline-rules.json' with { type: 'json' };
import { type DocumentType, cnpjRoot, issuerState, type DocumentFact } from './document-fact.js';
import { eventTypes, type EventType } from './event-codes.js';
import type { Text } from '../contract/text.js';
import { addDays } from './dates.js';
import { rowDay } from './document-date.js';

/**
 * What a deadline is for. awareness: Ciência da Operação · conclusive: the final event on an NF-e · taker: the event
 * on an NFS-e.
 */
export type EventClass = 'awareness' | 'conclusive' | 'taker';

/** The classes that can have a deadline, by type of document. */
export const classesOfType: Readonly<Record<DocumentType, readonly EventClass[]>> = {
  nfe: ['awareness', 'conclusive'],
  nfse: ['taker'],
};

/** The events of a class, in the order of their codes. */
export function eventsOfClass(eventClass: EventClass): readonly EventType[] {
  return eventTypes.filter(({ group }) => group === eventClass);
}

export interface DeadlineRule {
  readonly name: string;
  readonly eventClass: EventClass;
  /** Codes of its events; absent: all events of the class. */
  readonly events?: readonly number[];
  /** Days after the day of authorisation, which is day 0. The last day is included. */
  readonly days: number;
  /**
   * law: a newer rule replaces an older one of the same class · user: replaces the legal rule for the documents that
   * it matches.
   */
  readonly origin: 'law' | 'user';
  /** The first day of authorisation; absent: no limit. */
  readonly from?: string;
  /** The last day of authorisation; absent: no limit. */
  readonly until?: string;
  readonly source: string;
  /** States of the issuer; absent: all. */
  readonly states?: readonly string[];
  /** CNPJ, CPF, or the first 8 characters of a CNPJ; absent: all. */
  readonly suppliers?: readonly string[];
}

/** The legal deadlines, oldest first within each class. No deadline is known for an NFS-e. */
export const lawDeadlines: readonly DeadlineRule[] = data.deadlines.map(({ class: name, ...rule }) => ({
  ...rule,
  eventClass: name === 'awareness' ? 'awareness' : 'conclusive',
  origin: 'law',
}));

/** How long the authority provides the full XML of an NF-e, in days from the authorisation. */
export const downloadTerm: { readonly days: number; readonly source: string } = data.download;

/** The last day to send events of a class. */
export interface Deadline {
  readonly eventClass: EventClass;
  /** The names of its events: the whole class, unless a rule applies to some events only. */
  readonly events: readonly string[];
  /** `2026-11-21`, the day in Brasília. */
  readonly lastDay: string;
  readonly rule: string;
  readonly source: string;
  readonly warnings: readonly DeadlineWarning[];
}

/** Why the day may be wrong. */
export type DeadlineWarning = 'law-changed' | 'longer-than-law' | 'counted-from-issue';

interface Candidate {
  readonly rule: DeadlineRule;
  readonly lastDay: string;
}

/**
 * The deadlines of a document: one per class, or several when a rule applies to some events of a class. They count
 * from the day of authorisation or, with a warning, from the day of issue, which is never later. The first user rule
 * that matches decides, whether its deadline is shorter or longer than the legal one. Where the law changed before
 * the deadline passed and no transition rule is known, the result is the earlier day, with a warning.
 */
export function deadlinesOf(document: DocumentFact, rules: readonly DeadlineRule[]): readonly Deadline[] {
  const start = countedFrom(document);
  if (start === undefined) return [];
  return classesOfType[document.type].flatMap((eventClass) => {
    const ofClass = rules.filter((rule) => rule.eventClass === eventClass);
    const law = lawTerm(ofClass, start);
    const own = ofClass.filter((rule) => rule.origin === 'user' && fits(rule, document, start));
    const terms = eventsOfClass(eventClass).flatMap(({ code, name }) => {
      const rule = own.find(({ events }) => events === undefined || events.includes(code));
      const term = rule === undefined ? law : userTerm(rule, start, law);
      return term === undefined ? [] : [{ ...term, eventClass, events: [name] }];
    });
    return merged(terms).map((term) => withIssueDay(term, document));
  });
}

/**
 * `deadlinesOf` for many documents. Without rules of the user it depends on the date and the type alone, and few days have
 * many documents.
 */
export function deadlinesByDay(rules: readonly DeadlineRule[]): (document: DocumentFact) => readonly Deadline[] {
  if (rules.some(({ origin }) => origin === 'user')) return (document) => deadlinesOf(document, rules);
  const found = new Map<string, readonly Deadline[]>();
  return (document) => {
    const { type, authorizedOn, issuedOn } = document;
    const key = `${type} ${authorizedOn ?? issuedOn} ${authorizedOn === undefined}`;
    const deadlines = found.get(key) ?? deadlinesOf(document, rules);
    found.set(key, deadlines);
    return deadlines;
  };
}

/** The day from which deadlines and the age of a document count. */
export function countedFrom({
  authorizedOn,
  issuedOn,
}: Pick<DocumentFact, 'authorizedOn' | 'issuedOn'>): string | undefined {
  return rowDay(authorizedOn ?? issuedOn, undefined);
}

type Term = Omit<Deadline, 'eventClass' | 'events'>;

/** The rule in force on the first day, unless a later rule takes effect before the deadline and ends sooner. */
function lawTerm(rules: readonly DeadlineRule[], start: string): Term | undefined {
  const law = rules.filter(({ origin }) => origin === 'law');
  const inForce = law.findLast(({ from }) => from === undefined || from <= start);
  if (inForce === undefined) return undefined;
  const base = candidate(inForce, start);
  const later = law.filter(({ from }) => from !== undefined && from > start && from <= base.lastDay);
  const all = [base, ...later.map((rule) => candidate(rule, start))];
  const chosen = all.reduce((best, other) => (other.lastDay < best.lastDay ? other : best), base);
  const isDoubtful = all.some(({ lastDay }) => lastDay !== chosen.lastDay);
  return termOf(chosen, isDoubtful ? ['law-changed'] : []);
}

function userTerm(rule: DeadlineRule, start: string, law: Term | undefined): Term {
  const own = candidate(rule, start);
  const isLonger = law !== undefined && own.lastDay > law.lastDay;
  return termOf(own, isLonger ? ['longer-than-law'] : []);
}

function fits({ from, until, states, suppliers }: DeadlineRule, document: DocumentFact, start: string) {
  const { issuerTaxNumber } = document;
  return (
    (from === undefined || from <= start) &&
    (until === undefined || start <= until) &&
    (states === undefined || states.includes(issuerState(document) ?? '')) &&
    (suppliers === undefined ||
      suppliers.some((supplier) => supplier === issuerTaxNumber || supplier === cnpjRoot(issuerTaxNumber)))
  );
}

function termOf({ rule, lastDay }: Candidate, warnings: readonly DeadlineWarning[]): Term {
  return { lastDay, rule: rule.name, source: rule.source, warnings };
}

function candidate(rule: DeadlineRule, start: string): Candidate {
  return { rule, lastDay: addDays(start, rule.days) };
}

/** Merges the events with the same day and the same rule into one deadline. */
function merged(terms: readonly Deadline[]): readonly Deadline[] {
  const groups = new Map<string, Deadline>();
  for (const term of terms) {
    const key = `${term.lastDay} ${term.rule}`;
    const events = [...(groups.get(key)?.events ?? []), ...term.events];
    groups.set(key, { ...term, events });
  }
  return [...groups.values()];
}

function withIssueDay(term: Deadline, { authorizedOn }: DocumentFact): Deadline {
  return authorizedOn === undefined ? { ...term, warnings: [...term.warnings, 'counted-from-issue'] } : term;
}

export const deadlineWarnings: Readonly<Record<DeadlineWarning, Text>> = {
  'law-changed': {
    en: 'the law changed before the term ended and no transition rule is known: the earlier day is shown',
    pt: 'a lei mudou durante o prazo e não há regra de transição conhecida: mostra-se a data mais próxima',
  },
  'longer-than-law': {
    en: 'the term in your rules file is longer than the legal term: the authority may reject the event (rule 596)',
    pt: 'o prazo do seu arquivo de regras é maior que o prazo legal: a Sefaz pode rejeitar o evento (regra 596)',
  },
  'counted-from-issue': {
    en: 'counted from the day of issue, because the day of authorisation is not known',
    pt: 'contado a partir da emissão, porque a data de autorização não é conhecida',
  },
};
