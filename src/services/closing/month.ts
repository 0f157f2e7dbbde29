import { startOfDay } from '../../domain/dates.js';
import { parseMonth } from '../../domain/typed-dates.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** A month in Brasília time: its last evening belongs to it, although it is already the next month in UTC. */
export interface Month {
  /** `2026-10`. */
  readonly name: string;
  readonly since: number;
  /** Excluded. */
  readonly until: number;
}

/** Reads `2026-10` or `10/2026`. Errors: `usage.invalid_value`. */
export function readMonth(text: string): Month {
  const name = parseMonth(text);
  if (name === undefined) throw invalidValue('month', text, aMonth);
  return monthOf(name);
}

const aMonth = {
  en: 'a month such as 10/2026 or 2026-10 is expected',
  pt: 'espera-se um mês como 10/2026 ou 2026-10',
};

/** @param name a month as `2026-10` */
export function monthOf(name: string): Month {
  const [year, month] = name.split('-');
  const after = new Date(Date.UTC(Number(year), Number(month))).toISOString().slice(0, 10);
  return { name, since: startOfDay(`${name}-01`), until: startOfDay(after) };
}
