import type { Deadline, DeadlineWarning } from '../domain/deadline.js';
import { daysBetween } from '../domain/brasilia-day.js';
import type { EventClass } from '../domain/deadline-rules.js';
import type { DocumentFact } from '../domain/document-fact.js';
import { eventOfCode } from '../domain/event-code.js';
import type { LiveEvent } from './live-events.js';

/** One document and one class of event that is not settled. */
export interface OpenTerm {
  readonly accessKey: string;
  readonly eventClass: EventClass;
  /** The last day, in Brasília. */
  readonly deadline: string;
  /** 0: today is the last day; below: it is over. */
  readonly daysLeft: number;
  /** sent: an event is on its way, its end is not known yet. */
  readonly state: 'overdue' | 'open' | 'sent';
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
  readonly deadline: Deadline;
  readonly events: readonly LiveEvent[];
  readonly today: string;
}

/** What is left to do about one term of a document; nothing once an event that settles it is registered. */
export function openTerms({ fact, deadline, events, today }: TermSubject): readonly OpenTerm[] {
  const { eventClass, lastDay, rule, source, warnings } = deadline;
  const progress = events.filter((event) => counts(event, eventClass)).map((event) => event.progress);
  if (progress.includes('settled')) return [];
  const daysLeft = daysBetween(today, lastDay);
  const open = daysLeft < 0 ? 'overdue' : 'open';
  const { accessKey, issuerTaxNumber, totalAmountText, issuedOn, companyId } = fact;
  return [
    {
      accessKey,
      eventClass,
      deadline: lastDay,
      daysLeft,
      state: progress.includes('sent') ? 'sent' : open,
      supplier: issuerTaxNumber,
      ...(totalAmountText === undefined ? {} : { amount: totalAmountText }),
      issuedOn,
      ...(companyId === undefined ? {} : { companyId }),
      rule,
      source,
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  ];
}

/** A conclusive event makes the Ciência needless; nothing else stands for another class. */
function counts({ eventCode }: LiveEvent, eventClass: EventClass): boolean {
  const group = eventOfCode(eventCode)?.group;
  return group === eventClass || (eventClass === 'awareness' && group === 'conclusive');
}
