import type { Text } from '../contract/text.js';
import { addDays, dayOf } from './brasilia-day.js';
import { classesOfType, type DeadlineRule, type EventClass } from './deadline-rules.js';
import { issuerState, type DocumentFact } from './document-fact.js';

/** The last day on which an event of a class may still be sent. */
export interface Deadline {
  readonly eventClass: EventClass;
  /** `2026-11-21`, in Brasília. */
  readonly lastDay: string;
  readonly rule: string;
  readonly source: string;
  readonly warnings: readonly DeadlineWarning[];
}

/** What makes a day doubtful. */
export type DeadlineWarning = 'law-changed' | 'counted-from-issue';

interface Candidate {
  readonly rule: DeadlineRule;
  readonly lastDay: string;
}

/**
 * The terms of a document, one per class that has any. They count from the day of authorisation, else (with a warning)
 * from the day of issue, which is never later. Where the law changed while a term was running, and no transition rule is
 * known, the earlier day is given with a warning (facts §4).
 */
export function deadlinesOf(document: DocumentFact, rules: readonly DeadlineRule[]): readonly Deadline[] {
  const start = countedFrom(document);
  if (start === undefined) return [];
  return classesOfType[document.type].flatMap((eventClass) => {
    const ofClass = rules.filter((rule) => rule.eventClass === eventClass);
    const law = lawCandidates(ofClass, start);
    const own = userCandidates(ofClass, document, start);
    const chosen = earliest([...law, ...own]);
    if (chosen === undefined) return [];
    const isDoubtful = chosen.rule.origin === 'law' && law.some(({ lastDay }) => lastDay !== chosen.lastDay);
    return [
      {
        eventClass,
        lastDay: chosen.lastDay,
        rule: chosen.rule.name,
        source: chosen.rule.source,
        warnings: [
          ...(isDoubtful ? (['law-changed'] as const) : []),
          ...(document.authorizedOn === undefined ? (['counted-from-issue'] as const) : []),
        ],
      },
    ];
  });
}

/** The day from which terms and age are counted. */
export function countedFrom({ authorizedOn, issuedOn }: DocumentFact): string | undefined {
  return dayOf(authorizedOn ?? issuedOn);
}

/** The rule in force on the first day, and those that came into force before its term was over. */
function lawCandidates(rules: readonly DeadlineRule[], start: string): readonly Candidate[] {
  const law = rules.filter(({ origin }) => origin === 'law');
  const inForce = law.findLast(({ from }) => from === undefined || from <= start);
  if (inForce === undefined) return [];
  const base = candidate(inForce, start);
  const later = law.filter(({ from }) => from !== undefined && from > start && from <= base.lastDay);
  return [base, ...later.map((rule) => candidate(rule, start))];
}

function userCandidates(
  rules: readonly DeadlineRule[],
  document: DocumentFact,
  start: string,
): readonly Candidate[] {
  const state = issuerState(document) ?? '';
  return rules
    .filter(({ origin, from }) => origin === 'user' && (from === undefined || from <= start))
    .filter(({ states, suppliers }) => {
      const fitsState = states === undefined || states.includes(state);
      return fitsState && (suppliers === undefined || suppliers.includes(document.issuerTaxNumber));
    })
    .map((rule) => candidate(rule, start));
}

function candidate(rule: DeadlineRule, start: string): Candidate {
  return { rule, lastDay: addDays(start, rule.days) };
}

function earliest(candidates: readonly Candidate[]): Candidate | undefined {
  const [first, ...rest] = candidates;
  if (first === undefined) return undefined;
  return rest.reduce((best, other) => (other.lastDay < best.lastDay ? other : best), first);
}

export const deadlineWarnings: Readonly<Record<DeadlineWarning, Text>> = {
  'law-changed': {
    en: 'the term changed while it was running and no transition rule is known: the earlier day is shown',
    pt: 'o prazo mudou enquanto corria e não se conhece regra de transição: mostra-se o dia mais próximo',
  },
  'counted-from-issue': {
    en: 'counted from the day of issue, since the day of authorisation is not known',
    pt: 'contado do dia de emissão, pois o dia da autorização não é conhecido',
  },
};
