import { dayAt, daysBetween } from '../../domain/dates.js';
import type { DeadlineRule } from '../../domain/deadline.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { Context } from '../context.js';
import { knownCompanies } from '../scope/account.js';
import type { AccountCompany } from '../scope/scope.js';
import { DocumentEvents } from './events.js';
import { readOpenSubjects } from './open-subjects.js';
import { openTerms, type OpenTerm } from './open-terms.js';
import { ownNotes } from './own-notes.js';

/** Terms of manifestations, from what this machine knows; `null`: this machine never synced the company. */
export interface TermsState {
  readonly near: number | null;
  /** Expired without an event, confirmed by a later sync. */
  readonly overdue: number | null;
  /** Of these: the operation is presumed to have occurred. */
  readonly presumed: number | null;
  /** Expired, and no sync has read the events since then. */
  readonly unknown: number | null;
  /** The next last day, in Brasília. */
  readonly nextDeadline: string | null;
}

const DAY_MS = 86_400_000;
/** Documents whose events are read at once. */
const BATCH = 1_000;

export interface TermsRequest {
  readonly rules: readonly DeadlineRule[];
  /** Terms that expire within this time are near. */
  readonly withinMs: number;
  /** Terms that expired longer ago are left out. */
  readonly overdueUpToMs: number;
  /** Counts the documents that lack what a term is computed from. */
  readonly left?: { unreadable: number };
}

/** The terms of the companies, by company id, from the documents and events in the store. Makes no request. */
export async function readTerms(
  context: Context,
  companies: readonly AccountCompany[],
  request: TermsRequest,
): Promise<ReadonlyMap<string, TermsState>> {
  const { storeNamespace: profile } = await context.settings();
  const { documents } = await context.store();
  const held = new Set(await documents.companies(profile));
  const wanted = companies.filter(({ id }) => held.has(id));
  const terms = new Map<string, TermsState>(wanted.map(({ id }) => [id, nothingOpen]));
  if (wanted.length === 0) return terms;
  const isOwn = ownNotes([...(await knownCompanies(context)), ...companies]);
  const today = dayAt(context.clock.now());
  const { rules, withinMs, overdueUpToMs } = request;
  const [first, last] = [-overdueUpToMs / DAY_MS, withinMs / DAY_MS];
  const isNear = (lastDay: string): boolean => {
    const daysLeft = daysBetween(today, lastDay);
    return daysLeft <= last && daysLeft >= first;
  };
  const { subjects, unreadable } = await readOpenSubjects(context, {
    ...{ rules, today, first, last, isOwn, companies: wanted.map(({ id }) => id) },
    isWanted: ({ lastDay }) => isNear(lastDay),
  });
  if (request.left !== undefined) request.left.unreadable += unreadable;
  for (let at = 0; at < subjects.length; at += BATCH) {
    const batch = subjects.slice(at, at + BATCH);
    const facts: readonly DocumentFact[] = batch.map(({ fact }) => fact);
    const known = await DocumentEvents.about(context, facts);
    for (const { fact, deadlines } of batch) {
      const { companyId = '' } = fact;
      const all = openTerms({ fact, deadlines, known: await known.of(fact), today });
      const near = all.filter(({ deadline }) => isNear(deadline));
      terms.set(companyId, near.reduce(added, terms.get(companyId) ?? nothingOpen));
    }
  }
  return terms;
}

const nothingOpen: TermsState = { near: 0, overdue: 0, presumed: 0, unknown: 0, nextDeadline: null };

/** A pending event needs no action, nor does a document that its issuer cancelled. */
function added(terms: TermsState, { state, deadline }: OpenTerm): TermsState {
  const { near, overdue, presumed, unknown, nextDeadline } = terms;
  const isNext = nextDeadline === null || deadline < nextDeadline;
  switch (state) {
    case 'sent':
    case 'cancelled':
      return terms;
    case 'lost':
      return { ...terms, overdue: (overdue ?? 0) + 1 };
    case 'presumed':
      return { ...terms, overdue: (overdue ?? 0) + 1, presumed: (presumed ?? 0) + 1 };
    case 'unknown':
      return { ...terms, unknown: (unknown ?? 0) + 1 };
    case 'open':
      return { ...terms, near: (near ?? 0) + 1, nextDeadline: isNext ? deadline : nextDeadline };
  }
}
