import { dayAt } from '../../domain/dates.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import type { DecidingClock } from '../closing/deciding-clocks.js';
import { type Month, monthOf } from '../closing/month.js';

/**
 * When a sync last asked for the events of the issued invoices of some time: of those issued from `since` on, up to the `since` of the
 * next entry. Times in milliseconds.
 */
export interface AskedEvents {
  readonly since: number;
  /** By this machine's clock; absent: they were not asked for, or one of them is not decided. */
  readonly at?: number;
  /** By the clock of the service; absent: its answers had no date. */
  readonly servedAt?: number;
}

/** What is stored, as far as it can be read. */
export function readAsked(position: unknown): readonly AskedEvents[] {
  const list = fieldOf(position, 'events');
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.filter(isAsked).toSorted((one, other) => one.since - other.since);
}

function isAsked(value: unknown): value is AskedEvents {
  if (!isRecord(value)) return false;
  const { since, at, servedAt } = value;
  return typeof since === 'number' && [at, servedAt].every(isTimeOrNone);
}

function isTimeOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

/** After the events of every invoice issued since then were asked for. What is known of earlier invoices stays. */
export function withAsked(known: readonly AskedEvents[], asked: AskedEvents): readonly AskedEvents[] {
  const earlier = known.filter(({ since }) => since < asked.since);
  const [before, last] = [earlier.at(-2), earlier.at(-1)];
  const isEnough = before !== undefined && last !== undefined && serves(before, last, asked.since);
  return [...(isEnough ? earlier.slice(0, -1) : earlier), asked];
}

/** Whether the entry before it proves every month of the invoices of an entry as well, so that the list does not grow with each sync. */
function serves(before: AskedEvents, last: AskedEvents, until: number): boolean {
  const end = monthOf(dayAt(until - 1).slice(0, 'yyyy-mm'.length)).until;
  const clocks = (['at', 'servedAt'] as const).filter((clock) => last[clock] !== undefined);
  return clocks.length > 0 && clocks.every((clock) => (before[clock] ?? -Infinity) >= end);
}

/** After an event of an invoice issued then turned out to be not decided. */
export function withUndecided(known: readonly AskedEvents[], issuedAt: number): readonly AskedEvents[] {
  const index = known.findLastIndex(({ since }) => since <= issuedAt);
  const covering = known[index];
  if (covering?.at === undefined) return known;
  const rest = { ...covering, since: issuedAt + 1 };
  return [
    ...known.slice(0, index),
    ...(covering.since < issuedAt ? [covering] : []),
    { since: issuedAt },
    ...(known[index + 1]?.since === rest.since ? [] : [rest]),
    ...known.slice(index + 1),
  ];
}

/** Since when, and at what time at the earliest by any of these clocks, the events of every invoice of the month were asked for. */
export function askedOf(
  known: readonly AskedEvents[],
  { name, until }: Pick<Month, 'name' | 'until'>,
  clocks: readonly DecidingClock[],
): { readonly at: number; readonly since: number } | undefined {
  // Documents are dated by their own clock, as if that were UTC.
  const start = Date.parse(`${name}-01T00:00:00Z`);
  const first = known.findLastIndex(({ since }) => since <= start);
  if (first === -1) return undefined;
  const entries = known.slice(first).filter(({ since }) => since < until);
  const times = entries.flatMap((entry) => clocks.map((clock) => entry[clock]));
  if (times.includes(undefined)) return undefined;
  return { at: Math.min(...times.map((time = 0) => time)), since: entries[0]?.since ?? 0 };
}
