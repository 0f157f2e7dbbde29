import type { Text } from '../contract/text.js';
import { addDays, dayOf } from './brasilia-day.js';
import { classesOfType, eventsOfClass, type DeadlineRule, type EventClass } from './deadline-rules.js';
import { cnpjRoot, issuerState, type DocumentFact } from './document-fact.js';

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
