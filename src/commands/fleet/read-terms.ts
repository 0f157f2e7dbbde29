import { dayAt, daysBetween } from '../../domain/dates.js';
import { deadlinesOf, classesOfType, type DeadlineRule } from '../../domain/deadline.js';
import { isOutgoing, isOwnNote, type DocumentType } from '../../domain/document-fact.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents } from '../../services/documents/events.js';
import { openTerms, type OpenTerm } from '../../services/documents/open-terms.js';
import { storedFacts } from '../../services/documents/facts.js';
import type { TermsState } from './row.js';

const DAY_MS = 86_400_000;
/** An invoice is authorised within days of its issue; a list by date of issue starts this much earlier. */
const MARGIN_MS = 60 * DAY_MS;

export interface TermsRequest {
  readonly rules: readonly DeadlineRule[];
  /** Terms that expire within this time are near. */
  readonly withinMs: number;
  /** Terms that expired longer ago are left out. */
  readonly overdueUpToMs: number;
}

/** The terms of the companies, by company id, from the documents and events in the store. Makes no request. */
export async function readTerms(
  context: Context,
  companies: readonly AccountCompany[],
  request: TermsRequest,
): Promise<ReadonlyMap<string, TermsState>> {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  const held = new Set(await store.documents.companies(storeNamespace));
  const wanted = companies.filter(({ id }) => held.has(id));
  const terms = new Map<string, TermsState>(wanted.map(({ id }) => [id, nothingOpen]));
  if (wanted.length === 0) return terms;
  const taxNumbers = new Map(wanted.map(({ id, taxNumber }) => [id, taxNumber]));
  const known = await DocumentEvents.open(context);
  const now = context.clock.now();
  const today = dayAt(now);
  const since = now - request.overdueUpToMs - longestOf(request.rules) - MARGIN_MS;
  const narrow = {
    companies: [...taxNumbers.keys()],
    families: typesWithTerms(request.rules),
    since: Math.max(0, since),
  };
  for await (const fact of storedFacts(context, narrow, { unreadable: 0 })) {
    const { companyId = '' } = fact;
    const before = terms.get(companyId);
    if (before === undefined || isOwnNote(fact, taxNumbers.get(companyId)) || isOutgoing(fact)) continue;
    const isNear = (lastDay: string): boolean => {
      const daysLeft = daysBetween(today, lastDay);
      return daysLeft <= request.withinMs / DAY_MS && daysLeft >= -request.overdueUpToMs / DAY_MS;
    };
    const deadlines = deadlinesOf(fact, request.rules);
    if (!deadlines.some(({ lastDay }) => isNear(lastDay))) continue;
    const all = openTerms({ fact, deadlines, known: await known.of(fact), today });
    const near = all.filter(({ deadline }) => isNear(deadline));
    terms.set(companyId, near.reduce(added, before));
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

function longestOf(rules: readonly DeadlineRule[]): number {
  return Math.max(0, ...rules.map(({ days }) => days)) * DAY_MS;
}

/** An NFS-e has no term without a user rule, so a released history need not be read. */
function typesWithTerms(rules: readonly DeadlineRule[]): readonly DocumentType[] {
  const types: readonly DocumentType[] = ['nfe', 'nfse'];
  return types.filter((type) => rules.some(({ eventClass }) => classesOfType[type].includes(eventClass)));
}
