import { parseUtc } from './utc.js';

/** Terms and months are those of Brasília, where the authority's clock stands (UTC−3, no summer time since 2019). */
const BRASILIA_MS = -3 * 3_600_000;
const DAY_MS = 86_400_000;

/** `2026-11-21`. */
export function dayAt(ms: number): string {
  return new Date(ms + BRASILIA_MS).toISOString().slice(0, 10);
}

/** The day of a date (as it is) or of a moment in UTC (as it is in Brasília); `undefined` for other texts. */
export function dayOf(text: string): string | undefined {
  const ms = parseUtc(text);
  if (ms === undefined) return undefined;
  return text.length === 10 ? text : dayAt(ms);
}

/** The moment at which a day begins in Brasília. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - BRASILIA_MS;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one day to another; negative when `to` lies before. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}
