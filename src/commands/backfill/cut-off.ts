import type { Text } from '../../contract/text.js';
import { formatUtc, parseUtc } from '../../domain/utc.js';
import { invalidValue } from '../../errors/invalid-value.js';

/**
 * A cut-off as the service takes it: a day means its midnight in UTC. Errors: `usage.invalid_value` for what is no date, a
 * day that no calendar has, or a time that is still to come.
 */
export function readCutOff(text: string, name: string, now: number): string {
  const ms = parseUtc(text.trim());
  if (ms === undefined) throw invalidValue(name, text, aDate);
  if (ms > now) throw invalidValue(name, text, inTheFuture);
  return cutOffText(ms);
}

/** `2024-01-01T00:00:00Z`; the fraction only where there is one. */
export function cutOffText(ms: number): string {
  return formatUtc(ms).replace('.000Z', 'Z');
}

const aDate: Text = {
  en: 'a day that exists, such as 2024-01-01 (midnight UTC), or a UTC time such as 2024-01-01T03:00:00Z, is expected',
  pt: 'espera-se um dia que exista, como 2024-01-01 (meia-noite UTC), ou um horário UTC, como 2024-01-01T03:00:00Z',
};

const inTheFuture: Text = {
  en: 'it lies in the future; a cut-off is a day of the past',
  pt: 'está no futuro; a data de corte é um dia do passado',
};
