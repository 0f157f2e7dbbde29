import { dayAt, daysBetween } from '../../domain/brasilia-day.js';
import { deadlinesOf } from '../../domain/deadline.js';
import { classesOfType, type DeadlineRule } from '../../domain/deadline-rules.js';
import type { DocumentFact, DocumentType } from '../../domain/document-fact.js';
import type { AccountCompany } from '../companies.js';
import type { Context } from '../context.js';
import { LiveEvents } from '../live-events.js';
import { openTerms, type OpenTerm } from '../open-terms.js';
import { storedFacts } from '../stored-facts.js';
import type { TermsState } from './row.js';

const DAY_MS = 86_400_000;
/** A note is authorised within days of its issue; a list by the day of issue reaches so much further back. */
const MARGIN_MS = 60 * DAY_MS;

export interface TermsRequest {
  readonly rules: readonly DeadlineRule[];
  /** What runs out within this time is near. */
  readonly withinMs: number;
  /** What ran out longer ago is no news. */
  readonly overdueUpToMs: number;
}

/** Terms of the companies, by their ids, from what this machine knows of documents and events. Nothing is asked. */
export async function readTerms(
  context: Context,
  companies: readonly AccountCompany[],
  request: TermsRequest,
): Promise<ReadonlyMap<string, TermsState>> {
  const { space } = await context.settings();
  const store = await context.store();
  const known = new Set(await store.documents.companies(space));
  const wanted = companies.filter(({ id }) => known.has(id));
  const terms = new Map<string, TermsState>(wanted.map(({ id }) => [id, nothingOpen]));
  if (wanted.length === 0) return terms;
  const taxNumbers = new Map(wanted.map(({ id, taxNumber }) => [id, taxNumber]));
  const live = await LiveEvents.open(context);
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
    if (before === undefined || isOwn(fact, taxNumbers.get(companyId))) continue;
    const running = deadlinesOf(fact, request.rules).filter(({ lastDay }) => {
      const daysLeft = daysBetween(today, lastDay);
      return daysLeft <= request.withinMs / DAY_MS && daysLeft >= -request.overdueUpToMs / DAY_MS;
    });
    if (running.length === 0) continue;
    const events = await live.of(fact);
    const open = running.flatMap((deadline) => openTerms({ fact, deadline, events, today }));
    terms.set(companyId, open.reduce(added, before));
  }
  return terms;
}

const nothingOpen: TermsState = { near: 0, overdue: 0, nextDeadline: null };

/** Nobody manifests on a note of one's own. */
function isOwn({ issuerTaxNumber, recipientTaxNumber }: DocumentFact, own: string | undefined): boolean {
  return issuerTaxNumber === own || issuerTaxNumber === recipientTaxNumber;
}

/** An event that is on its way is nothing to do. */
function added(terms: TermsState, { state, deadline }: OpenTerm): TermsState {
  const { near, overdue, nextDeadline } = terms;
  if (state === 'sent') return terms;
  if (state === 'overdue') return { ...terms, overdue: (overdue ?? 0) + 1 };
  const isNext = nextDeadline === null || deadline < nextDeadline;
  return { ...terms, near: (near ?? 0) + 1, nextDeadline: isNext ? deadline : nextDeadline };
}

function longestOf(rules: readonly DeadlineRule[]): number {
  return Math.max(0, ...rules.map(({ days }) => days)) * DAY_MS;
}

/** Without a rule of the user's, an NFS-e has no term: a released history need not be read. */
function typesWithTerms(rules: readonly DeadlineRule[]): readonly DocumentType[] {
  const types: readonly DocumentType[] = ['nfe', 'nfse'];
  return types.filter((type) => rules.some(({ eventClass }) => classesOfType[type].includes(eventClass)));
}
