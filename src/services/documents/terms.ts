import { dayAt } from '../../domain/dates.js';
import type { DeadlineRule, EventClass } from '../../domain/deadline.js';
import { horizonAt, type TermHorizon } from '../../domain/term-horizon.js';
import type { Context } from '../context.js';
import { knownCompanies } from '../scope/account.js';
import type { AccountCompany } from '../scope/scope.js';
import { DocumentEvents, type EventsOfDocument } from './events.js';
import { type OpenSubject, readOpenSubjects } from './open-subjects.js';
import { judgedTerms, type OpenTerm, type TermState } from './open-terms.js';
import { ownNotes } from './own-notes.js';

/** The terms of one company by state, with a last day within the horizon. */
export interface TermCounts {
  readonly open: number;
  readonly sent: number;
  readonly lost: number;
  readonly presumed: number;
  readonly unknown: number;
  /** Of those that are lost, presumed or unknown: with a last day before the horizon. They are in no other count. */
  readonly earlier: number;
  /** Documents that lack what a term is computed from. */
  readonly unreadable: number;
  /** The next last day of an open one, in Brasília. */
  readonly nextDeadline: string | null;
}

export const noTerms: TermCounts = {
  ...{ open: 0, sent: 0, lost: 0, presumed: 0, unknown: 0, earlier: 0, unreadable: 0 },
  nextDeadline: null,
};

interface LedgerForm {
  readonly today: string;
  readonly horizon: TermHorizon;
  /** Absent: every class. */
  readonly eventClass?: EventClass | undefined;
}

/** Judges the terms of documents and counts them: the one place where a term is open, lost, presumed or not owed. */
export class TermLedger {
  /** With a last day within the horizon; those that are not owed are in no count. */
  readonly rows: OpenTerm[] = [];
  readonly #counts = new Map<string, TermCounts>();

  constructor(private readonly form: LedgerForm) {}

  /** Whether the document has a term that the horizon tells of. */
  isNear({ deadlines }: OpenSubject): boolean {
    return deadlines.some(({ lastDay, eventClass }) => this.#isOf(eventClass) && this.#isWithin(lastDay));
  }

  add({ fact, deadlines }: OpenSubject, known: EventsOfDocument): void {
    const { today, horizon } = this.form;
    for (const { eventClass, lastDay, state, tell } of judgedTerms({ fact, deadlines, known, today })) {
      if (!this.#isOf(eventClass)) continue;
      if (this.#isWithin(lastDay)) this.#count(tell());
      else if (lastDay < horizon.first && isOver(state))
        this.#change(fact, ({ earlier }) => ({ earlier: earlier + 1 }));
    }
  }

  addUnreadable(unreadable: ReadonlyMap<string, number>): void {
    for (const [companyId, count] of unreadable)
      this.#change({ companyId }, (counts) => ({ unreadable: counts.unreadable + count }));
  }

  of(companyId: string): TermCounts {
    return this.#counts.get(companyId) ?? noTerms;
  }

  /** Of all companies together. */
  get all(): TermCounts {
    return sumOfTerms([...this.#counts.values()]);
  }

  #isOf(eventClass: EventClass): boolean {
    return this.form.eventClass === undefined || this.form.eventClass === eventClass;
  }

  #isWithin(lastDay: string): boolean {
    const { first, last } = this.form.horizon;
    return first <= lastDay && lastDay <= last;
  }

  #count(term: OpenTerm): void {
    this.rows.push(term);
    const { state, deadline } = term;
    if (state === 'not-owed') return;
    this.#change(term, (counts) => ({
      [state]: counts[state] + 1,
      ...(state === 'open' ? { nextDeadline: earliest(counts.nextDeadline, deadline) } : {}),
    }));
  }

  #change({ companyId = '' }: Pick<OpenTerm, 'companyId'>, change: (counts: TermCounts) => Partial<TermCounts>): void {
    const counts = this.of(companyId);
    this.#counts.set(companyId, { ...counts, ...change(counts) });
  }
}

function isOver(state: TermState): boolean {
  return state === 'lost' || state === 'presumed' || state === 'unknown';
}

function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export function sumOfTerms(all: readonly TermCounts[]): TermCounts {
  return all.reduce(
    (sum, counts) => ({
      open: sum.open + counts.open,
      sent: sum.sent + counts.sent,
      lost: sum.lost + counts.lost,
      presumed: sum.presumed + counts.presumed,
      unknown: sum.unknown + counts.unknown,
      earlier: sum.earlier + counts.earlier,
      unreadable: sum.unreadable + counts.unreadable,
      nextDeadline: earliest(sum.nextDeadline, counts.nextDeadline),
    }),
    noTerms,
  );
}

/** Documents whose events are read at once, and the lists of their companies with them. */
const BATCH = 10_000;

export interface TermsRequest {
  readonly rules: readonly DeadlineRule[];
  readonly withinMs?: number;
  readonly overdueUpToMs?: number | undefined;
  /** By which terms run out, in milliseconds; absent: now. */
  readonly at?: number;
}

/** The terms of companies, and the horizon within which they are counted. */
export interface CompanyTerms {
  readonly horizon: TermHorizon;
  of(companyId: string): TermCounts;
}

/** The terms of the companies from the documents and events in the store. Makes no request. */
export async function readTerms(
  context: Context,
  companies: readonly AccountCompany[],
  request: TermsRequest,
): Promise<CompanyTerms> {
  const today = dayAt(request.at ?? context.clock.now());
  const horizon = horizonAt(today, request);
  const ledger = new TermLedger({ today, horizon });
  if (companies.length > 0) {
    const isOwn = ownNotes([...(await knownCompanies(context)), ...companies]);
    const { subjects, unreadable } = await readOpenSubjects(context, {
      ...{ rules: request.rules, lastDay: horizon.last, isOwn, companies: companies.map(({ id }) => id) },
    });
    ledger.addUnreadable(unreadable);
    for (let at = 0; at < subjects.length; at += BATCH) {
      const batch = subjects.slice(at, at + BATCH);
      const known = await DocumentEvents.about(
        context,
        batch.map(({ fact }) => fact),
      );
      for (const subject of batch) ledger.add(subject, known.of(subject.fact));
    }
  }
  return { horizon, of: (companyId) => ledger.of(companyId) };
}
