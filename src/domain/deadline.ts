import data from './deadline-rules.json' with { type: 'json' };
import { type DocumentType, cnpjRoot, issuerState, type DocumentFact } from './document-fact.js';
import { eventTypes, type EventType } from './event-codes.js';
import type { Text } from '../contract/text.js';
import { addDays, dayOf } from './dates.js';

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

/** The last day on which events of a class may still be sent. */
export interface Deadline {
  readonly eventClass: EventClass;
  /** The words of the events that share this day: all of the class, unless a rule is for some of them only. */
  readonly events: readonly string[];
  /** `2026-11-21`, in Brasília. */
  readonly lastDay: string;
  readonly rule: string;
  readonly source: string;
  readonly warnings: readonly DeadlineWarning[];
}

/** What makes a day doubtful. */
export type DeadlineWarning = 'law-changed' | 'longer-than-law' | 'counted-from-issue';

interface Candidate {
  readonly rule: DeadlineRule;
  readonly lastDay: string;
}

/**
 * The terms of a document: one per class that has any, more where a rule is for some events of a class only. They count
 * from the day of authorisation, else (with a warning) from the day of issue, which is never later. The first rule of the
 * user that fits decides, whether its term is shorter or longer than that of the law. Where the law changed while a term
 * was running, and no transition rule is known, the earlier day is given with a warning.
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

/** The day from which terms and age are counted. */
export function countedFrom({
  authorizedOn,
  issuedOn,
}: Pick<DocumentFact, 'authorizedOn' | 'issuedOn'>): string | undefined {
  return dayOf(authorizedOn ?? issuedOn);
}

type Term = Omit<Deadline, 'eventClass' | 'events'>;

/** The rule in force on the first day, unless a later one that came into force before its term was over ends sooner. */
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

/** Events of a class with the same day by the same rule are one term. */
function merged(terms: readonly Deadline[]): readonly Deadline[] {
  const groups = new Map<string, Deadline>();
  for (const term of terms) {
    const place = `${term.lastDay} ${term.rule}`;
    const events = [...(groups.get(place)?.events ?? []), ...term.events];
    groups.set(place, { ...term, events });
  }
  return [...groups.values()];
}

function withIssueDay(term: Deadline, { authorizedOn }: DocumentFact): Deadline {
  return authorizedOn === undefined ? { ...term, warnings: [...term.warnings, 'counted-from-issue'] } : term;
}

export const deadlineWarnings: Readonly<Record<DeadlineWarning, Text>> = {
  'law-changed': {
    en: 'the term changed while it was running and no transition rule is known: the earlier day is shown',
    pt: 'o prazo mudou enquanto corria e não se conhece regra de transição: mostra-se o dia mais próximo',
  },
  'longer-than-law': {
    en: 'the term of your rules file is longer than that of the law: the authority may refuse the event (rule 596)',
    pt: 'o prazo do seu arquivo de regras é maior que o da lei: a autoridade pode recusar o evento (regra 596)',
  },
  'counted-from-issue': {
    en: 'counted from the day of issue, since the day of authorisation is not known',
    pt: 'contado do dia de emissão, pois o dia da autorização não é conhecido',
  },
};
