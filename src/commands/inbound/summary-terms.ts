import { dayAt, addDays, daysBetween } from '../../domain/brasilia-day.js';
import { countedFrom, deadlinesOf } from '../../domain/deadline.js';
import { downloadTerm, lawDeadlines } from '../../domain/deadline-rules.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents, type EventBasis } from '../../services/document-events.js';
import { openTerms, type TermState } from '../../services/open-terms.js';
import { factOfRow } from '../../services/stored-facts.js';

/** What is left to do for an NF-e of which only the summary is archived. Days in Brasília; 0: today is the last one. */
export interface SummaryTerms {
  readonly awareness?: {
    /** done: an event that makes the authority release the full XML, or settles the Ciência, is registered. */
    readonly state: TermState | 'done';
    readonly deadline: string;
    readonly daysLeft: number;
    readonly basis: EventBasis;
  };
  /** How long the authority keeps the full XML. */
  readonly fullXml?: { readonly deadline: string; readonly daysLeft: number };
}

/** Tells the terms of summaries, from what this machine knows. Nothing is asked. */
export async function summaryTerms(context: Context): Promise<(row: DocumentRow) => Promise<SummaryTerms>> {
  const known = await DocumentEvents.open(context);
  const today = dayAt(context.clock.now());
  return async (row) => {
    const read = factOfRow(row);
    if (!('fact' in read)) return {};
    const { fact } = read;
    const deadlines = deadlinesOf(fact, lawDeadlines);
    const [term] = deadlines.filter(({ eventClass }) => eventClass === 'awareness');
    const start = countedFrom(fact);
    if (term === undefined || start === undefined) return {};
    const events = await known.of(fact);
    const open = openTerms({ fact, deadlines, known: events, today });
    const state = open.find(({ eventClass }) => eventClass === 'awareness')?.state ?? 'done';
    const release = addDays(start, downloadTerm.days);
    const { lastDay: deadline } = term;
    return {
      awareness: { state, deadline, daysLeft: daysBetween(today, deadline), basis: events.basis },
      fullXml: { deadline: release, daysLeft: daysBetween(today, release) },
    };
  };
}
