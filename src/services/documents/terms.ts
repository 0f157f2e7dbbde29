import type { Days } from '../../store/documents.js';
import { addDays, dayAt, daysBetween } from '../../domain/dates.js';
import { deadlinesOf, classesOfType, type DeadlineRule } from '../../domain/deadline.js';
import type { DocumentFact, DocumentType } from '../../domain/document-fact.js';
import type { Context } from '../context.js';
import { knownCompanies } from '../scope/account.js';
import type { AccountCompany } from '../scope/scope.js';
import { DocumentEvents } from './events.js';
import { factOfRow } from './facts.js';
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
  const rows = await documents.open({
    ...{ profile, families: typesWithTerms(rules) },
    days: startsOf(rules, { from: addDays(today, Math.floor(first)), to: addDays(today, Math.ceil(last)) }),
  });
  const subjects = rows.flatMap((row) => {
    if (!terms.has(row.companyId)) return [];
    const read = factOfRow(row);
    if (!('fact' in read)) {
      if (request.left !== undefined) request.left.unreadable += 1;
      return [];
    }
    const { fact } = read;
    if (isOwn(fact)) return [];
    const deadlines = deadlinesOf(fact, rules);
    return deadlines.some(({ lastDay }) => isNear(lastDay)) ? [{ fact, deadlines }] : [];
  });
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

/**
 * The days from which a term counts that ends on one of these, by any of the rules, without overlap. A term ends some days
 * after the first one, and a text with an offset carries the day before or after that of Brasília.
 */
function startsOf(rules: readonly DeadlineRule[], { from, to }: Days): readonly Days[] {
  const ranges = rules
    .map(({ days }) => ({ from: addDays(from, -days - 1), to: addDays(to, 1 - days) }))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return ranges.reduce<readonly Days[]>((apart, range) => {
    const before = apart.at(-1);
    if (before === undefined || before.to < range.from) return [...apart, range];
    return [...apart.slice(0, -1), { from: before.from, to: before.to > range.to ? before.to : range.to }];
  }, []);
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

/** An NFS-e has no term without a user rule, so a released history need not be read. */
export function typesWithTerms(rules: readonly DeadlineRule[]): readonly DocumentType[] {
  const types: readonly DocumentType[] = ['nfe', 'nfse'];
  return types.filter((type) => rules.some(({ eventClass }) => classesOfType[type].includes(eventClass)));
}
