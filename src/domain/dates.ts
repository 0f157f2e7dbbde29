/** Times are UTC ISO 8601 text at the edges (§1, convention 2) and milliseconds inside. */
import type { Text } from '../contract/text.js';
import { counted, type Forms } from './counted.js';

const utcPattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z)?$/;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses `2026-11-21T10:00:00Z`, with or without a fraction, or `2026-11-21` (midnight UTC), to milliseconds since
 * the epoch. `undefined` for offsets, impossible days and other text.
 */
export function parseUtc(text: string): number | undefined {
  const match = utcPattern.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '00:00:00', fraction = ''] = match;
  const whole = Date.parse(`${day}T${time}Z`);
  // `Date.parse` turns 30 February into March; formatting the result again shows whether the day exists.
  if (Number.isNaN(whole) || new Date(whole).toISOString() !== `${day}T${time}.000Z`) return undefined;
  return whole + Math.floor(Number(`0${fraction}`) * 1000);
}

/** `2026-11-21T10:00:00.000Z`. */
export function formatUtc(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Parses `500ms`, `5s`, `1.5m`, `1h`, `10d` to milliseconds. `undefined` for other text and for a number without
 * unit, except `0`.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  const [, amount = '', unit = ''] = match;
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** The shortest exact form, e.g. `90s`, `10m`, `2d`. */
export function formatDuration(ms: number): string {
  const units = ['d', 'h', 'm', 's'] as const;
  const unit = units.find((candidate) => ms !== 0 && ms % (unitMs[candidate] ?? 1) === 0) ?? 'ms';
  return `${ms / (unitMs[unit] ?? 1)}${unit}`;
}

const inWords: readonly (readonly [ms: number, forms: Forms])[] = [
  [365.25 * 86_400_000, { en: ['year', 'years'], pt: ['ano', 'anos'] }],
  [86_400_000, { en: ['day', 'days'], pt: ['dia', 'dias'] }],
  [3_600_000, { en: ['hour', 'hours'], pt: ['hora', 'horas'] }],
  [60_000, { en: ['minute', 'minutes'], pt: ['minuto', 'minutos'] }],
];

/** About so long, in the largest unit of which there are two, or exactly one: `317 years`, `15 minutes`, `90 seconds`. */
export function durationInWords(ms: number): Text {
  const found = inWords.find(([unit]) => ms >= 2 * unit || ms === unit);
  const [unit, forms] = found ?? [1_000, { en: ['second', 'seconds'], pt: ['segundo', 'segundos'] }];
  return counted(Math.round(ms / unit), forms);
}

/**
 * Deadlines and months follow Brasília time, the time zone of the authority (UTC−3, no daylight saving since 2019).
 */
const BRASILIA_MS = -3 * 3_600_000;
/** One of the days in Brasília, which all have the same length. */
export const DAY_MS = 86_400_000;

/** The day in Brasília of a moment in milliseconds: `2026-11-21`. */
export function dayAt(ms: number): string {
  return new Date(ms + BRASILIA_MS).toISOString().slice(0, 10);
}

/** A day as people write it: `2026-11-21`, `21/11/2026`. */
export function dayInWords(day: string): Text {
  return { en: day, pt: day.split('-').reverse().join('/') };
}

/** The day and minute of a moment in Brasília, as people write them. */
export function momentInWords(ms: number): Text {
  const { en, pt } = dayInWords(dayAt(ms));
  const time = brasiliaTime(ms).slice(11, 16);
  return { en: `${en} ${time}`, pt: `${pt} ${time}` };
}

/** A day, or a UTC time in Brasília, as people write them; other text as it is. */
export function timeInWords(text: string): Text {
  const ms = parseUtc(text);
  if (ms === undefined) return { en: text, pt: text };
  return text.length === 10 ? dayInWords(text) : momentInWords(ms);
}

/** The wall clock of Brasília at a moment in milliseconds: `2026-11-21T07:00:00.000`. */
export function brasiliaTime(ms: number): string {
  return new Date(ms + BRASILIA_MS).toISOString().slice(0, -1);
}

/** The day of a date, unchanged, or of a UTC moment, in Brasília. `undefined` for other text. */
export function dayOf(text: string): string | undefined {
  const ms = parseUtc(text);
  if (ms === undefined) return undefined;
  return text.length === 10 ? text : dayAt(ms);
}

/** The start of a day in Brasília, in milliseconds since the epoch. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - BRASILIA_MS;
}

/** Parses a day, which means its midnight in Brasília, or a UTC time, to milliseconds since the epoch. */
export function parseDayOrTime(text: string): number | undefined {
  const ms = parseUtc(text);
  return ms === undefined || text.length > 10 ? ms : startOfDay(text);
}

/** `2024-01-01T03:00:00Z`; the fraction only where there is one. */
export function formatUtcShort(ms: number): string {
  return formatUtc(ms).replace('.000Z', 'Z');
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}
