import { typeOfKey } from './access-key.js';

/**
 * The day and the month of a document. Both are its own: the local date of its `dhEmi` with the offset that is written there, which
 * the month in its access key repeats (facts of the layouts: AAMM). Only a time without an offset is one in Brasília.
 */

/** Where a date was read: the XML, the row of a list, the access key. */
export type DateSource = 'xml' | 'row' | 'key';

export interface DocumentDate {
  /** `2026-10-31`; absent where nothing readable names a day. */
  readonly day?: string;
  /** The clock of its place, in milliseconds as if it were UTC; where `day` is. */
  readonly clockMs?: number;
  /** `2026-10`; absent where not even the access key names one. */
  readonly month?: string;
  readonly source?: DateSource;
  /** The months by which XML, row and key name the document, where they are not all `month`. Sorted, without `month`. */
  readonly otherMonths: readonly string[];
}

export interface DateEvidence {
  /** As the XML writes its date of issue: `dhEmi`, `dEmi`. */
  readonly xml?: string | undefined;
  /** As the list writes it, often in UTC. */
  readonly row?: string | undefined;
  /** The access key, of 44 or 50 characters; other text names no month. */
  readonly key?: string | undefined;
}

/** The first electronic invoices are of 2006: an earlier year is a wrong date. */
const FIRST_YEAR = 2006;
const LAST_YEAR = 2099;

const written =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

const MINUTE_MS = 60_000;
/** Brasília, then the other offsets of Brazil: the Amazon, Acre, Fernando de Noronha and summer time until 2019; some issuers write UTC. */
const offsetsOfBrazil = [-3, -4, -5, -2, 0].map((hours) => hours * 60);

interface WrittenTime {
  /** The clock at the place of the writer, in milliseconds as if it were UTC. */
  readonly clockMs: number;
  readonly isUtc: boolean;
}

/** `undefined` for other text, a day or time that does not exist, and a year that no document has. */
function readWritten(text: string): WrittenTime | undefined {
  const match = written.exec(text.trim());
  if (match === null) return undefined;
  const [, year = '', month = '', date = '', hour = '00', minute = '00', second = '00', place] = match;
  const day = `${year}-${month}-${date}`;
  const clockMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  // `Date.parse` turns 30 February into March.
  if (Number.isNaN(clockMs) || dayOfClock(clockMs) !== day) return undefined;
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return undefined;
  const offset = place === undefined ? undefined : offsetOf(place);
  return offset !== undefined && Math.abs(offset) > 14 * 60 ? undefined : { clockMs, isUtc: offset === 0 };
}

function offsetOf(place: string): number {
  if (place === 'Z') return 0;
  const [hours, minutes] = [Number(place.slice(1, 3)), Number(place.slice(-2))];
  return (place.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function dayOfClock(clockMs: number): string {
  return new Date(clockMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** The date as it is written, whatever its offset: `2026-10-31T23:30:00-04:00` is 31 October. `undefined` for what is no date. */
export function localDay(text: string | undefined): string | undefined {
  const time = text === undefined ? undefined : readWritten(text);
  return time === undefined ? undefined : dayOfClock(time.clockMs);
}

/**
 * The day of a date in a row of the service. A moment in UTC has lost its place: it is read in Brasília, unless only another offset
 * of Brazil puts it into the month of the access key.
 */
export function rowDay(text: string | undefined, keyMonth: string | undefined): string | undefined {
  const clockMs = rowClock(text, keyMonth);
  return clockMs === undefined ? undefined : dayOfClock(clockMs);
}

function rowClock(text: string | undefined, keyMonth: string | undefined): number | undefined {
  const time = text === undefined ? undefined : readWritten(text);
  if (time === undefined || !time.isUtc || text?.trim().length === 'yyyy-mm-dd'.length) return time?.clockMs;
  const clocks = offsetsOfBrazil.map((offset) => time.clockMs + offset * MINUTE_MS);
  return clocks.find((clock) => monthOfClock(clock) === keyMonth) ?? clocks[0];
}

/** `2026-10-31` → `2026-10`. */
export function monthOfDay(day: string): string {
  return day.slice(0, 'yyyy-mm'.length);
}

/** The month in an access key of 44 or 50 characters: AAMM; `undefined` for other text and a month that does not exist. */
export function monthOfKey(key = ''): string | undefined {
  const type = typeOfKey(key);
  if (type === undefined) return undefined;
  const at = type === 'nfse' ? 36 : 2;
  const [year, month] = [key.slice(at, at + 2), key.slice(at + 2, at + 4)];
  if (Number(month) < 1 || Number(month) > 12 || Number(`20${year}`) < FIRST_YEAR) return undefined;
  return `20${year}-${month}`;
}

/** The XML decides, then the row, then the key, which names only a month. */
export function documentDate({ xml, row, key }: DateEvidence): DocumentDate {
  const ofKey = monthOfKey(key);
  const ofXml = xml === undefined ? undefined : readWritten(xml)?.clockMs;
  const ofRow = rowClock(row, ofKey);
  const clockMs = ofXml ?? ofRow;
  const month = clockMs === undefined ? ofKey : monthOfClock(clockMs);
  const ofBoth = [ofRow === undefined ? month : monthOfClock(ofRow), ofKey ?? month];
  const others = ofBoth.flatMap((other) => (other === undefined || other === month ? [] : [other]));
  return {
    ...(clockMs !== undefined && { day: dayOfClock(clockMs), clockMs }),
    ...(month !== undefined && { month, source: sourceOf(ofXml, clockMs) }),
    otherMonths: [...new Set(others)].sort(),
  };
}

function monthOfClock(clockMs: number): string {
  return monthOfDay(dayOfClock(clockMs));
}

function sourceOf(ofXml: number | undefined, ofRow: number | undefined): DateSource {
  if (ofXml !== undefined) return 'xml';
  return ofRow === undefined ? 'key' : 'row';
}

/** Whether a document is, by any of its evidence, one of this month: a difference is counted in the proofs of both. */
export function isOfMonth({ month, otherMonths }: DocumentDate, name: string): boolean {
  return month === name || otherMonths.includes(name);
}

/** From `since` (inclusive) until `until` (exclusive), by the clock of each document, in milliseconds as if it were UTC. */
export interface ClockRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The moments of a range as the clock of Brasília shows them, which documents are compared with by their own clocks. */
export function clockRangeOf({ since, until }: ClockRange): ClockRange {
  const brasilia = -3 * 60 * MINUTE_MS;
  return {
    since: since === undefined ? undefined : since + brasilia,
    until: until === undefined ? undefined : until + brasilia,
  };
}

/** A document of which only the month is known is within a range that holds a part of its month. */
export function isDatedWithin({ clockMs, month }: DocumentDate, range: ClockRange): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range;
  if (clockMs !== undefined) return clockMs >= since && clockMs < until;
  if (month === undefined) return false;
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const days = new Date(first);
  return first < until && days.setUTCMonth(days.getUTCMonth() + 1) > since;
}
