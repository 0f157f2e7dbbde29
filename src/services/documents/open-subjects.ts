import { addDays } from '../../domain/dates.js';
import { classesOfType, deadlinesByDay, type Deadline, type DeadlineRule } from '../../domain/deadline.js';
import { type DocumentFact, type DocumentType } from '../../domain/document-fact.js';
import type { Days } from '../../store/documents.js';
import type { Context } from '../context.js';
import { factOfRow, mayOweTerm } from './facts.js';
import type { IsOwn } from './own-notes.js';

/** A document that may still need an event, with all its terms. */
export interface OpenSubject {
  readonly fact: DocumentFact;
  readonly deadlines: readonly Deadline[];
}

export interface OpenRequest {
  readonly rules: readonly DeadlineRule[];
  /** A document none of whose terms ends on this day or before is left out. */
  readonly lastDay: string;
  /** Ids; absent: of all. */
  readonly companies?: readonly string[] | undefined;
  readonly isOwn: IsOwn;
}

export interface OpenSubjects {
  readonly subjects: readonly OpenSubject[];
  /** How many documents lack what a term is computed from, such as a date, by company id. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/**
 * The documents with a term that ends until a day and without a listed conclusive event, from the store, in the order of their
 * days.
 */
export async function readOpenSubjects(
  context: Context,
  { rules, lastDay, companies, isOwn }: OpenRequest,
): Promise<OpenSubjects> {
  const { storeNamespace: profile } = await context.settings();
  const { documents } = await context.store();
  const rows = await documents.open({
    ...{ profile, families: typesWithTerms(rules), days: startsOf(rules, { from: FIRST_DAY, to: lastDay }) },
    ...(companies === undefined ? {} : { companies }),
  });
  const deadlinesOf = deadlinesByDay(rules);
  const subjects: OpenSubject[] = [];
  const unreadable = new Map<string, number>();
  for (const row of rows) {
    const fact = factOfRow(row);
    if (fact === undefined) {
      if (mayOweTerm(row)) unreadable.set(row.companyId, (unreadable.get(row.companyId) ?? 0) + 1);
      continue;
    }
    if (isOwn(fact)) continue;
    const deadlines = deadlinesOf(fact);
    if (deadlines.some((deadline) => deadline.lastDay <= lastDay)) subjects.push({ fact, deadlines });
  }
  return { subjects, unreadable };
}

/** A document carries a day of the years 1000 to 2999. */
const [FIRST_DAY, LAST_DAY] = ['1000-01-01', '3500-01-01'];

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
