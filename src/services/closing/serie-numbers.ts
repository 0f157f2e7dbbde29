import type { SerieNumbers } from './coverage.js';

/** Both ends included. */
export type NumberRange = readonly [first: number, last: number];

/** What is known of the numbers of one serie. */
export interface KnownNumbers {
  /** Of the invoices of the month. */
  readonly ofMonth: Iterable<number>;
  /** Of issued, cancelled and denied invoices of any month. */
  readonly used: ReadonlySet<number>;
  readonly disabled: readonly NumberRange[];
  /** Disabled, as a person says. */
  readonly declared: readonly NumberRange[];
}

const MAX_RANGES = 20;

/**
 * Accounts for the numbers of a month: from behind the last known number before its first one, to its last. `undefined`: the month
 * has none. Pure.
 */
export function serieNumbers(serie: number, known: KnownNumbers): SerieNumbers | undefined {
  let [least, last] = [Infinity, -Infinity];
  for (const number of known.ofMonth) {
    least = Math.min(least, number);
    last = Math.max(last, number);
  }
  if (last < least) return undefined;
  const first = behindLastBefore(least, known);
  const used = [...known.used]
    .filter((number) => number >= first && number <= last)
    .map((number): NumberRange => [number, number]);
  const whole: readonly NumberRange[] = [[first, last]];
  const unused = without(whole, used);
  const inUse = without(unused, known.disabled);
  const missing = without(inUse, known.declared);
  return {
    ...{ serie, first, last, used: sizeOf(whole) - sizeOf(unused) },
    disabled: sizeOf(unused) - sizeOf(inUse),
    declared: sizeOf(inUse) - sizeOf(missing),
    missing: sizeOf(missing),
    missingRanges: missing.slice(0, MAX_RANGES),
  };
}

/** A number without one before it is the first of what can be checked. */
function behindLastBefore(least: number, { used, disabled, declared }: KnownNumbers): number {
  let before = -Infinity;
  for (const number of used) if (number < least) before = Math.max(before, number);
  for (const [first, last] of [...disabled, ...declared])
    if (first < least) before = Math.max(before, Math.min(last, least - 1));
  return before === -Infinity ? least : before + 1;
}

/** The parts of sorted ranges that no cut covers. */
function without(ranges: readonly NumberRange[], cuts: readonly NumberRange[]): readonly NumberRange[] {
  const rest: NumberRange[] = [];
  const sorted = merged(cuts);
  let next = 0;
  for (const [first, last] of ranges) {
    let from = first;
    for (; next < sorted.length; next += 1) {
      const [cutFrom, cutTo] = sorted[next] ?? [last, last];
      if (cutFrom > last) break;
      if (cutFrom > from) rest.push([from, cutFrom - 1]);
      from = Math.max(from, cutTo + 1);
      // It may reach into the next range.
      if (cutTo > last) break;
    }
    if (from <= last) rest.push([from, last]);
  }
  return rest;
}

/** Sorted, and none overlaps another. */
function merged(ranges: readonly NumberRange[]): readonly NumberRange[] {
  const result: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = result.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}

function sizeOf(ranges: readonly NumberRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
