import type { Deadline, DeadlineWarning, EventClass } from '../../domain/deadline.js';
import { dayAt, daysBetween, formatUtc } from '../../domain/dates.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import { mayStand } from '../../domain/document-state.js';
import { eventOfCode } from '../../domain/event-codes.js';
import type { DocumentEvent, EventBasis, EventsOfDocument } from './events.js';

/**
 * open: the term runs · sent: an event of this machine's is on its way, its end is not known yet · lost: the term is over
 * without an event, which can no longer be sent; a later term of the document may still run · presumed: the term of the
 * conclusive event is over without one, so that the operation is presumed to have occurred · unknown: the term is over, and
 * nothing shows whether an event was registered · not-owed: the document does not stand, so that no event is due.
 */
export type TermState = 'open' | 'sent' | 'lost' | 'presumed' | 'unknown' | 'not-owed';

/** A document that does not stand owes no term. */
export function owesTerms({ state: { state } }: Pick<EventsOfDocument, 'state'>): boolean {
  return mayStand(state);
}

/** One term of a document that no registered event has settled. */
export interface OpenTerm {
  readonly accessKey: string;
  readonly eventClass: EventClass;
  /** The words of the events that the term is for. */
  readonly events: readonly string[];
  /** The last day, in Brasília. */
  readonly deadline: string;
  /** 0: today is the last day; below: it is over. */
  readonly daysLeft: number;
  readonly state: TermState;
  /** The words of the events that can still be sent today for the document, and the last day for the last of them. */
  readonly remains: readonly string[];
  readonly remainsUntil?: string;
  /** Whose word the state rests on, and when that was read. */
  readonly basis: EventBasis;
  readonly knownAt?: string;
  readonly supplier: string;
  readonly amount?: string;
  readonly issuedOn: string;
  readonly companyId?: string;
  readonly rule: string;
  readonly source: string;
  readonly warnings?: readonly DeadlineWarning[];
}

export interface TermSubject {
  readonly fact: DocumentFact;
  /** All terms of the document. */
  readonly deadlines: readonly Deadline[];
  readonly known: EventsOfDocument;
  readonly today: string;
}

/** The terms of a document that no registered event has settled, with what is lost and what is still possible. */
export function openTerms(subject: TermSubject): readonly OpenTerm[] {
  return judgedTerms(subject).map(({ tell }) => tell());
}

/** A term that no registered event has settled. */
interface JudgedTerm extends Pick<Deadline, 'eventClass' | 'lastDay'> {
  readonly state: TermState;
  /** All of it: most are only counted. */
  readonly tell: () => OpenTerm;
}

export function judgedTerms(subject: TermSubject): readonly JudgedTerm[] {
  const { deadlines, known } = subject;
  const open = deadlines.filter(({ eventClass }) => !progressOf(known.events, eventClass).includes('registered'));
  const unsettled = { ...subject, deadlines: open };
  return open.map((deadline) => {
    const { eventClass, lastDay } = deadline;
    const state = stateOf(unsettled, deadline);
    return { eventClass, lastDay, state, tell: () => termOf(unsettled, deadline, state) };
  });
}

function termOf(subject: TermSubject, deadline: Deadline, state: TermState): OpenTerm {
  const { fact, known, today } = subject;
  const { accessKey, issuerTaxNumber, totalAmountText, issuedOn, companyId } = fact;
  const { eventClass, events, lastDay, rule, source, warnings } = deadline;
  const { basis, knownAt } = known;
  const running = owesTerms(known) ? subject.deadlines.filter((each) => today <= each.lastDay) : [];
  const remainsUntil = running
    .map((each) => each.lastDay)
    .toSorted()
    .at(-1);
  return {
    accessKey,
    eventClass,
    events,
    deadline: lastDay,
    daysLeft: daysBetween(today, lastDay),
    state,
    remains: running.flatMap((each) => each.events),
    ...(remainsUntil === undefined ? {} : { remainsUntil }),
    basis,
    ...(knownAt === undefined ? {} : { knownAt: formatUtc(knownAt) }),
    supplier: issuerTaxNumber,
    ...(totalAmountText === undefined ? {} : { amount: totalAmountText }),
    issuedOn,
    ...(companyId === undefined ? {} : { companyId }),
    rule,
    source,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function stateOf({ deadlines, known, today }: TermSubject, { eventClass, lastDay }: Deadline): TermState {
  if (!owesTerms(known)) return 'not-owed';
  if (progressOf(known.events, eventClass).includes('sent')) return 'sent';
  if (today <= lastDay) return 'open';
  // What was read on the last day, or before, says nothing of an event that came later on that day.
  if (known.knownAt === undefined || dayAt(known.knownAt) <= lastDay) return 'unknown';
  const others = deadlines.filter((each) => each.eventClass === eventClass && today <= each.lastDay);
  return eventClass === 'conclusive' && others.length === 0 ? 'presumed' : 'lost';
}

/** A conclusive event makes the Ciência needless; nothing else stands for another class. */
function progressOf(events: readonly DocumentEvent[], eventClass: EventClass): readonly DocumentEvent['progress'][] {
  return events.flatMap(({ eventCode, progress }) => {
    const group = eventOfCode(eventCode)?.group;
    const isOf = group === eventClass || (eventClass === 'awareness' && group === 'conclusive');
    return isOf ? [progress] : [];
  });
}
