import { addDays } from '../../domain/dates.js';
import { classesOfType, deadlinesByDay, type Deadline, type DeadlineRule } from '../../domain/deadline.js';
import type { DocumentFact, DocumentType } from '../../domain/document-fact.js';
import type { Days } from '../../store/documents.js';
import type { Context } from '../context.js';
import { factOfRow } from './facts.js';
import type { IsOwn } from './own-notes.js';

/** A document that may still need an event, with all its terms. */
export interface OpenSubject {
  readonly fact: DocumentFact;
  readonly deadlines: readonly Deadline[];
}

export interface OpenRequest {
  readonly rules: readonly DeadlineRule[];
  readonly today: string;
  /** Days from today, negative before it, between which a term ends; `first` may be -Infinity. */
  readonly first: number;
  readonly last: number;
  /** Ids; absent: of all. */
  readonly companies?: readonly string[] | undefined;
  readonly isOwn: IsOwn;
  /** A document without such a term is left out. */
  isWanted(deadline: Deadline): boolean;
}

/**
 * The documents with a wanted term and without a listed conclusive event, from the store: those alone are read whose terms
 * end in the requested days. `unreadable`: so many lack what a term is computed from.
 */
export async function readOpenSubjects(
  context: Context,
  { rules, today, first, last, companies, isOwn, isWanted }: OpenRequest,
): Promise<{ readonly subjects: readonly OpenSubject[]; readonly unreadable: number }> {
  const { storeNamespace: profile } = await context.settings();
  const { documents } = await context.store();
  const lastDays = { from: dayFrom(today, Math.floor(first)), to: dayFrom(today, Math.ceil(last)) };
  const rows = await documents.open({
    ...{ profile, families: typesWithTerms(rules), days: startsOf(rules, lastDays) },
    ...(companies === undefined ? {} : { companies }),
  });
  const deadlinesOf = deadlinesByDay(rules);
  const subjects: OpenSubject[] = [];
  let unreadable = 0;
  for (const row of rows) {
    const read = factOfRow(row);
    if (!('fact' in read)) {
      unreadable += 1;
      continue;
    }
    if (isOwn(read.fact)) continue;
    const deadlines = deadlinesOf(read.fact);
    if (deadlines.some(isWanted)) subjects.push({ fact: read.fact, deadlines });
  }
  return { subjects, unreadable };
}

/** A document carries a day of the years 1000 to 2999. */
const [FIRST_DAY, LAST_DAY, MOST_DAYS] = ['1000-01-01', '3500-01-01', 365_000];

function dayFrom(today: string, days: number): string {
  if (days < -MOST_DAYS) return FIRST_DAY;
  return days > MOST_DAYS ? LAST_DAY : addDays(today, days);
}

/**
 * The days from which a term counts that ends on one of these, by any of the rules, without overlap. A term ends some days
 * after the first one, a rule ends with its last day, and a text with an offset carries the day before or after that of
 * Brasília.
 */
function startsOf(rules: readonly DeadlineRule[], { from, to }: Days): readonly Days[] {
  const ranges = rules
    .map(({ days, until = LAST_DAY }) => {
      const last = addDays(to, -days);
      return { from: addDays(from, -days - 1), to: addDays(last < until ? last : until, 1) };
    })
    .filter((range) => range.from <= range.to)
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return ranges.reduce<readonly Days[]>((apart, range) => {
    const before = apart.at(-1);
    if (before === undefined || before.to < range.from) return [...apart, range];
    return [...apart.slice(0, -1), { from: before.from, to: before.to > range.to ? before.to : range.to }];
  }, []);
}

/** An NFS-e has no term without a user rule, so a released history need not be read. */
export function typesWithTerms(rules: readonly DeadlineRule[]): readonly DocumentType[] {
  const types: readonly DocumentType[] = ['nfe', 'nfse'];
  return types.filter((type) => rules.some(({ eventClass }) => classesOfType[type].includes(eventClass)));
}
