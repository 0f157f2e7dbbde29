import type { Language, Text } from '../../contract/text.js';
import { deadlinesOf, deadlineWarnings, type Deadline, type DeadlineWarning } from '../../domain/deadline.js';
import { dayAt, daysBetween } from '../../domain/brasilia-day.js';
import type { EventClass } from '../../domain/deadline-rules.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../context.js';
import { writeCalendar } from './due-calendar.js';
import { openTerms, type OpenTerm } from '../open-terms.js';
import { readDeadlineRules } from '../deadline-rules-file.js';
import { readDocuments } from './plan-documents.js';
import { LiveEvents } from '../live-events.js';
import { readOwn } from './plan-own.js';

export interface DueRequest {
  readonly withinMs: number;
  /** Leaves out what ran out longer ago; absent: nothing. */
  readonly overdueUpToMs: number | undefined;
  readonly eventClass: EventClass | undefined;
  readonly input: string | undefined;
  readonly own: readonly string[];
  readonly deadlineRules: string | undefined;
  readonly ics: string | undefined;
  /** Of the calendar's texts. */
  readonly language: Language;
}

const DAY_MS = 86_400_000;

/** What runs out, overdue first. Exit 13 when something is overdue. Nothing is sent. */
export async function dueManifestations(context: Context, request: DueRequest): Promise<Outcome> {
  const rules = await readDeadlineRules(context, request.deadlineRules);
  const isOwn = await readOwn(context, request.own);
  const { facts, notices } = await readDocuments(context, request.input);
  const live = await LiveEvents.open(context);
  const today = dayAt(context.clock.now());
  const rows: OpenTerm[] = [];
  for (const fact of facts) {
    if (isOwn(fact)) continue;
    const running = deadlinesOf(fact, rules).filter((deadline) => isWanted(deadline, request, today));
    if (running.length === 0) continue;
    const events = await live.of(fact);
    for (const deadline of running) rows.push(...openTerms({ fact, deadline, events, today }));
  }
  const sorted = inOrder(rows);
  if (request.ics !== undefined) {
    await writeCalendar(context, sorted, { out: request.ics, language: request.language });
  }
  const overdue = sorted.filter(({ state }) => state === 'overdue').length;
  return {
    data: sorted,
    exitCode: overdue === 0 ? ExitCode.ok : ExitCode.endedBadly,
    notices: [...notices, ...doubts(sorted), ...(overdue === 0 ? [] : [areOverdue(overdue)])],
  };
}

function isWanted({ eventClass, lastDay }: Deadline, request: DueRequest, today: string): boolean {
  const { withinMs, overdueUpToMs } = request;
  if (request.eventClass !== undefined && request.eventClass !== eventClass) return false;
  const daysLeft = daysBetween(today, lastDay);
  const oldest = overdueUpToMs === undefined ? Number.NEGATIVE_INFINITY : -overdueUpToMs / DAY_MS;
  return daysLeft <= withinMs / DAY_MS && daysLeft >= oldest;
}

function inOrder(rows: readonly OpenTerm[]): readonly OpenTerm[] {
  const place = ({ state, deadline, accessKey, eventClass }: OpenTerm) =>
    `${state === 'overdue' ? 0 : 1} ${deadline} ${accessKey} ${eventClass}`;
  return rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Each doubt once, with the number of days that it is about. */
function doubts(rows: readonly OpenTerm[]): readonly Text[] {
  const kinds: readonly DeadlineWarning[] = ['law-changed', 'longer-than-law', 'counted-from-issue'];
  return kinds.flatMap((kind) => {
    const count = rows.filter(({ warnings }) => warnings?.includes(kind)).length;
    const { en, pt } = deadlineWarnings[kind];
    return count === 0 ? [] : [{ en: `${count} terms: ${en}`, pt: `${count} prazos: ${pt}` }];
  });
}

function areOverdue(count: number): Text {
  return {
    en: `${count} terms are over without an event: the operation may be presumed to have occurred`,
    pt: `${count} prazos terminaram sem evento: a operação pode ser presumida como ocorrida`,
  };
}
