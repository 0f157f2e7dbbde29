import { parseDuration, parseUtc } from '../../domain/dates.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** `--since` as milliseconds: a day, a UTC time, or an age before now. Error: `usage.invalid_value`. */
export function sinceTime(text: string, now: number): number {
  const age = parseDuration(text);
  const time = parseUtc(text) ?? (age === undefined ? undefined : now - age);
  if (time !== undefined) return time;
  const expected = {
    en: 'a day (2026-10-01), a UTC time or an age (30d) is expected',
    pt: 'espera-se um dia (2026-10-01), um horário UTC ou uma idade (30d)',
  };
  throw invalidValue('--since', text, expected);
}
