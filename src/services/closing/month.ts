import { startOfDay } from '../../domain/dates.js';
import { parseMonth } from '../../domain/typed-dates.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** A month. Its documents are those that their own date puts into it; its moments, for what has no date of its own, are in Brasília. */
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

/** The months from one to another, or the one alone. Errors: `usage.invalid_value`. */
export function monthsBetween(from: string, to: string | undefined): readonly Month[] {
  const [first, last] = [readMonth(from), readMonth(to ?? from)];
  if (last.since < first.since)
    throw invalidValue('--to', last.name, {
      en: `a month that is not before ${first.name} is expected`,
      pt: `espera-se um mês que não seja anterior a ${first.name}`,
    });
  const months = [first];
  for (let month = first; month.name !== last.name; months.push(month)) month = monthOf(nextName(month.name));
  return months;
}

/** Of the month after this one. */
function nextName(name: string): string {
  const [year, month] = name.split('-');
  return new Date(Date.UTC(Number(year), Number(month))).toISOString().slice(0, 'yyyy-mm'.length);
}

const aMonth = { en: 'a month such as 10/2026 or 2026-10 is expected', pt: 'espera-se um mês como 10/2026 ou 2026-10' };

/** The documents of a month by their own clock, for a filter of the store. */
export function clockRange({ name }: Pick<Month, 'name'>): { readonly since: number; readonly until: number } {
  return { since: Date.parse(`${name}-01T00:00:00Z`), until: Date.parse(`${nextName(name)}-01T00:00:00Z`) };
}

/** @param name a month as `2026-10` */
export function monthOf(name: string): Month {
  return { name, since: startOfDay(`${name}-01`), until: startOfDay(`${nextName(name)}-01`) };
}
