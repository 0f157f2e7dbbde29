/** Dates as people type them, in Portuguese or English order of words. A day is a day in Brasília. */
import type { Text } from '../contract/text.js';
import { addDays, dayAt, parseDuration, parseUtc, startOfDay } from './dates.js';

/**
 * Reads a day: `2026-11-01`, `01/11/2026`, and where the time `now` is given, `hoje`, `today`, `ontem`, `yesterday`. Returns
 * `2026-11-01`, or `undefined` for other text and for a day that does not exist.
 */
export function parseDay(text: string, now?: number): string | undefined {
  const typed = text.trim().toLowerCase();
  if (now !== undefined && /^(?:hoje|today)$/.test(typed)) return dayAt(now);
  if (now !== undefined && /^(?:ontem|yesterday)$/.test(typed)) return addDays(dayAt(now), -1);
  const [, date, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? [];
  const day = date && month && year ? [year, month.padStart(2, '0'), date.padStart(2, '0')].join('-') : typed;
  return day.length === 10 && parseUtc(day) !== undefined ? day : undefined;
}

/** Reads a month of this century, `2026-10` or `10/2026`. Returns `2026-10`. */
export function parseMonth(text: string): string | undefined {
  const [, month = '', year = ''] = /^(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const name = year === '' ? text.trim() : `${year}-${month.padStart(2, '0')}`;
  return /^20\d{2}-(?:0[1-9]|1[0-2])$/.test(name) ? name : undefined;
}

/**
 * Reads a moment, in milliseconds since the epoch: a UTC time, the midnight in Brasília that begins a day or a month, or an
 * age (`7d`) before `now`.
 */
export function parseMoment(text: string, now: number): number | undefined {
  const day = parseDay(text, now);
  if (day !== undefined) return startOfDay(day);
  const month = parseMonth(text);
  if (month !== undefined) return startOfDay(`${month}-01`);
  const age = parseDuration(text.trim());
  return age === undefined ? parseUtc(text.trim()) : now - age;
}

/** What `parseMoment` accepts, for an error. */
export const momentForms: Text = {
  en: 'a day (01/11/2026, 2026-11-01, today, yesterday), a month (10/2026, 2026-10), an age (7d) or a UTC time (2026-11-01T10:00:00Z) is expected',
  pt: 'espera-se um dia (01/11/2026, 2026-11-01, hoje, ontem), um mês (10/2026, 2026-10), uma idade (7d) ou um horário UTC (2026-11-01T10:00:00Z)',
};
